import { codesIn } from '@muripo/rig/mailbox'
import type { Page } from '@playwright/test'
import { expect, storeTokens, test } from './fixtures.ts'
import { codeAfter, enterCode, passwordStep } from './lib/auth.ts'
import { checkPage } from './lib/check-page.ts'
import { expectToast, title } from './lib/page.ts'

const menu = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).first()

/** Responds like an updated server, which has no files of the page's build. */
async function removeBuild(page: Page, file: RegExp): Promise<void> {
  await page.route(/\/assets\/manifest-/, (route) =>
    route.request().method() === 'HEAD' ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await page.route(file, (route) => route.fulfill({ status: 404 }))
}

test.describe('after an update of the server', () => {
  test('the next page is loaded as a document, without a network error', async ({
    page,
    openDashboard,
    consoleErrors,
  }) => {
    await openDashboard()
    await expect(title(page, 'Dashboard')).toBeVisible()
    await removeBuild(page, /\/assets\/applications-/)
    const checked = page.waitForResponse(/\/assets\/manifest-/)
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await checked
    await page.unroute(/\/assets\/applications-/)
    await page.evaluate(() => Object.assign(window, { old: true }))
    await menu(page, 'Applications').click()
    await expect(title(page, 'Applications')).toBeVisible()
    expect(await page.evaluate(() => 'old' in window)).toBe(false)
    await expect(page.getByText('Network error')).toHaveCount(0)
    await consoleErrors.expect(/status of 404/)
  })

  test('opening a part of the page reloads the page once', async ({ page, openDashboard, consoleErrors }) => {
    await openDashboard('/app/payments')
    await expect(title(page, 'Payments')).toBeVisible()
    await removeBuild(page, /\/assets\/filter-fields-/)
    const loaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Show Filters' }).click()
    await loaded
    // The files of the build are still missing, and the page does not reload again.
    await page.evaluate(() => Object.assign(window, { second: true }))
    await page.getByRole('button', { name: 'Show Filters' }).click()
    await expectToast(page, 'Network error. Please check your connection and try again.')
    expect(await page.evaluate(() => 'second' in window)).toBe(true)
    await consoleErrors.expect(/status of 404/)
    await consoleErrors.expect(/code was not loaded/)
  })
})

test('offline the pages that were opened before are shown, and other pages are not', async ({
  page,
  context,
  merchant: { tokens },
  consoleErrors,
}) => {
  consoleErrors.ignore(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  await storeTokens(page, tokens)
  await page.goto('/app/applications')
  await expect(title(page, 'Applications')).toBeVisible()
  await menu(page, 'Dashboard').click()
  await expect(title(page, 'First steps')).toBeVisible()
  await context.setOffline(true)
  await menu(page, 'Settings').click()
  await expectToast(page, 'You are offline. This page opens once the network is back.')
  await expect(page.getByText('You are offline. The loaded data stays here')).toBeVisible()
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await checkPage(page, `offline-${width}`)
  }
  await expect(title(page, 'Dashboard')).toBeVisible()
  await menu(page, 'Applications').click()
  await expect(title(page, 'Applications')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('The loaded data stays here')).toBeHidden()
  await menu(page, 'Settings').click()
  await expect(title(page, 'Settings')).toBeVisible()
})

test('a sign-in leads to the page that the guest requested, until the user signs out', async ({
  page,
  gateway,
  merchant: { account },
}) => {
  const address = '/app/payments?status=FAILED'
  const enter = async () => {
    const earlier = codesIn(await gateway.mailbox(account.email)).length
    await passwordStep(page, account)
    await enterCode(page, await codeAfter(gateway, account.email, earlier))
  }
  await page.goto(address)
  await expect(page).toHaveURL('/')
  await enter()
  await expect(page).toHaveURL(address)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/')
  await enter()
  await expect(page).toHaveURL('/app')
})
