import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { checkPage } from './lib/check-page.ts'
import { button, title } from './lib/page.ts'
import { screens } from './lib/site.ts'

test.use({ reducedMotion: 'no-preference' })

const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' })
const slideIn = (page: Page) => page.getByRole('dialog', { name: 'Menu' })
const confirmation = (page: Page) => page.getByRole('dialog', { name: 'Sign Out' })
const opener = (page: Page) => button(page, 'Open menu')
const currentEntry = (page: Page) => menuOf(page).locator('[aria-current="page"]')
const entries = ['Dashboard', 'Payments', 'Applications', 'Reconciliations', 'Settings', 'Sign Out']
const pages = {
  Dashboard: '/app',
  Payments: '/app/payments',
  Applications: '/app/applications',
  Reconciliations: '/app/reconciliations',
  Settings: '/app/settings',
}
const scrolled = (page: Page) => page.evaluate(() => window.scrollY)

for (const { name, viewport } of screens) {
  const onPhone = name === 'phone'

  test.describe(name, () => {
    test.use({ viewport })

    test('[SHELL-01] [SHELL-03] [SHELL-04] [SHELL-05] [SHELL-06] [SHELL-07] [SHELL-08] [SHELL-09] [SHELL-10] [SHELL-11] [SHELL-13] [R-06] the menu leads to every page and marks the current one', async ({
      page,
      merchant: { account },
      seller: { application },
      openDashboard,
    }) => {
      await openDashboard()
      await expect(title(page, 'Dashboard')).toBeVisible()
      await expect(slideIn(page)).toBeHidden()
      await expect(menuOf(page)).toBeVisible({ visible: !onPhone })
      await expect(opener(page)).toBeVisible({ visible: onPhone })
      await expect(page.getByRole('region', { name: 'Test mode' })).toContainText('No real money moves.')
      await expect(page.getByRole('img', { name: 'Tariro Moyo' })).toBeVisible({ visible: onPhone })
      const open = async () => {
        if (onPhone) await opener(page).click()
      }
      await open()
      await expect(menuOf(page).locator('a, button')).toHaveText(entries)
      const frame = onPhone ? slideIn(page) : page.getByRole('complementary')
      await expect(frame).toContainText('Tariro MoyoTest mode')
      await expect(frame.getByTitle(`Signed in as Tariro Moyo, ${account.email}`)).toHaveText(
        'Tariro MoyoOwner',
      )
      if (onPhone) await checkPage(page, 'menu-phone')
      for (const [entry, path] of Object.entries(pages)) {
        await menuOf(page).getByRole('link', { name: entry }).click()
        await expect(page).toHaveURL(path)
        await expect(title(page, entry)).toBeVisible()
        await expect(slideIn(page)).toBeHidden()
        await open()
        await expect(currentEntry(page)).toHaveText([entry])
      }
      await page.goto(`/app/applications/manage/${application._id}`)
      await open()
      await expect(currentEntry(page)).toHaveText(['Applications'])
      await page.goto('/app/invoices')
      await open()
      await expect(currentEntry(page)).toHaveCount(0)
    })
  })
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 } })

  test('[SHELL-14] [SHELL-15] [SHELL-16] [R-27] the logo and the button lead to the top, and the chat opens', async ({
    page,
    openDashboard,
  }) => {
    await page.setViewportSize({ width: 375, height: 420 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await openDashboard()
    await expect(page.getByText('No recent transactions found')).toBeVisible()
    const toTop = button(page, 'Scroll to top')
    await expect(toTop).toBeHidden()
    for (const way of [
      toTop,
      page.getByRole('link', { name: 'Muripo dashboard' }).filter({ visible: true }),
    ]) {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      expect(await scrolled(page)).toBeGreaterThan(200)
      await way.click()
      await expect.poll(() => scrolled(page)).toBe(0)
      await expect(page).toHaveURL('/app')
    }
    await button(page, 'Open support chat').click()
    await expect(page.getByRole('region', { name: 'Support chat' })).toBeVisible()
    await checkPage(page, 'dashboard-chat')
  })

  test('[SHELL-12] [SHELL-17] [R-10] signing out needs a confirmation, also without a network; a failure is shown at top centre', async ({
    page,
    context,
    openDashboard,
    consoleErrors,
  }) => {
    await openDashboard()
    await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible()
    await context.setOffline(true)
    await button(page, 'Refresh').click()
    const box = await page.locator('.toast').first().boundingBox()
    expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - 375 / 2)).toBeLessThan(9)
    expect(box?.y).toBeLessThan(60)

    await opener(page).click()
    const signOut = menuOf(page).getByRole('button', { name: 'Sign Out' })
    await signOut.focus()
    await page.keyboard.press('Enter')
    await expect(confirmation(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(confirmation(page)).toBeHidden()
    await expect(signOut).toBeFocused()
    await page.keyboard.press('Enter')
    await checkPage(page, 'dashboard-sign-out')
    await confirmation(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(signOut).toBeFocused()
    await page.keyboard.press('Enter')
    await confirmation(page).getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL('/')
    await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
  })
})

test.describe('the slide-in menu', () => {
  test.use({ viewport: { width: 375, height: 812 } })

  test('[SHELL-05] keeps the focus, returns it, and closes with the page', async ({
    page,
    openDashboard,
  }) => {
    await openDashboard('/app/settings')
    await opener(page).focus()
    await page.keyboard.press('Enter')
    await expect(slideIn(page).getByRole('heading', { name: 'Menu' })).toBeFocused()
    const focusIsInside = () =>
      slideIn(page).evaluate(
        (dialog) => dialog.contains(document.activeElement) && document.activeElement !== null,
      )
    for (const key of Array(9).fill('Tab')) {
      await page.keyboard.press(key)
      expect(await focusIsInside()).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expect(slideIn(page)).toBeHidden()
    await expect(opener(page)).toBeFocused()

    await opener(page).click()
    await slideIn(page).getByRole('link', { name: 'Reconciliations' }).click()
    await expect(slideIn(page)).toBeHidden()
    await expect(page.getByRole('main', { name: 'Reconciliations' })).toBeFocused()
    await opener(page).click()
    await expect(slideIn(page)).toBeVisible()
    await page.goBack()
    await expect(title(page, 'Settings')).toBeVisible()
    await expect(slideIn(page)).toBeHidden()
    await opener(page).click()
    await button(page, 'Close menu').click()
    await expect(slideIn(page)).toBeHidden()
    await expect(opener(page)).toBeFocused()
  })
})

test('a link of the menu moves the focus to the page that it opens, and a change in the page does not', async ({
  page,
  openDashboard,
}) => {
  await openDashboard('/app/settings')
  await page.getByRole('navigation').getByRole('link', { name: 'Payments' }).press('Enter')
  await expect(page.getByRole('main', { name: 'Payments' })).toBeFocused()
  const search = page.getByRole('searchbox')
  await search.fill('txn')
  await expect(page).toHaveURL(/search=txn/)
  await expect(search).toBeFocused()
})

test('the keyboard skips the menu', async ({ page, openDashboard }) => {
  await openDashboard('/app/settings')
  await expect(title(page, 'Settings')).toBeVisible()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})
