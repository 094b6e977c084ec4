import type { Page } from '@playwright/test'
import { expect, storeTokens, test } from './fixtures.ts'
import { checkPage, checkWidths } from './lib/check-page.ts'
import { screens, waitForScripts } from './lib/site.ts'

test.use({ reducedMotion: 'no-preference' })

const transparent = 'rgba(0, 0, 0, 0)'
const ink = 'rgb(11, 19, 36)'
const bar = (page: Page) => page.getByRole('banner')
const burger = (page: Page) => page.getByRole('button', { name: /(Open|Close) menu/ })
const scrollTo = (page: Page, top: number) => page.evaluate((y) => window.scrollTo(0, y), top)

for (const { name, viewport } of screens) {
  test.describe(name, () => {
    test.use({ viewport })
    const openMenu = async (page: Page) => {
      await waitForScripts(page)
      if (name === 'phone') await burger(page).click()
    }

    test('[NAV-01] [NAV-02] [NAV-03] [GUARD-02] [GUARD-03] a guest sees the pages, Sign In and Get Started', async ({
      page,
    }) => {
      await page.goto('/')
      await openMenu(page)
      const nav = bar(page).getByRole('navigation', { name: 'Main' })
      await expect(nav.getByRole('link')).toHaveText(['Home', 'API Documentation', 'Pricing and Charges'])
      await expect(bar(page).getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth/signin')
      await expect(bar(page).getByRole('link', { name: 'Get Started' })).toHaveAttribute(
        'href',
        '/auth/signup',
      )
      await expect(bar(page).getByText('Dashboard')).toHaveCount(0)
      for (const [label, path] of [
        ['API Documentation', '/documentation'],
        ['Pricing and Charges', '/pricing'],
        ['Home', '/'],
      ] as const) {
        await nav.getByRole('link', { name: label }).click()
        await expect(page).toHaveURL(path)
        if (name === 'phone') await burger(page).click()
        await expect(nav.getByRole('link', { name: label })).toHaveAttribute('aria-current', 'page')
      }
    })

    test('[NAV-04] signed-in users see Dashboard and Sign Out', async ({ page, merchant }) => {
      await storeTokens(page, merchant.tokens)
      await page.goto('/')
      await openMenu(page)
      await expect(bar(page).getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/app')
      await expect(bar(page).getByRole('button', { name: 'Sign Out' })).toBeVisible()
      await expect(bar(page).getByText(/Sign In|Get Started/)).toHaveCount(0)
    })
  })
}

test.describe('on a wide screen', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('[NAV-05] [NAV-06] the bar is transparent at the top and dark after more than 50 px', async ({
    page,
  }) => {
    for (const path of ['/', '/about', '/documentation', '/pricing']) {
      await page.goto(path)
      await waitForScripts(page)
      await expect(bar(page), path).toHaveCSS('background-color', transparent)
      await scrollTo(page, 50)
      await page.waitForTimeout(300)
      await expect(bar(page), path).toHaveCSS('background-color', transparent)
      await scrollTo(page, 51)
      await expect(bar(page), path).toHaveCSS('background-color', ink)
      await scrollTo(page, 0)
      await expect(bar(page), path).toHaveCSS('background-color', transparent)
    }
  })

  test('[NAV-09] each change of route begins at the top; going back restores the scroll position', async ({
    page,
  }) => {
    await page.goto('/')
    await waitForScripts(page)
    // A click may scroll to its target, so the scroll position is read at the click.
    await page.evaluate(() => {
      addEventListener('click', () => sessionStorage.setItem('place', String(window.scrollY)), {
        capture: true,
      })
    })
    await page.getByRole('link', { name: 'View Full Documentation' }).click()
    await expect(page).toHaveURL('/documentation')
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    const place = Number(await page.evaluate(() => sessionStorage.getItem('place')))
    expect(place).toBeGreaterThan(300)
    await page.goBack()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place)
  })

  test('[FOOT-03] the footer leads to the features, from here and from elsewhere', async ({ page }) => {
    for (const path of ['/', '/about']) {
      await page.goto(path)
      await waitForScripts(page)
      await page.getByRole('contentinfo').getByRole('link', { name: 'Features' }).click()
      await expect(page).toHaveURL('/#features')
      await expect(page.locator('#features')).toBeInViewport()
      await expect(page.getByRole('heading', { name: 'Seamless Payments' })).toBeInViewport()
    }
  })

  test('[NAV-10] the button to the top appears after scrolling', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/about')
    await waitForScripts(page)
    const toTop = page.getByRole('button', { name: 'Scroll to top' })
    await expect(toTop).toHaveCount(0)
    await scrollTo(page, 600)
    await toTop.click()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    await expect(toTop).toHaveCount(0)
  })

  test('[SESS-11] [SESS-13] [OUT-01] [OUT-02] [OUT-03] [OUT-04] [OUT-05] [OUT-06] [OUT-07] signing out needs a confirmation, waits a second and leads home', async ({
    page,
    merchant,
  }) => {
    await page.clock.install()
    await storeTokens(page, merchant.tokens)
    await page.goto('/about')
    await waitForScripts(page)
    const signOutButton = bar(page).getByRole('button', { name: 'Sign Out' })
    await signOutButton.click()
    const dialog = page.getByRole('dialog', { name: 'Sign Out', exact: true })
    await expect(dialog.getByRole('heading')).toHaveText('Sign Out')
    await expect(dialog.getByText('Are you sure you want to sign out?', { exact: true })).toBeVisible()
    await expect(dialog.getByRole('button')).toHaveText(['Sign Out', 'Cancel'])
    await checkWidths(page, 'sign-out')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()

    await signOutButton.click()
    await page.clock.pauseAt(Date.now() + 60_000)
    await dialog.getByRole('button', { name: 'Sign Out' }).click()
    await expect(dialog.getByRole('button')).toHaveText(['Signing out...', 'Cancel'])
    for (const button of await dialog.getByRole('button').all()) await expect(button).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
    await page.clock.runFor(900)
    const tokens = () =>
      page.evaluate(() => ['authToken', 'refreshToken'].map((name) => localStorage.getItem(name)))
    expect(await tokens()).toEqual([expect.any(String), expect.any(String)])
    await expect(page).toHaveURL('/about')
    await page.clock.runFor(200)
    expect(await tokens()).toEqual([null, null])
    await page.clock.resume()
    await expect(page).toHaveURL('/')
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Successfully signed out', { exact: true })).toBeVisible()
    await expect(bar(page).getByRole('link', { name: 'Get Started' })).toBeVisible()
  })
})

test.describe('the menu of a phone', () => {
  test.use({ viewport: { width: 375, height: 812 } })
  const entry = (page: Page) => bar(page).getByRole('link', { name: 'Pricing and Charges' })

  test.beforeEach(async ({ page }) => {
    await page.goto('/')
    await waitForScripts(page)
    await expect(entry(page)).toBeHidden()
    await burger(page).click()
    await expect(entry(page)).toBeVisible()
    await expect(bar(page)).toHaveCSS('background-color', ink)
  })

  test('[NAV-07] closes on scroll', async ({ page }) => {
    await page.mouse.wheel(0, 30)
    await expect(entry(page)).toBeHidden()
  })

  test('[NAV-08] closes on a click outside, and not on one inside', async ({ page }) => {
    await page.locator('#site-menu').click({ position: { x: 180, y: 3 } })
    await expect(entry(page)).toBeVisible()
    await page.mouse.click(200, 700)
    await expect(entry(page)).toBeHidden()
    await expect(page).toHaveURL('/')
  })

  test('closes on Escape and returns the focus; axe finds no violations', async ({ page }) => {
    await checkPage(page, 'menu-phone')
    await page.keyboard.press('Escape')
    await expect(entry(page)).toBeHidden()
    await expect(burger(page)).toBeFocused()
    await expect(burger(page)).toHaveAttribute('aria-expanded', 'false')
  })
})

test('the bar and the skip link are reached by keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/')
  await waitForScripts(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(bar(page).getByRole('link', { name: 'Muripo home' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()
})
