import { uuidOf } from '@muripo/testing/typed-ids'
import type { Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import { checkPage, checkTranslation, checkWidths } from './lib/check-page.ts'
import { query } from './lib/database.ts'
import { button, holdRequests } from './lib/page.ts'
import { payFrom } from './lib/payers-page.ts'
import { newPhone } from './lib/wallet.ts'

test.use({ viewport: { width: 320, height: 640 } })

/** The person of the merchant's session works as a cashier from now on. */
test.beforeEach(async ({ gateway, seller }) => {
  await query(
    gateway.dataDir,
    `update memberships set role = 'cashier', applications = array[$1::uuid]
     where merchant_id = (select account_id from applications where id = $1)`,
    [uuidOf(seller.application._id)],
  )
})

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

async function tapKeys(page: Page, keys: string): Promise<void> {
  for (const key of keys)
    await page.getByRole('button', { name: key === '.' ? 'Point' : key, exact: true }).tap()
}

async function enterAmount(page: Page, keys: string): Promise<void> {
  await tapKeys(page, keys)
  await button(page, 'Next').tap()
}

/** One thumb reaches everything: nothing scrolls, and everything to press is large. */
async function expectWithinThumb(page: Page): Promise<void> {
  const [height, low, small] = await page.evaluate(() => {
    const buttons = [...document.querySelectorAll('main button, main a')].filter((each) =>
      each.checkVisibility(),
    )
    const heights = buttons.map((each) => each.getBoundingClientRect().height)
    return [document.documentElement.scrollHeight, window.innerHeight, Math.min(...heights)]
  })
  expect(height).toBeLessThanOrEqual(low)
  expect(small).toBeGreaterThanOrEqual(44)
}

test('a cashier charges a number on a small phone, and sees it paid, declined and asked again', async ({
  page,
  openDashboard,
  wallet,
  consoleErrors,
}) => {
  // The dashboard asks for its figures before it knows the role.
  consoleErrors.ignore(statusError(403))
  const release = await holdRequests(page, '**/v1/till')
  await openDashboard('/app')
  await expect(page).toHaveURL('/app/till')
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  await expectWithinThumb(page)
  await release()
  await expect(button(page, 'Next')).toBeVisible()
  await expectWithinThumb(page)
  await checkPage(page, 'till-amount')
  await enterAmount(page, '25.5')

  const phone = newPhone()
  await tapKeys(page, phone.slice(0, 3))
  await expect(page.getByText('EcoCash')).toBeVisible()
  await tapKeys(page, phone.slice(3))
  await expectWithinThumb(page)
  await checkPage(page, 'till-number')
  await button(page, 'Ask for USD 25.50').tap()
  await expect(
    page.getByText(`Asked ${phone.slice(0, 3)} ${phone.slice(3, 6)} ${phone.slice(6)}`),
  ).toBeVisible()
  await expect(page.getByText('Nothing on the phone? Dial *151*2*4#')).toBeVisible()
  await expectWithinThumb(page)
  await checkPage(page, 'till-waiting')
  await wallet.enterPin(phone)
  await expect(page.getByRole('heading', { name: 'Paid' })).toBeAttached()
  await expect(page.getByRole('main')).toContainText(`EcoCash, *** ${phone.slice(-4)}`)
  await expectWithinThumb(page)
  await checkPage(page, 'till-paid')

  await button(page, 'Next customer').tap()
  await enterAmount(page, '8')
  const other = newPhone()
  await tapKeys(page, other)
  await button(page, 'Ask for USD 8.00').tap()
  await wallet.decline(other)
  await expect(page.getByRole('heading', { name: 'Declined' })).toBeAttached()
  await expectWithinThumb(page)
  await checkPage(page, 'till-declined')
  await link(page, 'Ask again').tap()
  await button(page, 'Ask for USD 8.00').tap()
  await wallet.enterPin(other)
  await expect(page.getByRole('heading', { name: 'Paid' })).toBeAttached()

  await link(page, 'Today').tap()
  await expect(page).toHaveURL('/app/till/today')
  await expect(page.getByText('2 paid, 0 waiting')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: '33.50' })).toBeVisible()
  await checkPage(page, 'till-today')
  await page.getByRole('searchbox').fill(phone.slice(-4))
  await expect(page.getByRole('link', { name: '25.50' })).toBeVisible()
  await expect(page.getByRole('link', { name: '8.00' })).toHaveCount(0)
  await page.getByRole('searchbox').fill('9999')
  await expect(page.getByText('No payment of today has this amount or these digits')).toBeVisible()
})

test('a customer pays by the QR, and a wrong number is named beside it', async ({
  page,
  openDashboard,
  wallet,
  consoleErrors,
}) => {
  await openDashboard('/app/till')
  await button(page, 'Add what it is for').tap()
  await page.getByRole('textbox', { name: 'What is it for?' }).fill('Two loaves')
  await button(page, 'Save').tap()
  await enterAmount(page, '3')
  await tapKeys(page, '0731234567')
  await expect(page.getByText('No wallet')).toBeVisible()
  await button(page, 'Ask for USD 3.00').tap()
  await expect(page.getByRole('alert')).toHaveText('No wallet is known for this number. Show a QR instead')
  await consoleErrors.expect(statusError(422))
  await checkPage(page, 'till-refused')

  const created = page.waitForResponse(/payments\/create/)
  await button(page, 'Show a QR instead').tap()
  const { paymentUrl, purposeDescription } = await (await created).json()
  expect(purposeDescription).toBe('Two loaves')
  await expect(page.getByRole('img', { name: 'QR code of the payment page' })).toBeVisible()
  await expectWithinThumb(page)
  await checkPage(page, 'till-qr')
  const phone = newPhone()
  await payFrom(phone, { payment_url: paymentUrl })
  await expect(page.getByText(`Asked 077 *** ${phone.slice(-4)}`)).toBeVisible()
  await wallet.enterPin(phone)
  await expect(page.getByRole('heading', { name: 'Paid' })).toBeAttached()
})

test('a request whose answer was lost is repeated, and its customer is asked once', async ({
  page,
  openDashboard,
  wallet,
  consoleErrors,
}) => {
  consoleErrors.ignore(/ERR_FAILED/)
  await openDashboard('/app/till')
  await enterAmount(page, '4')
  const phone = newPhone()
  await tapKeys(page, phone)
  let lost = 0
  await page.route('**/v1/till/charge', async (route) => {
    await route.fetch()
    lost += 1
    await (lost < 3 ? route.abort() : route.continue())
  })
  await button(page, 'Ask for USD 4.00').tap()
  await expect(page.getByText(/^Asked /)).toBeVisible()
  expect(lost).toBe(3)
  expect(await wallet.transactions(phone)).toHaveLength(1)
  await button(page, 'Cancel').tap()
  await expect(
    page.getByText('Cancelled. If the customer still enters the PIN, the payment counts.'),
  ).toBeVisible()
  await checkPage(page, 'till-cancelled')
  await wallet.decline(phone)
  await expect(page.getByRole('heading', { name: 'Cancelled' })).toBeAttached()
})

test('the till in a wide window has the day beside it, and takes a keyboard', async ({
  page,
  openDashboard,
  wallet,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openDashboard('/app/till')
  await expect(page.getByText('No payments yet today')).toBeVisible()
  await page.keyboard.type('12.50')
  await page.keyboard.press('Enter')
  await expect(button(page, 'Ask for USD 12.50')).toBeVisible()
  const phone = newPhone()
  await page.keyboard.type(phone)
  await checkWidths(page, 'till-wide-number')
  await page.keyboard.press('Enter')
  await wallet.enterPin(phone)
  await expect(page.getByRole('heading', { name: 'Paid' })).toBeAttached()
  await expect(page.getByText('1 paid, 0 waiting')).toBeVisible()
  await checkWidths(page, 'till-wide-paid')
})

test('everything is within reach of a thumb in chiShona too', async ({
  page,
  gateway,
  seller,
  openDashboard,
}) => {
  await query(
    gateway.dataDir,
    `update persons set locale = 'sn' where id in (select person_id from memberships
     where merchant_id = (select account_id from applications where id = $1))`,
    [uuidOf(seller.application._id)],
  )
  await openDashboard('/app/till')
  const next = button(page, 'Pfuurirai')
  await expect(next).toBeVisible()
  await expectWithinThumb(page)
  await page.keyboard.type('1234.56')
  await next.tap()
  const ask = button(page, 'Kumbirai USD 1,234.56')
  await expect(ask).toBeVisible()
  await page.keyboard.type(newPhone())
  await expectWithinThumb(page)
  await checkTranslation(page, 'till-number-sn')
  await ask.tap()
  await expect(page.getByText(/^Takumbira /)).toBeVisible()
  await expectWithinThumb(page)
  await checkTranslation(page, 'till-waiting-sn')
})
