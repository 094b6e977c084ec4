import { expect, test } from './fixtures.ts'
import { findPayment } from './lib/merchant.ts'
import { title } from './lib/payers-page.ts'

// A gateway whose EcoCash payments go to the Open API, which sends no callbacks.
test.use({
  javaScriptEnabled: false,
  viewport: { width: 375, height: 667 },
  settings: { ROUTE_ECOCASH: 'ecocash-open' },
})

for (const [name, phone, heading, status] of [
  ['is confirmed', '077 111 1111', 'Payment completed', 'completed'],
  ['is without money', '077 444 4444', 'Not paid', 'pending'],
] as const)
  test(`EcoCash by the Open API ${name}: look-ups find the outcome`, async ({ gateway, page, seller }) => {
    const { id, payment_url } = await seller.pay()
    await page.goto(payment_url)
    await page.getByRole('radio', { name: 'EcoCash' }).check()
    await page.getByLabel('Phone number').fill(phone)
    await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
    await expect(title(page, heading)).toBeVisible()
    expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
      status,
      method: 'ecocash',
    })
  })
