import { findPayment } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { checkCopy } from './lib/check-page.ts'
import { title } from './lib/page.ts'
import { secrets } from './lib/secrets.ts'

// A gateway whose cards are entered on the payer's page, in fields of the provider. The page must not scroll: after a scroll, the browser
// of the tests sends a click to a frame that no longer exists.
test.use({ viewport: { width: 375, height: 900 }, settings: { MASTERCARD_CHECKOUT: 'session' } })

const enrolled = '5123450000000008'
const plain = '5111111111111118'

async function chooseCard(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Visa/Mastercard' }).check()
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
  await page.getByRole('link', { name: 'Continue to pay' }).click()
  await expect(title(page, 'Your card')).toBeVisible()
}

async function enterCard(page: Page, number: string, year = '39'): Promise<void> {
  secrets.add('card', number)
  const fields = { 'Card number': number, 'Expiry month': '01', 'Expiry year': year, 'Security code': '100' }
  for (const [label, value] of Object.entries(fields))
    await page.frameLocator(`iframe[title^="${label}"]`).locator('input').fill(value)
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
}

test('a card with 3-D Secure is entered in the fields of the provider, and no other page allows its origins', async ({
  browser,
  page,
  seller,
  gateway,
}) => {
  const { id, payment_url } = await seller.pay()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(gateway.url)) sent.push(`${request.url()} ${request.postData() ?? ''}`)
  })
  const first = await page.goto(payment_url)
  expect(first?.headers()['content-security-policy']).not.toContain('http')
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/card')),
    chooseCard(page),
  ])
  const policy = answer.headers()['content-security-policy'] ?? ''
  const { origin } = new URL(gateway.simulatorUrl)
  expect(policy).toMatch(new RegExp(`script-src 'self' 'nonce-[^']+' ${origin};`))
  expect(policy).toContain(`frame-src ${origin};`)
  expect(policy).toContain("form-action 'self';")
  const { responseBodySize, responseHeadersSize } = await answer.request().sizes()
  expect(responseBodySize + responseHeadersSize).toBeLessThan(14_000)
  await checkCopy(browser, page, 'checkout-card-fields')

  await enterCard(page, enrolled)
  await expect(title(page, 'Your bank asks you to confirm')).toBeVisible()
  await page.getByRole('button', { name: 'Continue to your bank' }).click()
  await expect(title(page, 'Your bank asks')).toBeVisible()
  await checkCopy(browser, page, 'card-challenge')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(title(page, 'Payment completed')).toBeVisible()
  expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
    status: 'completed',
    method: 'visa',
  })
  expect(sent.join()).not.toContain(enrolled)
})

test('an invalid field has an error on the page, a card is declined, and another card pays', async ({
  page,
  seller,
}) => {
  await page.goto((await seller.pay()).payment_url)
  await chooseCard(page)
  await enterCard(page, '5123450000000009')
  await expect(page.getByRole('alert')).toContainText('Please check the card number')
  await enterCard(page, plain, '40')
  await expect(title(page, 'Not paid')).toBeVisible()
  await chooseCard(page)
  await enterCard(page, plain)
  await expect(title(page, 'Payment completed')).toBeVisible()
})

test('a refusal at the bank pays nothing, and a payer who leaves returns to the same step', async ({
  page,
  seller,
}) => {
  const { payment_url } = await seller.pay()
  await page.goto(payment_url)
  await chooseCard(page)
  await page.goto('about:blank')
  await page.goto(payment_url)
  await page.getByRole('link', { name: 'Continue to pay' }).click()
  await enterCard(page, enrolled)
  await expect(title(page, 'Your bank asks you to confirm')).toBeVisible()
  await page.goto(payment_url)
  await page.getByRole('link', { name: 'Continue to pay' }).click()
  await page.getByRole('button', { name: 'Continue to your bank' }).click()
  await page.getByRole('button', { name: 'Do not approve' }).click()
  await expect(title(page, 'Not paid')).toBeVisible()
})
