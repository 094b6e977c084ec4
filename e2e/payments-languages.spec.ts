import { expect, test } from './fixtures.ts'
import { checkTranslation } from './lib/check-page.ts'
import { button, title } from './lib/page.ts'
import { approved } from './lib/payments.ts'

/** Ndebele, whose words need most room. `scripts/checks/translations.test.ts` compares the texts of all languages. */
const locale = 'nd'
const words = {
  overview: 'I-dashboard',
  revenue: 'Imali yonke engene lamuhla',
  paid: 'Ibhadaliwe',
  payments: 'Izimbadalo',
  shown: 'Kutshengiswa izimbadalo ezingu-1 kwezingu-1',
  filters: 'Tshengisa ama-filter',
  statuses: 'Isimo',
  refunded: 'Ibuyiselwe',
  noMatch: 'Akulazimbadalo ezihambelana lama-filter akho.',
  clear: 'Susa wonke ama-filter',
  details: 'Bona konke',
  completed: 'Imbadalo iqediwe',
  refund: 'Buyisela imali',
  wrong: 'Faka imali engaphezu kwe-zero.',
  refundWhole: 'Yebo, buyisela imali yonke',
  refundedWhole: /^Imali yembadalo pay_\w+ ibuyiselwe\.$/,
  invoices: 'Ama-invoice',
  reconciliations: 'Ukuqathanisa imali',
} as const

test.use({ locale: `${locale}-ZW`, viewport: { width: 1440, height: 900 } })

test('a merchant reads, filters and refunds payments', async ({ page, seller, wallet, openDashboard }) => {
  await openDashboard()
  await expect(title(page, words.revenue)).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', locale)
  await checkTranslation(page, `overview-empty-${locale}`)
  const payment = await approved(seller, wallet, {}, { amount: 1250.5 })
  await expect(page.getByText(words.paid).first()).toBeVisible()
  await expect(title(page, words.overview)).toBeVisible()
  await checkTranslation(page, `overview-${locale}`)

  await page.goto('/app/payments')
  await expect(title(page, words.payments)).toBeVisible()
  await expect(page.getByText(words.shown)).toBeVisible()
  await button(page, words.filters).click()
  await page.getByRole('combobox', { name: words.statuses }).selectOption(words.refunded)
  await expect(page.getByText(words.noMatch)).toBeVisible()
  await checkTranslation(page, `payments-filtered-${locale}`)
  await page.goto('/app/payments')
  await button(page, words.filters).click()
  await expect(button(page, words.clear)).toBeVisible()
  await checkTranslation(page, `payments-${locale}`)

  await button(page, words.details).click()
  const details = page.getByRole('dialog').first()
  await expect(details.getByText(words.completed)).toBeVisible()
  await checkTranslation(page, `payment-details-${locale}`)
  await details.getByRole('button', { name: words.refund, exact: true }).click()
  const confirmation = page.getByRole('dialog').last()
  await confirmation.getByRole('textbox').fill('0')
  await page.keyboard.press('Enter')
  await expect(confirmation.getByText(words.wrong)).toBeVisible()
  await checkTranslation(page, `refund-${locale}`)
  await confirmation.getByRole('textbox').fill('1250.50')
  await confirmation.getByRole('button', { name: words.refundWhole }).click()
  await expect(details.getByText(words.refundedWhole)).toBeVisible()
  await expect(details.getByText(payment.id).first()).toBeVisible()
  await expect(details.getByText(words.refunded).first()).toBeVisible()
  // The only check of a refunded payment's badge in dark.
  await checkTranslation(page, `payment-details-refunded-${locale}`)
})

test('the pages of planned features', async ({ page, openDashboard }) => {
  await openDashboard('/app/invoices')
  await expect(title(page, words.invoices)).toBeVisible()
  await checkTranslation(page, `invoices-${locale}`)
  await page.goto('/app/reconciliations')
  await expect(title(page, words.reconciliations)).toBeVisible()
  await checkTranslation(page, `reconciliations-${locale}`)
})
