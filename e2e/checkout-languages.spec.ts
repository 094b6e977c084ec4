import { gzipSync } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import { checkCopy, contentOf } from './lib/check-page.ts'
import { ageAttempts, expirePayment } from './lib/database.ts'
import { title } from './lib/page.ts'
import { newPhone } from './lib/wallet.ts'

// Languages need no script, and fit the narrowest screen of a new phone.
test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 }, locale: 'sn-ZW' })

const LARGEST_PAGE_BYTES = 14_000

const language = (page: Page) => page.locator('html').getAttribute('lang')

/** Ndebele, whose words need most room. `scripts/checks/translations.test.ts` compares the texts of all languages. */
const locale = 'nd'
const words = {
  choose: 'Ungathanda ukubhadala ngani?',
  number: 'Inombolo yefoni',
  wait: 'Qinisekisa efonini yakho',
  paid: 'Usubhadele',
  receipt: 'Irisithi',
  declined: 'Kakubhadalwanga',
  silent: 'Silokhu silindele',
  expired: 'Isikhathi salilinki yokubhadala siphelile',
  cancelled: 'Ukubhadala sekukhanseliwe',
  resume: 'Qhubeka lokubhadala kwakho',
  unknown: 'Le ilinki yokubhadala ayikho',
}

test.describe(locale, () => {
  test.use({ locale: `${locale}-ZW` })

  const check = async (browser: Browser, page: Page, name: string) => {
    expect(await language(page)).toBe(locale)
    expect(gzipSync(await contentOf(page)).length, name).toBeLessThanOrEqual(LARGEST_PAGE_BYTES)
    await checkCopy(browser, page, `checkout-${locale}-${name}`)
  }
  const pay = async (page: Page, phone: string) => {
    await page.getByRole('radio', { name: 'EcoCash' }).check()
    await page.getByLabel(words.number).fill(phone)
    await page.locator('form button').first().click()
  }

  test('a payment from the choice of a method to the receipt', async ({
    browser,
    page,
    seller,
    wallet,
    consoleErrors,
  }) => {
    const phone = newPhone()
    const { payment_url } = await seller.pay()
    await page.goto(payment_url)
    await expect(page.getByText(words.choose)).toBeVisible()
    await check(browser, page, 'choose')
    await pay(page, '077 12')
    await expect(page.getByRole('alert')).toBeVisible()
    await consoleErrors.expect(statusError(422))
    await check(browser, page, 'wrong-number')
    await pay(page, phone)
    await expect(title(page, words.wait)).toBeVisible()
    await check(browser, page, 'waiting')
    await wallet.decline(phone)
    await expect(title(page, words.declined)).toBeVisible()
    await check(browser, page, 'declined')
    await pay(page, phone)
    await wallet.enterPin(phone)
    await expect(title(page, words.paid)).toBeVisible()
    await check(browser, page, 'paid')
    await page.getByRole('link', { name: words.receipt }).click()
    await expect(title(page, words.receipt)).toBeVisible()
    await check(browser, page, 'receipt')
  })

  test('a silent provider', async ({ browser, page, seller, wallet, gateway }) => {
    const phone = newPhone()
    await wallet.configureCharge(phone, { neverResolves: true })
    const silent = await seller.pay()
    await page.goto(silent.payment_url)
    await pay(page, phone)
    await expect(title(page, words.wait)).toBeVisible()
    await ageAttempts(gateway.dataDir, silent.id, 120)
    await expect(title(page, words.silent)).toBeVisible()
    await check(browser, page, 'silent')
  })

  test('a cancelled and an expired payment, a resume code and an unknown link', async ({
    browser,
    page,
    seller,
    gateway,
    consoleErrors,
  }) => {
    await page.goto((await seller.pay({ cancel_url: 'https://shop.example/' })).payment_url)
    await page.locator('form:has([name=intent][value=cancel]) button').click()
    await expect(title(page, words.cancelled)).toBeVisible()
    await check(browser, page, 'cancelled')

    const late = await seller.pay()
    await expirePayment(gateway.dataDir, late.id)
    await page.goto(late.payment_url)
    await expect(title(page, words.expired)).toBeVisible()
    await check(browser, page, 'expired')

    await page.goto('/resume')
    await expect(title(page, words.resume)).toBeVisible()
    await check(browser, page, 'resume')
    await page.goto('/pay/unknown')
    await expect(title(page, words.unknown)).toBeVisible()
    await check(browser, page, 'unknown')
    await consoleErrors.expect(statusError(404))
  })
})

test('a link changes the language of this payment and of the next one', async ({ page, seller }) => {
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

test('the merchant sets the language of a payment, and the payer may change it', async ({ page, seller }) => {
  const { payment_url } = await seller.pay({ locale: 'nd' })
  await page.goto(payment_url)
  await expect(page.getByText('Ungathanda ukubhadala ngani?')).toBeVisible()
  await page.getByRole('link', { name: 'chiShona' }).click()
  await page.goto(payment_url)
  await expect(page.getByText('Mungada kubhadhara sei?')).toBeVisible()
})

test('the page for a code and the page of an unknown payment are in the reader’s language', async ({
  page,
  consoleErrors,
}) => {
  await page.goto('/resume')
  await expect(title(page, 'Enderai mberi nekubhadhara')).toBeVisible()
  expect(await language(page)).toBe('sn')
  await page.goto('/pay/unknown')
  await expect(title(page, 'Link iyi yekubhadhara haipo')).toBeVisible()
  await expect(page).toHaveTitle('Kubhadhara')
  expect(await language(page)).toBe('sn')
  await consoleErrors.expect(statusError(404))
})
