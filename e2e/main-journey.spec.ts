import { createPayment, findPayment, mailedCode, newEmail, password } from '@muripo/rig/merchant'
import type { Browser, Page } from '@playwright/test'
import { expect, type Gateway, test } from './fixtures.ts'
import { enterCode } from './lib/auth.ts'
import { checkLayout } from './lib/check-page.ts'
import { balancesOf, transfersOf } from './lib/database.ts'
import { expectToast } from './lib/page.ts'
import { pdf } from './lib/pdf.ts'
import { newPhone } from './lib/wallet.ts'

const width = 375
test.use({
  permissions: ['clipboard-read', 'clipboard-write'],
  reducedMotion: 'no-preference',
  viewport: { width, height: 900 },
})

const title = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

test('[SHELL-02] [SIGNUP-22] [SIGNUP-24] [SIGNIN-11] [OTP-12] [CREATE-24] [DETAIL-06] [DETAIL-07] [DETAIL-08] [ERR-39] a merchant signs up, takes a payment, sees it and refunds it', async ({
  page,
  browser,
  gateway,
  merchantSite,
}) => {
  const picture = (name: string) => checkLayout(page, `journey-${name}`)
  const journey = { page, gateway, picture, email: newEmail() }
  await test.step('signs up with a document', () => signUp(journey))
  await test.step('signs in with the mailed code', () => signIn(journey))
  const key = await test.step('creates an application and copies its key', () => makeApplication(journey))
  const payment = await createPayment(gateway.url, key, { success_url: `${merchantSite.url}/thanks` })
  expect(payment.status).toBe('pending')
  await test.step('the payer pays and approves, both without script', async () => {
    await payWithoutScript({
      browser,
      gateway,
      phone: newPhone(),
      paymentUrl: payment.payment_url,
    })
    expect(merchantSite.visits).toEqual([`/thanks?payment_id=${payment.id}&status=completed`])
  })
  await test.step('sees it completed', () => seeItCompleted(journey, payment.id))
  await test.step('refunds it', () => refundIt(journey, payment.id))
  await test.step('the ledger sums to zero', () => sumTheLedger(journey, key, payment.id))
})

interface Journey {
  readonly page: Page
  readonly gateway: Gateway
  readonly email: string
  readonly picture: (name: string) => Promise<unknown>
}

async function signUp({ page, email, picture }: Journey): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: "Start Now - It's Free" }).click()
  await page.getByLabel('Full name').fill('Chiedza Ncube')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Phone number').fill('077 123 4567')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page
    .getByRole('combobox', { name: 'Identification document type' })
    .selectOption('Certificate of Incorporation')
  await page.locator('input[type=file]').setInputFiles(pdf)
  await picture('sign-up')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expectToast(page, 'Account created successfully!')
  await expect(page.getByRole('dialog')).toContainText('Account Created Successfully!')
  await page.getByRole('link', { name: 'Sign In Now' }).click()
}

async function signIn({ page, gateway, email }: Journey): Promise<void> {
  await expect(title(page, 'Sign in')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL(/\/auth\/verify-otp\/otp_/)
  await expectToast(page, 'Successfully signed in! Please check your email for OTP.')
  const code = await mailedCode(gateway.url, email)
  await enterCode(page, code)
  await expectToast(page, 'OTP verified successfully! Welcome back.')
  await expect(page).toHaveURL(/\/app$/)
  await expect(title(page, 'Dashboard')).toBeVisible()
  await expect(page.getByText('No recent transactions found')).toBeVisible()
}

/** @returns the application's key */
async function makeApplication({ page, picture }: Journey): Promise<string> {
  await openPage(page, 'Applications')
  await page.getByRole('button', { name: 'Create New Application' }).click()
  await page.getByLabel('Application Name').fill('Chiedza Crafts')
  await page.getByLabel('Description').fill('Baskets, woven by hand')
  await page.getByRole('combobox', { name: 'Category' }).fill('Retail')
  await page.getByRole('option', { name: 'Retail' }).click()
  await page.getByRole('button', { name: 'Create Application', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Application Created Successfully!' })
  await expect(dialog).toContainText('Your application has been created and is now ready for use.')
  const shown = (await dialog.getByText(/^mk_test_/).textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(dialog.getByRole('button', { name: 'Copied!' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown)
  await picture('application-created')
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(page.getByText('Showing 1 of 1 applications')).toBeVisible()
  return shown
}

async function seeItCompleted({ page, gateway, picture }: Journey, id: string): Promise<void> {
  await openPage(page, 'Payments')
  await expect(page.getByText('Showing 1 of 1 payment transactions')).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: id })
  await expect(row).toContainText('COMPLETED')
  await expect(row).toContainText('USD25.00 - Woven basket via ecocash')
  await picture('payments')
  await openPage(page, 'Dashboard')
  await expect(figure(page, 'Total Revenue Today')).toHaveText('$25.00')
  await expect(figure(page, 'Revenue Last 7 Days')).toHaveText('$25.00')
  await expect(figure(page, 'Total Completed Payments')).toHaveText('1')
  await expect(figure(page, 'Applications')).toHaveText('1')
  await expect(page.getByRole('listitem').filter({ hasText: 'USD25.00' })).toContainText('COMPLETED')
  await picture('overview')
  expect(await balancesOf(gateway.dataDir, id)).toEqual([
    { code: 'clearing.ecocash', minor: 2500 },
    // 3.5 % of $25.00, rounded half to even, and $0.40.
    { code: 'fee.revenue', minor: -128 },
    { code: 'merchant.payable', minor: -2372 },
  ])
}

async function refundIt({ page, picture }: Journey, id: string): Promise<void> {
  await page.getByRole('link', { name: 'View all transactions' }).click()
  await page.getByRole('button', { name: 'View Details' }).click()
  const details = page.getByRole('dialog', { name: 'Payment Details' })
  await details.getByRole('button', { name: 'Refund Payment' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Confirm Refund' })
  await expect(confirmation).toContainText('Are you sure?')
  await expect(confirmation).toContainText(
    `This will refund USD25.00 for payment ${id}. This action cannot be undone.`,
  )
  await picture('confirm-refund')
  await confirmation.getByRole('button', { name: 'Yes, Refund Payment' }).click()
  const done = `Payment ${id} has been successfully refunded.`
  await expect(details.getByText(done)).toBeVisible()
  await expectToast(page, done)
  await expect(details.getByText('REFUNDED', { exact: true })).toBeVisible()
  await expect(details.getByRole('button', { name: 'Refund Payment' })).toBeHidden()
  await picture('refunded')
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await expect(page.getByRole('row').filter({ hasText: id })).toContainText('REFUNDED')
}

async function sumTheLedger({ gateway }: Journey, key: string, id: string): Promise<void> {
  expect(await findPayment(gateway.url, key, id)).toMatchObject({ status: 'refunded' })
  const transfers = await transfersOf(gateway.dataDir, id)
  expect(transfers.map(({ kind, minor }) => [kind, minor])).toEqual([
    ['capture', 2500],
    ['fee', 128],
    ['refund_reserve', 2500],
    ['refund_paid', 2500],
  ])
  // The merchant owes the fee, which is not refunded.
  expect(await balancesOf(gateway.dataDir, id)).toEqual([
    { code: 'clearing.ecocash', minor: 0 },
    { code: 'fee.revenue', minor: -128 },
    { code: 'merchant.payable', minor: 128 },
    { code: 'refunds.payable', minor: 0 },
  ])
}

/** Opens a page through the menu, which is closed on a small screen. */
async function openPage(page: Page, name: string): Promise<void> {
  const opener = page.getByRole('button', { name: 'Open menu' })
  if (await opener.isVisible()) await opener.click()
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name }).click()
  await expect(title(page, name)).toBeVisible()
}

const figure = (page: Page, label: string) =>
  page.getByRole('heading', { name: label, exact: true }).locator('xpath=following-sibling::p[1]')

interface Payer {
  readonly browser: Browser
  readonly gateway: Gateway
  readonly phone: string
  readonly paymentUrl: string
}

async function payWithoutScript({ browser, gateway, phone, paymentUrl }: Payer): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width, height: 800 } })
  const checkout = await context.newPage()
  await checkout.goto(paymentUrl)
  await checkLayout(checkout, `journey-checkout`)
  await checkout.getByLabel('Phone number').fill(phone)
  await checkout.getByRole('button', { name: 'Pay USD 25.00' }).click()
  await expect(title(checkout, 'Confirm on your phone')).toBeVisible()

  const handset = await context.newPage()
  await handset.goto(`${gateway.url}/dev/phone?number=${phone}`)
  await expect(handset.getByText('Pay USD 25.00 to Chiedza Crafts?')).toBeVisible()
  await checkLayout(handset, `journey-handset`)
  await handset.getByLabel('PIN', { exact: true }).fill('1234')
  await handset.getByRole('button', { name: 'Approve' }).click()
  await expect(handset.getByText('You paid USD 25.00 to Chiedza Crafts.')).toBeVisible()

  await expect(title(checkout, 'Payment completed')).toBeVisible()
  await expect(title(checkout, 'Back at the shop')).toBeVisible()
  await context.close()
}
