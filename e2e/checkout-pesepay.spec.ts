import { callOk } from '@muripo/rig/call'
import { findPayment } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { checkCopy } from './lib/check-page.ts'
import { title } from './lib/page.ts'

// A gateway that sends cards and wallets to Pesepay.
test.use({
  javaScriptEnabled: false,
  viewport: { width: 375, height: 667 },
  settings: { ROUTE_VISA: 'pesepay', ROUTE_ECOCASH: 'pesepay', ROUTE_INNBUCKS: 'pesepay' },
})

const LARGEST_PAGE_BYTES = 14_000

async function choose(page: Page, paymentUrl: string, method: string, phone?: string): Promise<void> {
  await page.goto(paymentUrl)
  await page.getByRole('radio', { name: method }).check()
  if (phone !== undefined) await page.getByLabel('Phone number').fill(phone)
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
}

for (const [name, button, heading, status] of [
  ['is paid', 'Pay by card', 'Payment completed', 'completed'],
  ['is declined', 'Pay with a card that is declined', 'Not paid', 'pending'],
] as const)
  test(`a card at Pesepay's page ${name}, and the payer comes back`, async ({ gateway, page, seller }) => {
    const { id, payment_url } = await seller.pay()
    await choose(page, payment_url, 'Visa/Mastercard')
    await page.getByRole('link', { name: 'Continue to pay' }).click()
    await expect(title(page, 'Pay USD 25.00')).toBeVisible()
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(title(page, heading)).toBeVisible()
    expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
      status,
      method: 'visa',
    })
  })

test('EcoCash through Pesepay is confirmed on the page of the gateway', async ({ gateway, page, seller }) => {
  const { id, payment_url } = await seller.pay()
  await choose(page, payment_url, 'EcoCash', '077 111 1111')
  await expect(title(page, 'Payment completed')).toBeVisible()
  expect(page.url()).toContain(new URL(payment_url).pathname)
  expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
    method: 'ecocash',
  })
})

test('an InnBucks code of Pesepay is shown, and paid', async ({ browser, gateway, page, seller }) => {
  const { id, payment_url } = await seller.pay()
  await choose(page, payment_url, 'InnBucks', '077 100 0001')
  await expect(title(page, 'Pay in the InnBucks app')).toBeVisible()
  await checkCopy(browser, page, 'checkout-pesepay-code')
  const response = await page.goto(payment_url)
  const { responseBodySize, responseHeadersSize } = (await response?.request().sizes()) ?? {
    responseBodySize: Number.NaN,
    responseHeadersSize: Number.NaN,
  }
  expect(responseBodySize + responseHeadersSize).toBeLessThan(LARGEST_PAGE_BYTES)
  const control = `${gateway.simulatorUrl}/control/pesepay/payments`
  const { payments } = await callOk<{ payments: { referenceNumber: string }[] }>('GET', control)
  await callOk('POST', `${control}/${payments.at(-1)?.referenceNumber}`, { body: { status: 'SUCCESS' } })
  await page.goto(payment_url)
  await expect(title(page, 'Payment completed')).toBeVisible()
  expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
    status: 'completed',
    method: 'innbucks',
  })
})
