import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { checkCopy, checkPage } from './lib/check-page.ts'
import { title } from './lib/page.ts'
import { number, payToPrompt, payWith } from './lib/payers-page.ts'
import { newPhone } from './lib/wallet.ts'

// The payer's page in a browser that runs scripts.
test.use({ viewport: { width: 320, height: 640 } })

const STATUS_BYTES = 200

/** Passes the time after which a page leads to the merchant's site, and waits until its request would have arrived. */
async function passTimeToLeave(page: Page): Promise<void> {
  await page.clock.fastForward(6000)
  await page.waitForTimeout(1000)
}

test('the waiting page follows the payment in place and announces each change once', async ({
  page,
  seller,
  wallet,
}) => {
  const phone = newPhone()
  const { payment_url } = await seller.pay()
  await payToPrompt(page, payment_url, phone)
  const { pathname } = new URL(payment_url)
  const sizes: number[] = []
  const loads: string[] = []
  page.on('response', async (response) => {
    const path = new URL(response.url()).pathname
    if (path === `${pathname}/status`) sizes.push((await response.body()).length)
  })
  page.on('framenavigated', (frame) => loads.push(frame.url()))
  const reported = await page.evaluateHandle(() => {
    const texts: string[] = []
    const region = document.querySelector('#said')
    new MutationObserver(() => texts.push(region?.textContent ?? '')).observe(region as Node, {
      childList: true,
    })
    return texts
  })
  await wallet.enterPin(phone)
  await expect(title(page, 'Payment completed')).toBeVisible()
  expect(await reported.jsonValue()).toEqual(['Payment completed'])
  expect(loads).toEqual([])
  for (const size of sizes) expect(size).toBeLessThanOrEqual(STATUS_BYTES)
  expect(sizes.length).toBeGreaterThan(0)
})

test('the receipt has the details of the payment, and leads back', async ({
  page,
  seller,
  wallet,
  merchantSite,
}) => {
  const phone = newPhone()
  const { id, payment_url } = await seller.pay({
    amount: 1250,
    reference: 'ORDER-77',
    success_url: `${merchantSite.url}/thanks`,
  })
  await page.clock.install()
  await page.goto(`${payment_url}/receipt`)
  await expect(title(page, 'There is no receipt yet')).toBeVisible()
  await page.goto(payment_url)
  await number(page).fill(phone)
  await page.getByRole('button', { name: 'Pay USD 1,250.00' }).click()
  await wallet.enterPin(phone)
  await page.getByRole('link', { name: 'Receipt' }).click()
  await expect(title(page, 'Receipt')).toBeVisible()
  for (const text of [
    id,
    'ORDER-77',
    'USD 1,250.00',
    'EcoCash',
    `0${phone.slice(1, 3)} *** ${phone.slice(-4)}`,
  ])
    await expect(page.locator('dl')).toContainText(text)
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
  await checkPage(page, 'checkout-receipt')
  // A printed receipt has no links but the number to call.
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('dl')).toBeVisible()
  await expect(page.locator('a:not([href^="tel:"]), button').filter({ visible: true })).toHaveCount(0)
  await expect(page.getByText('The link of this page')).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await passTimeToLeave(page)
  expect(merchantSite.visits).toEqual([])
  await page.getByRole('link', { name: 'Back to Chiedza Crafts' }).click()
  await expect(title(page, 'Back at the shop')).toBeVisible()
})

test('a payer continues on another phone with a code', async ({ page, browser, seller, wallet, gateway }) => {
  const phone = newPhone()
  await wallet.configureCharge(phone, { neverResolves: true })
  await page.goto((await seller.pay()).payment_url)
  await payWith(page, phone)
  await page.getByRole('button', { name: 'Go on from another phone' }).click()
  const code = await page.locator('.resume-code b').last().textContent()
  expect(code).toMatch(/^[A-Z]{8}$/)
  await checkPage(page, 'checkout-resume-code')

  const other = await browser.newContext({
    viewport: { width: 320, height: 640 },
    javaScriptEnabled: false,
    baseURL: gateway.url,
  })
  const otherPage = await other.newPage()
  await otherPage.goto('/resume')
  await otherPage.getByLabel('Code').fill('AAAAAA')
  await otherPage.getByRole('button', { name: 'Open the payment' }).click()
  await expect(otherPage.getByRole('alert')).toHaveText('This code does not exist, or it has expired.')
  await checkCopy(browser, otherPage, 'checkout-resume')
  await otherPage.getByLabel('Code').fill(code?.toLowerCase() ?? '')
  await otherPage.getByRole('button', { name: 'Open the payment' }).click()
  await expect(title(otherPage, 'Confirm on your phone')).toBeVisible()
  await expect(otherPage.getByText(`0${phone.slice(1, 3)} *** ${phone.slice(-4)}`)).toBeVisible()
  await other.close()
})

test('after the payment the page leads to the merchant’s site once, unless the payer stays', async ({
  page,
  seller,
  wallet,
  merchantSite,
}) => {
  const phone = newPhone()
  await page.clock.install()
  await page.goto((await seller.pay({ success_url: merchantSite.url })).payment_url)
  await payWith(page, phone)
  await wallet.enterPin(phone)
  await expect(title(page, 'Payment completed')).toBeVisible()
  await page.getByRole('link', { name: 'Stay on this page' }).click()
  await expect(page.getByText('We take you back in a few seconds.')).toBeHidden()
  await passTimeToLeave(page)
  expect(merchantSite.visits).toEqual([])
  await page.getByRole('link', { name: 'Continue to Chiedza Crafts' }).click()
  await expect(title(page, 'Back at the shop')).toBeVisible()
})
