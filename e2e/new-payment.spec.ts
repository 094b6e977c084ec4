import { createApplication } from '@muripo/rig/merchant'
import type { Locator, Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import { checkEveryWidth, checkPage } from './lib/check-page.ts'
import { button, recordCalls, title } from './lib/page.ts'
import { payFrom } from './lib/payers-page.ts'
import { newPhone } from './lib/wallet.ts'

const sheet = (page: Page) => page.getByRole('dialog', { name: 'New payment' })
const amount = (page: Page) => sheet(page).getByRole('textbox', { name: 'Amount' })
const whatFor = (page: Page) => sheet(page).getByRole('textbox', { name: 'What is it for?' })
const create = (page: Page) => button(page, 'Create payment')

/** The payer's page, by the message that the merchant would send. */
async function sharedLink(page: Page): Promise<string> {
  const href = await sheet(page).getByRole('link', { name: 'Share on WhatsApp' }).getAttribute('href')
  const message = new URL(href ?? '').searchParams.get('text') ?? ''
  const [link = ''] = /http\S+/.exec(message) ?? []
  expect(message).toBe(`Chiedza Crafts: Woven basket, USD\u00a025.00. You can pay here: ${link}`)
  return link
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 740 } })

  test('a link to share is six taps away from the dashboard, and the sheet shows when it is paid', async ({
    page,
    seller,
    openDashboard,
    wallet,
  }) => {
    expect(seller).toBeDefined()
    let taps = 0
    const tap = (target: Locator) => {
      taps += 1
      return target.tap()
    }
    await openDashboard('/app')
    await tap(button(page, 'Open menu'))
    await tap(page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Payments' }))
    await tap(button(page, 'New payment').first())
    await expect(amount(page)).toBeFocused()
    await page.keyboard.type('25')
    await expect(sheet(page)).toContainText('You keep USD 23.72 if the customer pays by mobile money')
    await checkPage(page, 'new-payment-form-phone')
    await tap(whatFor(page))
    await page.keyboard.type('Woven basket')
    await tap(create(page))
    const link = sheet(page).getByRole('link', { name: 'Share on WhatsApp' })
    await expect(link).toBeVisible()
    taps += 1
    expect(taps).toBeLessThanOrEqual(6)

    await expect(sheet(page).getByRole('img', { name: 'QR code of the payment link' })).toBeVisible()
    await expect(sheet(page)).toContainText('Waiting')
    await expect(sheet(page).getByRole('link', { name: 'Show on this phone' })).toBeVisible()
    await checkPage(page, 'new-payment-waiting-phone')
    const phone = newPhone()
    await payFrom(phone, { payment_url: await sharedLink(page) })
    await expect(sheet(page)).toContainText('The customer chose EcoCash.')
    await wallet.enterPin(phone)
    await expect(sheet(page).getByText('Paid, USD 25.00 by EcoCash')).toBeAttached()
    await expect(sheet(page)).toContainText('You keepUSD 23.72')
    await expect(sheet(page)).toContainText(`by EcoCash, 077 *** ${phone.slice(-4)}`)
    await checkPage(page, 'new-payment-paid-phone')
    await sheet(page).getByRole('button', { name: 'New payment' }).tap()
    await expect(amount(page)).toHaveValue('')
  })
})

test('the keys Alt and N open the sheet, which keeps what was typed and names each wrong field beside it', async ({
  page,
  merchant,
  seller,
  gateway,
  openDashboard,
  consoleErrors,
}) => {
  expect(seller).toBeDefined()
  const counter = await createApplication(gateway.url, merchant.tokens, { applicationName: 'Shop counter' })
  await openDashboard('/app/applications')
  const search = page.getByRole('searchbox')
  await search.press('n')
  await expect(search).toHaveValue('n')
  await expect(page).toHaveURL('/app/applications?search=n')
  await search.blur()
  await page.keyboard.press('n')
  await expect(page).toHaveURL('/app/applications?search=n')
  await page.keyboard.press('Control+k')
  await expect(search).toBeFocused()
  await search.blur()
  await page.keyboard.press('Alt+n')
  await expect(page).toHaveURL('/app/payments?new=1')
  await expect(amount(page)).toBeFocused()
  await create(page).click()
  await expect(amount(page)).toHaveAccessibleDescription(/Enter an amount like 12.50/)
  await expect(amount(page)).toBeFocused()
  await amount(page).fill('25')
  await sheet(page).getByRole('textbox', { name: /phone/ }).fill('077')
  await create(page).click()
  await expect(whatFor(page)).toHaveAccessibleDescription(/Say what the payment is for/)
  await expect(whatFor(page)).toBeFocused()
  await checkEveryWidth(page, 'new-payment-errors')

  await page.keyboard.press('Escape')
  await expect(sheet(page)).toBeHidden()
  await expect(page).toHaveURL('/app/payments')
  await button(page, 'New payment').first().click()
  await expect(amount(page)).toHaveValue('25')
  // The server knows better than the form which numbers exist.
  await sheet(page).getByRole('textbox', { name: /phone/ }).fill('077 12 12 12')
  await whatFor(page).fill('Woven basket')
  await sheet(page).getByLabel('Application').selectOption(counter.applicationName)
  await create(page).click()
  await expect(sheet(page).getByRole('textbox', { name: /phone/ })).toHaveAccessibleDescription(
    /Must be a phone number/,
  )
  await consoleErrors.expect(statusError(422))
  await sheet(page).getByRole('textbox', { name: /phone/ }).fill('')
  await create(page).click()
  await expect(button(page, 'Copy link')).toBeVisible()
  await button(page, 'Done').click()
  await expect(sheet(page)).toBeHidden()
  await expect(page.getByText('USD25.00 - Woven basket')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/app/applications?search=n')
})

test('a repeated request creates one payment, also after a lost answer', async ({
  page,
  seller,
  openDashboard,
  consoleErrors,
}) => {
  expect(seller).toBeDefined()
  await openDashboard('/app/payments?new=1')
  await amount(page).fill('25')
  await whatFor(page).fill('Woven basket')
  const calls = recordCalls(page)
  await page.route('**/v1/payments/create', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await create(page).dblclick()
  await expect(sheet(page).getByRole('alert')).toBeVisible()
  // The second press may still be answered.
  await page.unrouteAll({ behavior: 'wait' })
  await consoleErrors.expect(/ERR_FAILED/)
  await create(page).click()
  await expect(button(page, 'Copy link')).toBeVisible()
  expect(calls.count('POST /v1/payments/create')).toBeGreaterThan(1)
  await button(page, 'Done').click()
  await expect(page.getByText('Showing 1 of 1 payment transactions')).toBeVisible()
})

test('without an application the sheet leads to the dialog that creates one', async ({
  page,
  merchant,
  openDashboard,
}) => {
  expect(merchant).toBeDefined()
  await openDashboard('/app/payments')
  await expect(page.getByText('No payments yet.')).toBeVisible()
  await button(page, 'New payment').first().click()
  await expect(sheet(page)).toContainText('Create an application first')
  await checkPage(page, 'new-payment-no-application')
  await sheet(page).getByRole('link', { name: 'Create an application' }).click()
  await expect(page.getByRole('dialog', { name: 'Create New Application' })).toBeVisible()
  await expect(title(page, 'Applications')).toBeAttached()
})
