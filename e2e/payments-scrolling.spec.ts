import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { makeManyPayments } from './lib/database.ts'
import { area, counted, grid, ids, rowNumber, viewDetailsAt } from './lib/payments.ts'
import { scrollThrough } from './lib/smoothness.ts'

test.use({ reducedMotion: 'no-preference' })

const focusedRow = (page: Page): Promise<number> =>
  page.evaluate(() => Number(document.activeElement?.closest('[role=row]')?.getAttribute('aria-rowindex')))
const scrollTop = (page: Page): Promise<number> => area(page).evaluate((element) => element.scrollTop)
const scrollTo = (page: Page, top: number) =>
  area(page).evaluate((element, to) => element.scrollTo({ top: to }), top)

test('[PAY-29] [PAY-30] [PAY-32] thousands of payments scroll smoothly, load automatically, and are reached by keyboard', async ({
  page,
  gateway,
  seller,
  openDashboard,
}) => {
  await makeManyPayments(gateway.dataDir, seller.application._id, 1500)
  await page.setViewportSize({ width: 1440, height: 900 })
  await openDashboard('/app/payments')
  await counted(page, '1,500', '1,500')
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '1501')
  await expect(page.getByRole('row').first()).toHaveAttribute('aria-rowindex', '1')
  const inDocument = () => page.getByRole('row').count()
  expect(await inDocument()).toBeLessThan(40)

  const { scrolled, longestTask } = await scrollThrough(page, area(page), 20_000)
  test.info().annotations.push({ type: 'smoothness', description: `${scrolled}, ${longestTask}` })
  expect(scrolled, 'work for 100 pixels').toBeLessThan(0.8)
  expect(longestTask, 'longest task').toBeLessThan(1.5)
  expect(await inDocument()).toBeLessThan(40)

  // The list is one tab stop. Arrow keys move through its rows, and the pages load on demand.
  await page.getByRole('group', { name: 'Dates' }).getByRole('button').last().focus()
  await page.keyboard.press('Tab')
  await expect(viewDetailsAt(page, 2)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(viewDetailsAt(page, 4)).toBeFocused()
  for (let last = 0; last < 1501; ) {
    await expect(async () => {
      await page.keyboard.press('End')
      expect(await focusedRow(page)).toBeGreaterThan(last)
    }).toPass()
    last = await focusedRow(page)
  }
  await expect(viewDetailsAt(page, 1501)).toBeInViewport()
  await expect(ids(page).last()).toHaveText(/^pay_/)
  await page.keyboard.press('PageUp')
  await page.keyboard.press('ArrowUp')
  const reached = await focusedRow(page)
  expect(reached).toBeGreaterThan(1470)
  expect(reached).toBeLessThan(1500)

  // Scrolling with the wheel keeps the focus on its row, and the next key scrolls back to it.
  await scrollTo(page, 20_000)
  await expect(rowNumber(page, reached)).not.toBeInViewport()
  expect(await focusedRow(page)).toBe(reached)
  await page.keyboard.press('ArrowDown')
  await expect(viewDetailsAt(page, reached + 1)).toBeInViewport()

  // Closing the details leaves the list and the focus where they were.
  const before = await scrollTop(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Payment Details' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Payment Details' })).toBeHidden()
  await expect(viewDetailsAt(page, reached + 1)).toBeFocused()
  expect(await scrollTop(page)).toBe(before)

  // New payments appear at the top, and the visible rows keep their position.
  const reading = await rowNumber(page, reached + 1)
    .getByText(/^pay_/)
    .textContent()
  await seller.pay()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await counted(page, '1,501', '1,501')
  await expect(rowNumber(page, reached + 2)).toContainText(reading ?? '')
  await expect(rowNumber(page, reached + 2)).toBeInViewport()
  await page.getByRole('link', { name: 'Applications' }).click()
  await expect(page.getByRole('heading', { name: 'Applications' })).toBeVisible()
  await page.goBack()
  await expect(rowNumber(page, reached + 2)).toBeInViewport()
})
