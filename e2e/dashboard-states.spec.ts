import { createApplication } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import { holdRequests } from './lib/page.ts'
import { approved } from './lib/payments.ts'

/** Pages on a phone while they load, and when a part of them fails. */
test.use({ viewport: { width: 375, height: 812 } })

const top = async (page: Page, selector: string) => {
  const boxes = await page
    .locator(selector)
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))
  return boxes.map(Math.round)
}

for (const locale of ['en', 'nd'])
  test.describe(`in ${locale}`, () => {
    test.use({ locale: `${locale}-ZW` })

    test('the first steps have the place of the chart', async ({ page, openDashboard }) => {
      await expectNoMove(page, openDashboard, 'main section[aria-busy]')
      await expect(page.locator('main ol li')).toHaveCount(4)
    })

    test('no card of the dashboard moves when its figures arrive', async ({
      page,
      seller,
      wallet,
      openDashboard,
    }) => {
      await approved(seller, wallet)
      await expectNoMove(page, openDashboard, 'main section[aria-busy], main section[aria-busy] h2')
    })
  })

/** Compares the places of elements while the figures load with those after. */
async function expectNoMove(page: Page, openDashboard: () => Promise<void>, elements: string): Promise<void> {
  const release = await holdRequests(page, '**/v1/stats/dashboard')
  await openDashboard()
  await expect(page.locator('main [data-skeleton]').first()).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  const before = await top(page, elements)
  await release()
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
  expect(before.length).toBeGreaterThan(3)
  expect(await top(page, elements)).toEqual(before)
}

const firstRows = (page: Page) =>
  page.locator('main [style*="--area"]').evaluateAll((cells) =>
    [...new Set(cells.map((cell) => cell.parentElement))].slice(0, 2).map((row) => {
      const { top, height } = row?.getBoundingClientRect() ?? {}
      return [top, height].map((length = 0) => Math.round(length))
    }),
  )

for (const [address, call, widths] of [
  ['/app/payments', '**/v1/payments/all*', [375, 1440]],
  ['/app/applications', '**/v1/applications/all', [375, 1440]],
  // The column of a table may break the name of a device.
  ['/app/settings', '**/v1/account/sessions', [375]],
] as const)
  test(`the places of a loading list are those of its rows: ${address}`, async ({
    page,
    gateway,
    seller,
    merchant,
    openDashboard,
  }) => {
    await createApplication(gateway.url, merchant.tokens, { applicationName: 'Baobab Books' })
    await seller.pay()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      const release = await holdRequests(page, call)
      await openDashboard(address)
      await expect.poll(() => firstRows(page)).toHaveLength(2)
      await page.evaluate(() => document.fonts.ready)
      const places = await firstRows(page)
      await release()
      await expect(page.getByRole('row').nth(1)).toBeVisible()
      expect(await firstRows(page)).toEqual(places)
    }
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
