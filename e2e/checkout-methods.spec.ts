import { gzipSync } from 'node:zlib'
import { expect, statusError, test } from './fixtures.ts'
import { checkCopy } from './lib/check-page.ts'
import { title } from './lib/page.ts'
import { number, payWith } from './lib/payers-page.ts'
import { newPhone } from './lib/wallet.ts'

// The cheapest phone: no script, and the narrowest screen of a new phone.
test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } })

const LARGEST_PAGE_BYTES = 14_000
const refused = statusError(422)

test('the phone number is required only for a method that needs it', async ({ page, seller }) => {
  await page.goto((await seller.pay()).payment_url)
  await expect(number(page)).toBeVisible()
  for (const name of ['InnBucks', 'Visa/Mastercard']) {
    await page.getByRole('radio', { name }).check()
    await expect(number(page)).toBeHidden()
  }
  await page.getByRole('radio', { name: 'EcoCash' }).check()
  await expect(number(page)).toBeVisible()
})

test('a phone number without a method selects its wallet', async ({ page, seller, wallet }) => {
  const phone = newPhone()
  await page.goto((await seller.pay()).payment_url)
  await payWith(page, phone)
  await expect(page.getByText('EcoCash is sending a request')).toBeVisible()
  expect(await wallet.transactions(phone)).toHaveLength(1)
})

test('a form without a number and a method shows an error', async ({ consoleErrors, page, seller }) => {
  await page.goto((await seller.pay()).payment_url)
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
  await expect(page.getByRole('alert')).toHaveText('Please choose a payment method')
  await page.getByRole('radio', { name: 'EcoCash' }).check()
  await expect(page.getByText('Please choose a payment method')).toBeHidden()
  await consoleErrors.expect(refused)
})

test('a number of another wallet is refused with the name of that wallet', async ({
  consoleErrors,
  browser,
  page,
  seller,
}) => {
  await page.goto((await seller.pay()).payment_url)
  await page.getByRole('radio', { name: 'EcoCash' }).check()
  await payWith(page, '071 123 4567')
  await expect(page.getByRole('alert')).toHaveText(
    '071 numbers usually have OneMoney. Choose OneMoney, or enter your EcoCash number',
  )
  await expect(number(page)).toHaveValue('071 123 4567')
  await checkCopy(browser, page, 'checkout-other-wallet')
  await consoleErrors.expect(refused)
})

test('the method of the last payment is the first one of the next', async ({ context, page, seller }) => {
  const last = await context.newPage()
  await last.goto((await seller.pay()).payment_url)
  await expect(last.getByRole('radio').first()).toHaveAccessibleName(/EcoCash/)
  await last.getByRole('radio', { name: 'InnBucks' }).check()
  await last.getByRole('button', { name: 'Pay USD 25.00' }).click()
  await expect(title(last, 'Pay in the InnBucks app')).toBeVisible()
  const html = await (await last.request.get(last.url())).text()
  expect(html).not.toMatch(/<script (?!nonce=)|javascript:|<[^>]+\son\w+=/i)
  expect(gzipSync(html).length).toBeLessThan(LARGEST_PAGE_BYTES)

  const { payment_url } = await seller.pay()
  await page.goto(payment_url)
  await expect(page.getByRole('radio').first()).toHaveAccessibleName(/InnBucks/)
  await expect(page.getByRole('radio').first()).toBeChecked()
  await expect(number(page)).toBeHidden()
  const status = await page.request.get(`${payment_url}/status`)
  expect(await status.json()).toMatchObject({ status: 'pending', stage: 'choose' })
})
