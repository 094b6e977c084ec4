import { expect, test } from './fixtures.ts'
import { checkCopy } from './lib/check-page.ts'
import { title } from './lib/page.ts'
import { payWith } from './lib/payers-page.ts'
import { newOneMoneyPhone } from './lib/wallet.ts'

// Nothing listens at the address of InnBucks.
test.use({
  javaScriptEnabled: false,
  viewport: { width: 320, height: 640 },
  settings: {
    INNBUCKS_URL: 'http://127.0.0.1:9/innbucks',
    INNBUCKS_USD_API_KEY: 'nobody',
    INNBUCKS_USD_USERNAME: 'nobody',
    INNBUCKS_USD_PASSWORD: 'nobody',
  },
})

test('a method whose provider is down is unavailable with the reason, and another method works', async ({
  browser,
  page,
  seller,
  wallet,
}) => {
  const { payment_url } = await seller.pay()
  const innbucks = page.getByRole('radio', { name: 'InnBucks Unavailable right now' })
  await expect(async () => {
    await page.goto(payment_url)
    await expect(innbucks).toBeDisabled({ timeout: 100 })
  }).toPass()
  await checkCopy(browser, page, 'checkout-provider-down')
  const phone = newOneMoneyPhone()
  await page.getByRole('radio', { name: 'OneMoney' }).check()
  await payWith(page, phone)
  await expect(title(page, 'Confirm on your phone')).toBeVisible()
  await wallet.enterPin(phone)
  await expect(title(page, 'Payment completed')).toBeVisible()
})
