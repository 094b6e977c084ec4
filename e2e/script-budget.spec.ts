import type { Page } from '@playwright/test'
import { publicPages } from '../scripts/lib/public-pages.ts'
import { expect, storeTokens, test } from './fixtures.ts'
import { consoleOf, consoleUrl, openConsole } from './lib/console.ts'
import { waitForScripts } from './lib/site.ts'

const FIRST_PAGE_BYTES = 162_500

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

/** A page makes its automatic fetches within half a second. */
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

test('the dashboard loads at most 162.5 kB of JavaScript first, and each further page its own limit', async ({
  page,
  seller: { application, pay },
  openDashboard,
}) => {
  const later = {
    '/app/payments': { heading: 'Payments', limit: 31_100 },
    '/app/applications': { heading: 'Applications', limit: 12_000 },
    [`/app/applications/manage/${application._id}`]: { heading: application.applicationName, limit: 14_000 },
    '/app/invoices': { heading: 'Invoices', limit: 3_500 },
    '/app/reconciliations': { heading: 'Reconciliations', limit: 2_000 },
    '/app/settings': { heading: 'Settings', limit: 14_000 },
    '/app/till': { heading: 'Amount', limit: 9_000 },
  }
  const start = async () => {
    await page.goto('/app')
    await expect(page.getByText('Chiedza Crafts')).toBeVisible()
    return scriptsOf(page)
  }
  await pay()
  await openDashboard()
  const figures = [{ path: '/app', bytes: weight(await start()), limit: FIRST_PAGE_BYTES }]
  for (const [path, { heading, limit }] of Object.entries(later)) {
    const known = await start()
    // A link of the menu navigates, which some pages lack.
    await page.evaluate((to) => {
      history.pushState({}, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
    // The heading of the page: the dashboard also has a part named Applications.
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
    const added = [...(await scriptsOf(page))].filter(([name]) => !known.has(name))
    figures.push({ path, bytes: weight(added), limit })
  }
  const table = figures.map(({ path, bytes }) => `${(bytes / 1000).toFixed(1).padStart(8)} kB  ${path}`)
  process.stdout.write(`${table.join('\n')}\n`)
  for (const { path, bytes, limit } of figures) {
    expect(bytes, path).toBeLessThanOrEqual(limit)
    // A page that weighs nothing was not measured.
    expect(bytes, path).toBeGreaterThan(100)
  }
})

const AUTH_PAGE_BYTES = 128_000
/** The page of the code fetches the dashboard's scripts while its reader waits for a mail and types. */
const CODE_PAGE_BYTES = 168_000

test('the pages of sign-in load at most 128 kB of JavaScript, and 168 kB with the dashboard in advance', async ({
  page,
}) => {
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
    const limit = path.startsWith('/auth/verify-otp') ? CODE_PAGE_BYTES : AUTH_PAGE_BYTES
    expect(bytes, path).toBeLessThanOrEqual(limit)
  }
})

const CONSOLE_BYTES = 165_000
const WHOLE_CONSOLE_BYTES = 200_000

test.describe('in the console', () => {
  // A passkey belongs to a host name.
  test.use({ baseURL: ({ gateway }, use) => use(consoleUrl(gateway)) })

  test('the first page loads at most 165 kB of JavaScript, and all pages together at most 200 kB', async ({
    browser,
    gateway,
  }) => {
    const viewport = { width: 1440, height: 900 }
    const page = await openConsole(browser, consoleOf(gateway), {
      email: 'rudo@company.example',
      role: 'admin',
      viewport,
    })
    // From the document on, and not from the page of the link on.
    await page.goto('/console')
    await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
    const first = weight(await scriptsOf(page))
    for (const link of await page.getByRole('navigation', { name: 'Console' }).getByRole('link').all()) {
      // The first text is the name: a count of what waits may stand behind it.
      const [name = ''] = (await link.innerText()).split('\n')
      await link.click()
      await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
    }
    const whole = weight(await scriptsOf(page))
    const kB = (bytes: number) => `${(bytes / 1000).toFixed(1).padStart(8)} kB`
    process.stdout.write(`${kB(first)}  /console\n${kB(whole)}  all pages of the console\n`)
    expect(first).toBeLessThanOrEqual(CONSOLE_BYTES)
    expect(first).toBeGreaterThan(100_000)
    expect(whole).toBeLessThanOrEqual(WHOLE_CONSOLE_BYTES)
    await page.context().close()
  })
})

const TEXT_PAGE_BYTES = 20_000

/** The uncompressed length of the scripts in the document itself. */
const inlineBytes = (page: Page) =>
  page.evaluate(() =>
    [...document.scripts]
      .filter(({ src }) => src === '')
      .reduce((sum, { text }) => sum + new TextEncoder().encode(text).length, 0),
  )

for (const locale of ['en', 'nd'])
  test.describe(locale, () => {
    test.use({ locale: `${locale}-ZW` })

    test('text pages load at most 20 kB of script until a reader needs the framework', async ({ page }) => {
      const translations: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('.json')) translations.push(request.url())
      })
      for (const path of [...publicPages, '/api-reference']) {
        await page.goto(path)
        await waitForScripts(page)
        await page.mouse.wheel(0, 2000)
        const inline = await inlineBytes(page)
        const bytes = inline + weight(await scriptsOf(page))
        process.stdout.write(`${(bytes / 1000).toFixed(1).padStart(8)} kB  ${path}\n`)
        expect(bytes, path).toBeLessThanOrEqual(TEXT_PAGE_BYTES)
        // A page without its own script was not measured.
        expect(inline, path).toBeGreaterThan(1_000)
      }
      expect(translations).toEqual([])
    })
  })

test('a text page loads the framework once when the chat is opened', async ({ page }) => {
  await page.goto('/terms')
  expect(await scriptsSoFar(page)).toEqual(new Map())
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/terms')) requests.push(request.url())
  })
  await page.getByRole('button', { name: 'Open support chat' }).dblclick()
  await expect(page.getByRole('region', { name: 'Support chat' })).toBeVisible()
  expect(weight(await scriptsOf(page))).toBeGreaterThan(TEXT_PAGE_BYTES)
  expect(requests).toHaveLength(1)
})

test('the next press retries a load that failed', async ({ page, context, consoleErrors }) => {
  await page.goto('/terms')
  const button = page.getByRole('button', { name: 'Open support chat' })
  await context.setOffline(true)
  await button.click()
  await expect(button).not.toHaveAttribute('aria-busy')
  await context.setOffline(false)
  await button.click()
  await expect(page.getByRole('region', { name: 'Support chat' })).toBeVisible()
  await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
})

test('a text page loads the framework when its reader signs in in another tab', async ({
  page,
  context,
  merchant,
}) => {
  await page.goto('/terms')
  await waitForScripts(page)
  const other = await context.newPage()
  await storeTokens(other, merchant.tokens)
  await other.goto('/help')
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible()
})
