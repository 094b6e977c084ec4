import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { button } from './lib/page.ts'

test.use({ viewport: { width: 375, height: 812 } })

/** The widths of the window in the next frames: a list that is placed again and again changes it. */
const widths = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const seen = new Set<number>()
    for (let frame = 0; frame < 20; frame += 1) {
      await new Promise(requestAnimationFrame)
      seen.add(window.innerWidth)
    }
    return [...seen]
  })

/** Opens the list of a control by touch; its options are inside of the window and can be chosen. */
async function expectList(page: Page, control: Locator): Promise<void> {
  const name = await control.evaluate((each) => each.outerHTML.slice(0, 160))
  await control.tap()
  const options = page.getByRole('listbox').getByRole('option')
  await expect(options.first(), name).toBeAttached()
  // A long list opens at the chosen option.
  const chosen = options.and(page.locator('[aria-selected=true]'))
  const option = (await chosen.count()) > 0 ? chosen.first() : options.first()
  await expect(option, name).toBeInViewport()
  expect(await widths(page), name).toEqual([375])
  await option.tap()
  await expect(page.getByRole('listbox'), name).toBeHidden()
  expect(await widths(page), name).toEqual([375])
}

/** Opens each list in a part of the page. */
async function expectLists(page: Page, part: Locator, count: number): Promise<void> {
  const lists = part.locator('[aria-haspopup=listbox]:visible')
  await expect(lists).toHaveCount(count)
  for (const control of await lists.all()) await expectList(page, control)
}

test('the list of categories and the menu open on a phone, and the window keeps its width', async ({
  page,
  merchant,
  openDashboard,
}) => {
  expect(merchant).toBeDefined()
  await openDashboard('/app/applications')
  await button(page, 'Create New Application').tap()
  await expectLists(page, page.getByRole('dialog'), 1)
  await page.goto('/app')
  await page.getByRole('button', { name: 'Open menu' }).tap()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  expect(await widths(page)).toEqual([375])
})
