import { callOk } from '@muripo/rig/call'
import { findPayment } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, type Gateway, test } from './fixtures.ts'
import { checkCopy } from './lib/check-page.ts'
import { query } from './lib/database.ts'
import { title } from './lib/page.ts'
import { secrets } from './lib/secrets.ts'

// Neither the payer's page nor the card page needs a script.
test.use({ javaScriptEnabled: false, viewport: { width: 375, height: 720 } })

const enrolled = '5123450000000008'
const plain = '5111111111111118'

async function toTheCardPage(page: Page, paymentUrl: string): Promise<void> {
  await page.goto(paymentUrl)
  await chooseCard(page)
}

async function chooseCard(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Visa/Mastercard' }).check()
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
  await page.getByRole('link', { name: 'Continue to pay' }).click()
  await expect(title(page, 'Pay USD 25.00')).toBeVisible()
}

async function enterCard(page: Page, number: string, expiry = '01/39'): Promise<void> {
  secrets.add('card', number)
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill(expiry)
  await page.getByLabel('Security code').fill('100')
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
}

/** The tables with a row that contains the text, also as bytes. */
async function rowsWith({ dataDir }: Gateway, text: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    dataDir,
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  expect(tables.length).toBeGreaterThan(20)
  const patterns = [text, Buffer.from(text).toString('hex')].map((each) => `%${each}%`)
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await query(dataDir, `select 1 from ${name} as t where t::text like any ($1) limit 1`, [
      patterns,
    ])
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('a card with 3-D Secure is confirmed at its bank and paid, and its number is stored nowhere', async ({
  browser,
  page,
  seller,
  gateway,
}) => {
  const { id, payment_url } = await seller.pay()
  const answer = await page.goto(payment_url)
  expect(answer?.headers()['content-security-policy']).not.toContain(gateway.simulatorUrl)
  await page.getByRole('radio', { name: 'Visa/Mastercard' }).check()
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
  await checkCopy(browser, page, 'checkout-card-continue')
  await page.getByRole('link', { name: 'Continue to pay' }).click()
  await checkCopy(browser, page, 'card-page')
  await enterCard(page, enrolled)
  await expect(title(page, 'Your bank asks')).toBeVisible()
  await checkCopy(browser, page, 'card-page-3ds')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(title(page, 'Payment completed')).toBeVisible()
  expect(page.url()).toContain(new URL(payment_url).pathname)
  expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
    status: 'completed',
    method: 'visa',
  })
  expect(await rowsWith(gateway, 'Woven basket')).toContain('public.payments')
  expect(await rowsWith(gateway, enrolled)).toEqual([])
})

test('a card is declined, and another card pays', async ({ page, seller }) => {
  const { payment_url } = await seller.pay()
  await toTheCardPage(page, payment_url)
  await enterCard(page, plain, '05/39')
  await expect(title(page, 'Not paid')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('The payment was declined')
  await chooseCard(page)
  await enterCard(page, plain)
  await expect(title(page, 'Payment completed')).toBeVisible()
})

test('a payment that the bank does not confirm is not paid', async ({ page, seller }) => {
  const { payment_url } = await seller.pay()
  await toTheCardPage(page, payment_url)
  await enterCard(page, enrolled)
  await page.getByRole('button', { name: 'Do not approve' }).click()
  await expect(title(page, 'Not paid')).toBeVisible()
})

test('the payment link leads back to a card page that the payer left', async ({ page, seller, gateway }) => {
  const { id, payment_url } = await seller.pay()
  await toTheCardPage(page, payment_url)
  await enterCard(page, enrolled)
  await page.getByRole('link', { name: 'Leave without an answer' }).click()
  await expect(title(page, 'One more step')).toBeVisible()
  await page.goto('about:blank')

  await page.goto(payment_url)
  await page.getByRole('link', { name: 'Continue to pay' }).click()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(title(page, 'Payment completed')).toBeVisible()
  expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
    status: 'completed',
  })
})

test('a payer who leaves the card page for EcoCash pays with the wallet alone', async ({ page, seller }) => {
  await page.goto((await seller.pay()).payment_url)
  await page.getByRole('radio', { name: 'Visa/Mastercard' }).check()
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
  await page.getByRole('button', { name: 'Choose another way to pay' }).click()
  await expect(page.getByText('The payment was cancelled.')).toBeVisible()
  await page.getByRole('radio', { name: 'EcoCash' }).check()
  await page.getByLabel('Phone number').fill('077 111 1111')
  await page.getByRole('button', { name: 'Pay USD 25.00' }).click()
  await expect(title(page, 'Payment completed')).toBeVisible()
})

test('a notification completes the payment of a payer who does not return, and the payment can be refunded', async ({
  page,
  seller,
  gateway,
}) => {
  const { id, payment_url } = await seller.pay()
  await toTheCardPage(page, payment_url)
  const { orders } = await callOk<{ orders: { id: string }[] }>(
    'GET',
    `${gateway.simulatorUrl}/control/mastercard/orders`,
  )
  await callOk('POST', `${gateway.simulatorUrl}/control/mastercard/payments/${orders.at(-1)?.id}`, {
    body: {},
  })
  const key = seller.application.applicationKey
  await expect.poll(async () => (await findPayment(gateway.url, key, id)).status).toBe('completed')
  const refund = await callOk<{ status: string }>('POST', `${gateway.url}/api/v1/refunds`, {
    bearer: key,
    body: { payment: id, amount: 10 },
  })
  expect(refund).toMatchObject({ status: 'completed' })
})
