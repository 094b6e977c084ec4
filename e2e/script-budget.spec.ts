import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const FIRST_PAGE_BYTES = 190_000
const LATER_PAGE_BYTES = 40_000

type Scripts = ReadonlyMap<string, number>

/** The scripts that the page has fetched so far with their transfer sizes, from the browser's records. */
const scriptsSoFar = async (page: Page): Promise<Scripts> =>
  new Map(
    await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
        .map((entry) => [entry.name, (entry as PerformanceResourceTiming).encodedBodySize] as const),
    ),
  )

/** Automatic fetches of a page happen within half a second; later there are none. */
async function scriptsOf(page: Page): Promise<Scripts> {
  let seen = 0
  const newBytes = async () => {
    const before = seen
    seen = (await scriptsSoFar(page)).size
    return seen - before
  }
  await expect.poll(newBytes, { intervals: [0, 500] }).toBe(0)
  return scriptsSoFar(page)
}

const weight = (scripts: Iterable<readonly [string, number]>) =>
  [...scripts].reduce((sum, [, bytes]) => sum + bytes, 0)

test('the dashboard sends at most 190 kB of JavaScript first, and 40 kB with each page that follows', async ({
  page,
  seller: { application, pay },
  openDashboard,
}) => {
  const later = {
    '/app/payments': 'Payments',
    '/app/applications': 'Applications',
    [`/app/applications/manage/${application._id}`]: application.applicationName,
    '/app/invoices': 'Invoices',
    '/app/reconciliations': 'Reconciliations',
    '/app/settings': 'Settings',
  }
  const start = async () => {
    await page.goto('/app')
    await expect(page.getByText('Chiedza Crafts')).toBeVisible()
    return scriptsOf(page)
  }
  await pay()
  await openDashboard()
  const figures = [{ path: '/app', bytes: weight(await start()), limit: FIRST_PAGE_BYTES }]
  for (const [path, heading] of Object.entries(later)) {
    const known = await start()
    // The navigation of a menu link; not every page has one.
    await page.evaluate((to) => {
      history.pushState({}, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
    // The page's own: the dashboard, too, has a part that is called Applications.
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
    const added = [...(await scriptsOf(page))].filter(([name]) => !known.has(name))
    figures.push({ path, bytes: weight(added), limit: LATER_PAGE_BYTES })
  }
  const table = figures.map(({ path, bytes }) => `${(bytes / 1000).toFixed(1).padStart(8)} kB  ${path}`)
  process.stdout.write(`${table.join('\n')}\n`)
  for (const { path, bytes, limit } of figures) {
    expect(bytes, path).toBeLessThanOrEqual(limit)
    // A page that weighs nothing was not measured.
    expect(bytes, path).toBeGreaterThan(100)
  }
})

const AUTH_PAGE_BYTES = 150_000

test('the pages of a guest with an account send at most 150 kB of JavaScript', async ({ page }) => {
  const pages = {
    '/auth/signin': 'Sign in',
    '/auth/verify-otp/none': 'Enter your code',
    '/auth/forgot-password': 'Forgot your password?',
    '/auth/password/set-new/none': 'Set a new password',
    '/auth/password/reset': 'Set a new password',
    '/auth/signup': 'Create your account',
  }
  for (const [path, name] of Object.entries(pages)) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    const bytes = weight(await scriptsOf(page))
    process.stdout.write(`${(bytes / 1000).toFixed(1).padStart(8)} kB  ${path}\n`)
    expect(bytes, path).toBeLessThanOrEqual(AUTH_PAGE_BYTES)
  }
})
