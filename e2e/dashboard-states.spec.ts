import type { Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import { holdRequests } from './lib/page.ts'

/** Pages on a phone while they load, and when a part of them fails. */
test.use({ viewport: { width: 375, height: 812 } })

const top = async (page: Page, selector: string) => {
  const boxes = await page
    .locator(selector)
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))
  return boxes.map(Math.round)
}

for (const locale of ['en', 'sn', 'nd'])
  test.describe(`in ${locale}`, () => {
    test.use({ locale: `${locale}-ZW` })

    test('no card of the dashboard moves when its figures arrive', async ({ page, openDashboard }) => {
      const release = await holdRequests(page, '**/v1/stats/dashboard')
      await openDashboard()
      const cards = 'main section[aria-busy], main section[aria-busy] h2'
      await expect(page.locator('main .mantine-Skeleton-root').first()).toBeVisible()
      await page.evaluate(() => document.fonts.ready)
      const before = await top(page, cards)
      await release()
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
      expect(before.length).toBeGreaterThan(6)
      expect(await top(page, cards)).toEqual(before)
    })
  })

test('while a page that fits the window loads, the chat does not cover its footer', async ({
  page,
  seller,
  openDashboard,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const release = await holdRequests(page, '**/v1/applications/app_*')
  await openDashboard(`/app/applications/manage/${seller.application._id}`)
  await expect(page.getByRole('status', { name: 'Loading application' })).toBeVisible()
  const distance = async () => {
    const button = await page.getByRole('button', { name: /support chat/ }).boundingBox()
    const link = await page.getByRole('contentinfo').getByRole('link').first().boundingBox()
    return (link?.y ?? 0) - ((button?.y ?? 0) + (button?.height ?? 0))
  }
  await expect.poll(distance).toBeGreaterThanOrEqual(0)
  await release()
})

test('calls that fail for one reason show it once above the page, and in each part', async ({
  page,
  seller,
  openDashboard,
  consoleErrors,
}) => {
  const problem = { code: 'internal_error', message: 'Something went wrong on our side' }
  await page.route('**/v1/applications/*', (route) => route.fulfill({ status: 500, json: problem }))
  await page.addInitScript(() => {
    const seen = { most: 0 }
    Object.assign(window, { toastsSeen: seen })
    new MutationObserver(() => {
      seen.most = Math.max(seen.most, document.querySelectorAll('.toast').length)
    }).observe(document, { childList: true, subtree: true })
  })
  // An application that cannot be read leads to the list, which also fails.
  await openDashboard(`/app/applications/manage/${seller.application._id}`)
  await expect(page).toHaveURL('/app/applications')
  await expect(page.getByRole('main').getByRole('alert')).toContainText(problem.message)
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { toastsSeen: { most: number } }).toastsSeen.most))
    .toBe(1)
  await page.unrouteAll()
  await consoleErrors.expect(statusError(500))
})
