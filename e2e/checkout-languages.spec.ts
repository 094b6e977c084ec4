import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, statusComplaint, test } from './fixtures.ts'
import { checkCopy } from './lib/check-page.ts'
import { title } from './lib/payers-page.ts'
import { newPhone } from './lib/wallet.ts'

// Languages need no script, and fit the narrowest screen that is still sold.
test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 }, locale: 'sn-ZW' })

const LARGEST_PAGE_BYTES = 14_000

const language = (page: Page) => page.locator('html').getAttribute('lang')

for (const { locale, words } of [
  {
    locale: 'sn',
    words: {
      choose: 'Mungada kubhadhara sei?',
      number: 'Nhamba yefoni',
      wait: 'Simbisai pafoni yenyu',
      paid: 'Mabhadhara',
      receipt: 'Risiti',
    },
  },
  {
    locale: 'nd',
    words: {
      choose: 'Ungathanda ukubhadala ngani?',
      number: 'Inombolo yefoni',
      wait: 'Qinisekisa efonini yakho',
      paid: 'Usubhadele',
      receipt: 'Irisithi',
    },
  },
])
  test.describe(locale, () => {
    test.use({ locale: `${locale}-ZW` })

    test('from the choice to the receipt', async ({ browser, page, seller, wallet }) => {
      const phone = newPhone()
      const { payment_url } = await seller.pay()
      const check = async (name: string) => {
        expect(await language(page)).toBe(locale)
        expect(gzipSync(await page.content()).length, name).toBeLessThanOrEqual(LARGEST_PAGE_BYTES)
        await checkCopy(browser, page, `checkout-${locale}-${name}`)
      }
      await page.goto(payment_url)
      await expect(page.getByText(words.choose)).toBeVisible()
      await check('choose')
      await page.getByRole('radio', { name: 'EcoCash' }).check()
      await page.getByLabel(words.number).fill(phone)
      await page.locator('form button').first().click()
      await expect(title(page, words.wait)).toBeVisible()
      await check('waiting')
      await wallet.enterPin(phone)
      await expect(title(page, words.paid)).toBeVisible({ timeout: 30_000 })
      await check('paid')
      await page.getByRole('link', { name: words.receipt }).click()
      await expect(title(page, words.receipt)).toBeVisible()
      await check('receipt')
    })
  })

test('a link chooses the language, which stays for this payment and for the next one', async ({
  page,
  seller,
}) => {
  const first = await seller.pay()
  await page.goto(first.payment_url)
  expect(await language(page)).toBe('sn')
  await page.getByRole('link', { name: 'isiNdebele' }).click()
  expect(await language(page)).toBe('nd')
  await page.goto(first.payment_url)
  await expect(page.getByText('Ungathanda ukubhadala ngani?')).toBeVisible()
  await page.goto((await seller.pay()).payment_url)
  expect(await language(page)).toBe('nd')
  await page.getByRole('link', { name: 'English' }).click()
  await expect(page.getByText('How would you like to pay?')).toBeVisible()
  await page.goto(first.payment_url)
  expect(await language(page)).toBe('nd')
})

test('the shop names the language of a payment, and its payer may choose another', async ({
  page,
  seller,
}) => {
  const { payment_url } = await seller.pay({ locale: 'nd' })
  await page.goto(payment_url)
  await expect(page.getByText('Ungathanda ukubhadala ngani?')).toBeVisible()
  await page.getByRole('link', { name: 'chiShona' }).click()
  await page.goto(payment_url)
  await expect(page.getByText('Mungada kubhadhara sei?')).toBeVisible()
})

test('the page for a code and the page of an unknown payment are in the reader’s language', async ({
  page,
  complaints,
}) => {
  await page.goto('/resume')
  await expect(title(page, 'Enderai mberi nekubhadhara')).toBeVisible()
  expect(await language(page)).toBe('sn')
  await page.goto('/pay/unknown')
  await expect(title(page, 'Link iyi yekubhadhara haipo')).toBeVisible()
  await expect(page).toHaveTitle('Kubhadhara')
  expect(await language(page)).toBe('sn')
  await complaints.expect(statusComplaint(404))
})
