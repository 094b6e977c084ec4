import { findPayment } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import { checkCopy } from './lib/check-page.ts'
import { title } from './lib/page.ts'
import { payWith } from './lib/payers-page.ts'
import { newOneMoneyPhone } from './lib/wallet.ts'

test.use({ javaScriptEnabled: false, viewport: { width: 375, height: 667 } })

const choose = (page: Page, method: string) => page.getByRole('radio', { name: method }).check()

test('OneMoney prompts a number of its network, which pays with the PIN', async ({
  browser,
  gateway,
  page,
  seller,
  wallet,
}) => {
  const phone = newOneMoneyPhone()
  const { id, payment_url } = await seller.pay()
  await page.goto(payment_url)
  await choose(page, 'OneMoney')
  await payWith(page, phone)
  await expect(title(page, 'Confirm on your phone')).toBeVisible()
  await checkCopy(browser, page, 'checkout-onemoney-waiting')
  await wallet.enterPin(phone)
  await expect(title(page, 'Payment completed')).toBeVisible()
  expect(await wallet.transactions(phone)).toMatchObject([{ kind: 'charge', minor: 2500, currency: 'USD' }])
  expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
    status: 'completed',
    method: 'onemoney',
  })
})

test('OneMoney refuses a number of another wallet with its name, and accepts a test number of any wallet', async ({
  consoleErrors,
  page,
  seller,
}) => {
  await page.goto((await seller.pay()).payment_url)
  await choose(page, 'OneMoney')
  await payWith(page, '077 123 4567')
  await expect(page.getByRole('alert')).toHaveText(
    '077 numbers usually have EcoCash. Choose EcoCash, or enter your OneMoney number',
  )
  await payWith(page, '073 123 4567')
  await expect(page.getByRole('alert')).toHaveText('Please enter a OneMoney number (071)')
  await payWith(page, '077 111 1111')
  await expect(title(page, 'Payment completed')).toBeVisible()
  await consoleErrors.expect(statusError(422))
})

test('OneMoney has test numbers with automatic outcomes', async ({ context, seller }) => {
  const paid = 'has been told that you paid'
  const cases = [
    ['071 111 1111', 'Payment completed', paid],
    ['071 222 2222', 'Payment completed', paid],
    ['071 333 3333', 'Not paid', 'The payment was cancelled on the phone.'],
    ['071 444 4444', 'Not paid', 'There was not enough money in the wallet.'],
  ] as const
  await Promise.all(
    cases.map(async ([phone, heading, detail]) => {
      const page = await context.newPage()
      await page.goto((await seller.pay()).payment_url)
      await choose(page, 'OneMoney')
      await payWith(page, phone)
      await expect(title(page, heading)).toBeVisible()
      await expect(page.getByText(detail)).toBeVisible()
    }),
  )
})

test('OneMoney looks up a charge whose reply was lost, and charges once', async ({
  page,
  seller,
  wallet,
}) => {
  const phone = newOneMoneyPhone()
  await wallet.configureCharge(phone, { chargeReply: 'drop', callback: 'lost' })
  await page.goto((await seller.pay()).payment_url)
  await choose(page, 'OneMoney')
  await payWith(page, phone)
  await expect(title(page, 'Confirm on your phone')).toBeVisible()
  await wallet.enterPin(phone)
  await expect(title(page, 'Payment completed')).toBeVisible()
  expect(await wallet.transactions(phone)).toHaveLength(1)
})

test('ten copies of an update from OneMoney complete the payment once', async ({
  gateway,
  page,
  seller,
  wallet,
}) => {
  const phone = newOneMoneyPhone()
  const { id, payment_url } = await seller.pay()
  await wallet.configureCharge(phone, { callbackTimes: 10 })
  await page.goto(payment_url)
  await choose(page, 'OneMoney')
  await payWith(page, phone)
  await wallet.enterPin(phone)
  await expect(title(page, 'Payment completed')).toBeVisible()
  expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
    status: 'completed',
    amount: 25,
  })
})
