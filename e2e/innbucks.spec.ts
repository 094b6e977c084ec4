import { callOk } from '@muripo/rig/call'
import { findPayment } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { checkCopy } from './lib/check-page.ts'
import { lookUpNow } from './lib/database.ts'
import { title } from './lib/page.ts'

test.use({ javaScriptEnabled: false, viewport: { width: 375, height: 720 } })

const choose = { method: 'InnBucks', button: 'Pay USD 25.00' } as const

const codeOn = async (page: Page): Promise<string> => (await page.getByText(/^\d{9}$/).textContent()) ?? ''

/** The simulator's time is ten times faster, so a code of ten minutes would expire while a busy machine checks its page. */
test.beforeEach(({ gateway }) =>
  callOk('POST', `${gateway.simulatorUrl}/control/innbucks/next`, {
    body: { times: 2, behaviour: { lifeMs: 6_000_000 } },
  }),
)
test.afterEach(({ gateway }) => callOk('DELETE', `${gateway.simulatorUrl}/control/innbucks/next`))

test('a payer chooses InnBucks, sees a code and its QR code, and pays it in the app', async ({
  browser,
  page,
  seller,
  gateway,
}) => {
  const { id, payment_url } = await seller.pay()
  await page.goto(payment_url)
  await page.getByRole('radio', { name: choose.method }).check()
  await page.getByRole('button', { name: choose.button }).click()
  await expect(title(page, 'Pay in the InnBucks app')).toBeVisible()
  await expect(page.getByRole('img', { name: 'QR code for the InnBucks app' })).toBeVisible()
  await expect(page.getByText(/^Valid until \d\d:\d\d/)).toBeVisible()
  await checkCopy(browser, page, 'checkout-innbucks-code')
  const code = await codeOn(page)
  expect(await page.locator('a[href^="com.innbucks"], a[href^="schinn"]').count()).toBe(2)

  const app = await page.context().newPage()
  await app.goto(`${gateway.url}/dev/codes`)
  await app.getByLabel('Code', { exact: true }).fill(code)
  await app.getByRole('button', { name: 'Pay by code' }).click()
  await expect(app.getByText('Pay USD 25.00')).toBeVisible()
  await checkCopy(browser, app, 'simulator-innbucks-code')
  await app.getByRole('button', { name: 'Approve' }).click()
  await expect(app.getByText('You paid this code')).toBeVisible()

  // InnBucks sends no callback.
  await lookUpNow(gateway.dataDir, id)
  await expect(title(page, 'Payment completed')).toBeVisible({ timeout: 60_000 })
  expect(await findPayment(gateway.url, seller.application.applicationKey, id)).toMatchObject({
    status: 'completed',
    method: 'innbucks',
  })
})

test('a declined code is reported, and another code pays', async ({ page, seller, gateway }) => {
  const { id, payment_url } = await seller.pay()
  const request = async () => {
    await page.getByRole('radio', { name: choose.method }).check()
    await page.getByRole('button', { name: choose.button }).click()
    await expect(title(page, 'Pay in the InnBucks app')).toBeVisible()
    return codeOn(page)
  }
  const answer = async (code: string, word: 'approve' | 'decline') => {
    await callOk('POST', `${gateway.simulatorUrl}/innbucks/app?code=${code}`, { body: { answer: word } })
    await lookUpNow(gateway.dataDir, id)
  }

  await page.goto(payment_url)
  const first = await request()
  await answer(first, 'decline')
  await expect(title(page, 'Not paid')).toBeVisible({ timeout: 60_000 })
  const second = await request()
  expect(second).not.toBe(first)
  await answer(second, 'approve')
  await expect(title(page, 'Payment completed')).toBeVisible({ timeout: 60_000 })
})
