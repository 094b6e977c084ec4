import { findPayment } from '@muripo/rig/merchant'
import { expect, test } from './fixtures.ts'
import { checkCopy } from './lib/check-page.ts'
import { title } from './lib/page.ts'

// A gateway that sends cards and InnBucks to Paynow, and EcoCash to the Open API, which sends no callbacks.
test.use({
  javaScriptEnabled: false,
  viewport: { width: 375, height: 667 },
  settings: { ROUTE_VISA: 'paynow', ROUTE_INNBUCKS: 'paynow', ROUTE_ECOCASH: 'ecocash-open' },
})

for (const [name, button, heading, status] of [
  ['is paid', 'Pay by card', 'Payment completed', 'completed'],
  ['is declined', 'Pay with a card that is declined', 'Not paid', 'pending'],
] as const)
  test(`a card at Paynow's page ${name}, and the payer comes back`, async ({
    browser,
    gateway,
    page,
    seller,
  }) => {
    const { id, payment_url } = await seller.pay()
    await page.goto(payment_url)
    await page.getByRole('radio', { name: 'Visa/Mastercard' }).check()
    await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
    await checkCopy(browser, page, 'checkout-paynow-redirect')
    await page.getByRole('link', { name: 'Continue to pay' }).click()
    await expect(page).toHaveURL(/\/paynow\/Payment\/ConfirmPayment\//)
    await expect(title(page, 'Pay USD 25.00')).toBeVisible()
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(page).toHaveURL(payment_url)
    await expect(title(page, heading)).toBeVisible()
    expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
      status,
      method: 'visa',
    })
  })

test('an InnBucks code of Paynow is shown, and paid', async ({ browser, gateway, page, seller, wallet }) => {
  const { id, payment_url } = await seller.pay()
  await page.goto(payment_url)
  await page.getByRole('radio', { name: 'InnBucks' }).check()
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
  await expect(title(page, 'Pay in the InnBucks app')).toBeVisible()
  await checkCopy(browser, page, 'checkout-paynow-code')
  await wallet.decideLatest('success')
  await expect(title(page, 'Payment completed')).toBeVisible()
  expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
    status: 'completed',
    method: 'innbucks',
  })
})

test('EcoCash through the Open API is confirmed, and look-ups find the outcome', async ({
  gateway,
  page,
  seller,
}) => {
  const { id, payment_url } = await seller.pay()
  await page.goto(payment_url)
  await page.getByRole('radio', { name: 'EcoCash' }).check()
  await page.getByLabel('Phone number').fill('077 111 1111')
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
  await expect(title(page, 'Payment completed')).toBeVisible()
  expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
    status: 'completed',
    method: 'ecocash',
  })
})
