import { findPayment } from '@muripo/rig/merchant'
import { expect, test } from './fixtures.ts'
import { checkCopy } from './lib/check-page.ts'
import { ageAttempts } from './lib/database.ts'
import { title } from './lib/page.ts'
import { number, payToPrompt } from './lib/payers-page.ts'
import { newPhone } from './lib/wallet.ts'

test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } })

test('a silent provider is awaited, and the payment is not shown as failed', async ({
  browser,
  page,
  seller,
  wallet,
  gateway,
}) => {
  const phone = newPhone()
  const { id, payment_url } = await seller.pay()
  await wallet.configureCharge(phone, { neverResolves: true })
  await payToPrompt(page, payment_url, phone)
  await ageAttempts(gateway.dataDir, id, 120)
  await expect(title(page, 'Still waiting')).toBeVisible()
  await expect(page.locator('main')).not.toContainText(/fail/i)
  await expect(number(page)).toBeHidden()
  await checkCopy(browser, page, 'checkout-still-waiting')
  expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
    status: 'pending',
  })
})

test('a look-up completes a payment whose provider accepted the charge and dropped the connection', async ({
  page,
  seller,
  wallet,
  gateway,
}) => {
  const phone = newPhone()
  const { id, payment_url } = await seller.pay()
  await wallet.configureCharge(phone, { chargeReply: 'drop', callback: 'lost' })
  await payToPrompt(page, payment_url, phone)
  await wallet.enterPin(phone)
  await expect(title(page, 'Payment completed')).toBeVisible()
  expect(await wallet.transactions(phone)).toHaveLength(1)
  expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
    status: 'completed',
  })
})
