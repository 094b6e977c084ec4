import { feeFor, pricedMethods, pricing } from '@muripo/contract/pricing'
import { expect, test } from './fixtures.ts'
import { checkWidths } from './lib/check-page.ts'
import { waitForScripts } from './lib/site.ts'

const prices = {
  'Credit Cards': '2.9% + $0.30',
  'Bank Transfers': '1.5% + $0.25',
  'Mobile Money': '3.5% + $0.40',
  Cryptocurrency: '1.0% + $0.20',
}

test('[PRICE-01] [PRICE-02] [PRICE-04] [PRICE-05] [PRICE-06] [PRICE-07] each method has a tab with its fee and features', async ({
  page,
}) => {
  await page.goto('/pricing')
  await waitForScripts(page)
  await expect(page.getByRole('tab')).toHaveText(Object.keys(prices))
  for (const [label, price] of Object.entries(prices)) {
    await page.getByRole('tab', { name: label }).click()
    await expect(page.getByRole('tabpanel')).toHaveCount(1)
    const panel = page.getByRole('tabpanel', { name: label })
    await expect(panel.getByText(price, { exact: true })).toBeVisible()
    expect(await panel.getByRole('listitem').count()).toBeGreaterThanOrEqual(3)
    for (const feature of await panel.getByRole('listitem').allTextContents()) {
      expect(feature.length).toBeGreaterThan(10)
    }
  }
})

test('[PRICE-09] [PRICE-10] [PRICE-11] [PRICE-12] the FAQ answers', async ({ page }) => {
  await page.goto('/pricing')
  const faq = page.getByRole('region', { name: 'Frequently asked questions' })
  await expect(faq.getByText(/no setup fees/)).toBeVisible()
  await expect(faq.getByText(/Settlement takes 1-2 business days/)).toBeVisible()
  await expect(faq.getByText(/supported from over 100 countries/)).toBeVisible()
  const last = faq.getByText(/never more than the payment itself/)
  await expect(last).toBeHidden()
  await faq.getByText('Can a fee be more than the payment?').click()
  await expect(last).toBeVisible()
})

test('the calculator shows the fee of a payment, to the cent', async ({ page }) => {
  await page.goto('/pricing')
  await waitForScripts(page)
  const calculator = page.getByRole('region', { name: /What will/ })
  const rows = calculator.locator('tbody tr')
  await expect(calculator.getByRole('heading')).toHaveText('What will 25 dollars cost me?')
  await expect(rows).toHaveText([
    'Credit Cards$1.02$23.98',
    'Bank Transfers$0.63$24.37',
    'Mobile Money$1.28$23.72',
    'Cryptocurrency$0.45$24.55',
  ])
  const amount = calculator.getByLabel('Amount of the payment, in US dollars')
  await amount.fill('1,000')
  await expect(calculator.getByRole('heading')).toHaveText('What will 1,000 dollars cost me?')
  await expect(rows.first()).toHaveText('Credit Cards$29.30$970.70')
  await amount.fill('12.345')
  await expect(calculator.getByRole('status')).toHaveText('The amount must have at most 2 decimals in USD')
  await expect(amount).toHaveAttribute('aria-invalid', 'true')
  await expect(rows.first()).toHaveText('Credit Cards––')
  await checkWidths(page, 'pricing-wrong')
})

test('the prices are reached by keyboard, and axe finds no violations', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/pricing')
  await waitForScripts(page)
  await checkWidths(page, 'pricing')
  await page.getByRole('tab', { name: 'Credit Cards' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('tab', { name: 'Cryptocurrency' })).toBeFocused()
  await expect(page.getByRole('tabpanel', { name: 'Cryptocurrency' })).toBeVisible()
  await checkWidths(page, 'pricing-crypto')
})

test('[PRICE-03] a method has a percentage and a fixed fee, and the page computes like the ledger', async ({
  page,
}) => {
  await page.goto('/pricing')
  for (const [index, method] of pricedMethods.entries()) {
    const { feeBps, fixedMinor, label } = pricing[method]
    expect(Object.entries(prices)[index]).toEqual([
      label,
      `${(feeBps / 100).toFixed(1)}% + $0.${String(fixedMinor).padStart(2, '0')}`,
    ])
    const cents = Number(feeFor(method, { minor: 2500n, currency: 'USD' }).minor)
    await expect(page.locator('tbody tr').nth(index).getByRole('cell').first()).toHaveText(
      `$${(cents / 100).toFixed(2)}`,
    )
  }
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('every fee, feature and answer is visible', async ({ page }) => {
    await page.goto('/pricing')
    for (const price of Object.values(prices)) {
      await expect(page.getByText(price, { exact: true })).toBeVisible()
    }
    await expect(page.getByText('EcoCash, InnBucks and OneMoney')).toBeVisible()
    await expect(page.getByText('$23.98')).toBeVisible()
    await page.getByText('Can a fee be more than the payment?').click()
    await expect(page.getByText(/never more than the payment itself/)).toBeVisible()
  })
})
