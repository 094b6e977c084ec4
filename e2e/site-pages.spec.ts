import { publicPages } from '../scripts/lib/public-pages.ts'
import { expect, type Gateway, statusError, storeTokens, test } from './fixtures.ts'
import { expectValidHtml } from './lib/check-html.ts'
import { checkPage, checkWidths } from './lib/check-page.ts'
import { translatedPages, waitForScripts, watchFramework } from './lib/site.ts'

const columns = {
  Product: ['/#features', '/documentation', '/pricing', '/api-reference'],
  Company: ['/about', '/blog', '/careers', '/contact'],
  Legal: ['/privacy', '/terms', '/cookies'],
  Support: ['/help', '/status', '/dev-support'],
}

/** The default public address of the gateway. */
const publicUrl = ({ url }: Gateway) => `http://localhost:${new URL(url).port}`

test('[FOOT-01] [FOOT-02] [FOOT-03] [FOOT-04] [FOOT-05] [FOOT-06] [FOOT-08] [FOOT-09] [FOOT-10] the footer has its mark, four columns, the current year, and social icons that open a new tab', async ({
  page,
  context,
}) => {
  await context.route(/x\.com|facebook\.com|linkedin\.com/, (route) => route.fulfill({ body: 'elsewhere' }))
  await page.goto('/about')
  const footer = page.getByRole('contentinfo')
  await expect(footer.getByRole('heading')).toHaveText(Object.keys(columns))
  for (const [title, targets] of Object.entries(columns)) {
    const column = footer.locator('nav > div').filter({ has: page.getByRole('heading', { name: title }) })
    const found = await column
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(found, title).toEqual(targets)
  }
  await expect(footer.getByText(/©.*All rights reserved/)).toContainText(String(new Date().getFullYear()))
  for (const [label, host] of [
    ['X', 'x.com'],
    ['Facebook', 'www.facebook.com'],
    ['LinkedIn', 'www.linkedin.com'],
  ] as const) {
    const link = footer.getByRole('link', { name: `Muripo on ${label}` })
    await expect(link).toHaveAttribute('rel', /noopener/)
    const opened = context.waitForEvent('page')
    await link.click()
    const tab = await opened
    await tab.waitForURL((url) => url.host === host)
    await tab.close()
  }
  await expect(page).toHaveURL('/about')
  await footer.getByRole('link', { name: 'Muripo home' }).click()
  await expect(page).toHaveURL('/')
})

test('the HTML of every public page is valid', async ({ request }) => {
  for (const path of [...publicPages, '/api-reference', '/resume', '/nowhere'])
    await expectValidHtml(await (await request.get(path)).text(), path)
})

test('every public page has a title, a description, an address and a preview of its own', async ({
  request,
  gateway,
}) => {
  const titles = new Set<string>()
  const descriptions = new Set<string>()
  for (const path of publicPages) {
    const answer = await request.get(path)
    expect(answer.status(), path).toBe(200)
    const html = await answer.text()
    const attribute = (pattern: RegExp) => pattern.exec(html)?.[1] ?? ''
    titles.add(attribute(/<title>([^<]+)</))
    descriptions.add(attribute(/<meta name="description" content="([^"]{50,170})"/))
    expect(attribute(/<link rel="canonical" href="([^"]+)"/), path).toBe(publicUrl(gateway) + path)
    expect(attribute(/<meta property="og:url" content="([^"]+)"/), path).toBe(publicUrl(gateway) + path)
    expect(attribute(/<meta property="og:image" content="([^"]+)"/), path).toBe(
      `${publicUrl(gateway)}/social.png`,
    )
    expect(attribute(/<meta name="twitter:card" content="([^"]+)"/), path).toBe('summary_large_image')
    expect(html, path).toContain('lang="en"')
  }
  expect(titles.size).toBe(publicPages.length)
  expect(descriptions.has('')).toBe(false)
  expect(descriptions.size).toBe(publicPages.length)
})

test('the addresses in the head exist', async ({ request, gateway }) => {
  const html = await (await request.get('/')).text()
  for (const file of [
    '/favicon.svg',
    '/favicon.ico',
    '/apple-touch-icon.png',
    '/manifest.webmanifest',
    '/social.png',
  ]) {
    expect(html).toContain(file)
    const answer = await request.get(file)
    expect(answer.status(), file).toBe(200)
    expect((await answer.body()).length, file).toBeLessThan(100_000)
  }
  const { icons } = (await (await request.get('/manifest.webmanifest')).json()) as {
    icons: { src: string }[]
  }
  for (const { src } of icons) expect((await request.get(src)).status(), src).toBe(200)

  const robots = await request.get('/robots.txt')
  expect(robots.headers()['content-type']).toContain('text/plain')
  expect(await robots.text()).toContain(`Sitemap: ${publicUrl(gateway)}/sitemap.xml`)
  const sitemap = await request.get('/sitemap.xml')
  expect(sitemap.headers()['content-type']).toContain('application/xml')
  const entries = [...(await sitemap.text()).matchAll(/<url><loc>([^<]+)<\/loc>(.*?)<\/url>/g)]
  const listed = entries.map(([, url]) => url ?? '')
  const addressesOf = (path: string) =>
    ['', '?lang=sn', '?lang=nd'].map((language) => publicUrl(gateway) + path + language)
  expect(listed.sort()).toEqual(
    [
      ...[...publicPages, '/api-reference'].map((path) => publicUrl(gateway) + path),
      ...translatedPages.flatMap((path) => addressesOf(path).slice(1)),
    ].sort(),
  )
  for (const url of listed) {
    const { pathname, search } = new URL(url)
    expect((await request.get(pathname + search)).status(), url).toBe(200)
  }
  // The page of each language has links to all languages and to the default one.
  for (const [, url = '', rest = ''] of entries) {
    const { pathname } = new URL(url)
    const isTranslated = translatedPages.some((path) => path === pathname)
    const [english = '', ...others] = addressesOf(pathname)
    expect(
      [...rest.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)].map(([, language, address]) => [
        language,
        address,
      ]),
      url,
    ).toEqual(
      isTranslated
        ? [
            ['en', english],
            ['sn', others[0]],
            ['nd', others[1]],
            ['x-default', english],
          ]
        : [],
    )
  }
})

test('[GUARD-02] [GUARD-03] [GUARD-04] [GUARD-05] [GUARD-06] [GUARD-23] the public pages are open to guests and signed-in users, lead guests to sign-up and sign-in, are accessible and fit the screen', async ({
  page,
  merchant,
}) => {
  const links = page.getByRole('banner').getByRole('link')
  const visit = async (signedIn: boolean) => {
    for (const path of publicPages) {
      const answer = await page.goto(path)
      expect(answer?.status(), path).toBe(200)
      await waitForScripts(page)
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
      await expect(links.last(), path).toHaveText(signedIn ? 'Dashboard' : 'Get Started')
      await expect(page, path).toHaveURL(path)
      if (!signedIn) {
        const hrefs = await links
          .filter({ hasText: /^(Sign In|Get Started)$/ })
          .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
        expect(hrefs, path).toEqual(['/auth/signin', '/auth/signup'])
      }
      if (path === '/status') await expect(page.getByText('Everything is running')).toBeVisible()
      if (!signedIn && path !== '/documentation' && path !== '/pricing')
        await checkWidths(page, path.slice(1) || 'home')
      if (path === '/documentation') {
        await expect(page).toHaveTitle(/Documentation/)
        await expect(page.getByRole('main')).toContainText('/api/v1/payments')
      }
      if (path === '/pricing') {
        await expect(page).toHaveTitle(/Pricing/)
        await expect(page.getByRole('main')).toContainText('2.9% + $0.30')
      }
    }
  }
  await visit(false)
  await storeTokens(page, merchant.tokens)
  await visit(true)
})

test('[GUARD-01] the site addresses merchants of both kinds and developers', async ({ page }) => {
  await page.goto('/')
  for (const text of [/payments internationally/i, /gateway/i, /API/, 'payments.create'])
    await expect(page.getByRole('main')).toContainText(text)
  await page.getByRole('banner').getByRole('link', { name: 'Get Started' }).click()
  await expect(page.getByRole('radio')).toHaveCount(2)
  for (const kind of ['Individual', 'Business']) {
    await expect(page.getByRole('radio', { name: kind })).toBeVisible()
  }
})

test.describe('with JavaScript off', () => {
  test.use({ javaScriptEnabled: false })

  test('every public page is complete', async ({ page }) => {
    for (const path of publicPages) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
      await expect(page.getByRole('contentinfo'), path).toBeVisible()
      expect(await page.getByRole('main').textContent(), path).toMatch(/^[\s\S]{300,}$/)
      expect(await page.locator('main [style*="opacity: 0"], main [data-reveal]').count(), path).toBe(0)
    }
    await page.goto('/')
    for (const text of ['24/7 Support', 'payments.create', 'bearer key', 'View Full Documentation']) {
      await expect(page.getByText(text).first(), text).toBeVisible()
    }
    await page.setViewportSize({ width: 375, height: 812 })
    await page.goto('/about')
    await page.getByRole('banner').getByRole('link', { name: 'Pricing and Charges' }).click()
    await expect(page).toHaveURL('/pricing')
  })
})

test('an unknown address returns 404 with a link home', async ({ page, consoleErrors }) => {
  const answer = await page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'This page does not exist' })).toBeVisible()
  await checkPage(page, 'not-found')
  await page.getByRole('link', { name: 'Back to the home page' }).click()
  await expect(page).toHaveURL('/')
  await consoleErrors.expect(statusError(404))
})

test('the contact form names the missing fields, and sends a complete message', async ({ page }) => {
  await page.goto('/contact')
  await waitForScripts(page)
  const send = page.getByRole('button', { name: 'Send Message' })
  await send.click()
  await expect(page.getByText('Name is required')).toBeVisible()
  await expect(page.getByText('Email is required')).toBeVisible()
  await expect(page.getByText('Message is required')).toBeVisible()
  await expect(page.getByLabel('Name')).toBeFocused()
  await checkPage(page, 'contact-errors')
  await page.getByLabel('Name').fill('Chiedza')
  await expect(page.getByText('Name is required')).toHaveCount(0)
  await page.getByLabel('Email').fill('chiedza')
  await page.getByLabel('Message').fill('Do you open on Sundays?')
  await send.click()
  await expect(page.getByText('Please enter a valid email')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.getByLabel('Email').fill('chiedza@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  await expect(send).toHaveCount(0)
})

test('the contact form keeps typed text without a network', async ({ page, context, consoleErrors }) => {
  const frameworkRuns = await watchFramework(page)
  await page.goto('/contact')
  await page.getByLabel('Name').fill('Chiedza')
  await page.getByLabel('Email').fill('chiedza@example.com')
  await page.getByLabel('Message').fill('Hello')
  await frameworkRuns()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Network error. Please check your connection and try again.',
  )
  await expect(page.getByLabel('Message')).toHaveValue('Hello')
  await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
})

test('a contact form that is completed before its framework is loaded is sent once', async ({ page }) => {
  await page.goto('/contact')
  let messages = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/contact')) messages++
  })
  await page.evaluate(() => {
    const fields = { name: 'Chiedza', email: 'chiedza@example.com', message: 'Hello' }
    for (const [name, value] of Object.entries(fields)) {
      const field = document.querySelector<HTMLInputElement>(`[data-path=${name}]`)
      if (field) field.value = value
    }
    const send = document.querySelector<HTMLButtonElement>('main [type=submit]')
    send?.click()
    send?.click()
  })
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  await expect(page).toHaveURL('/contact')
  expect(messages).toBe(1)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('the status page shows the present state', async ({ page }) => {
    await page.goto('/status')
    const board = page.getByRole('region', { name: 'Everything is running' })
    await expect(board.getByRole('listitem').filter({ hasText: 'Operational' })).toHaveCount(7)
    await expect(board.getByText(/^As of .+\d\d (AM|PM) GMT\+2\. Checked every 30 seconds\.$/)).toBeVisible()
  })
})

test('the status page polls every 30 seconds, and shows an error without a response', async ({
  page,
  context,
  consoleErrors,
}) => {
  await page.clock.install()
  const frameworkRuns = await watchFramework(page)
  await page.goto('/status')
  const board = page.getByRole('region', { name: /running|answer|right/ })
  const providers = ['EcoCash', 'InnBucks', 'Mastercard Gateway', 'Paynow']
  const parts = ['API', 'Worker', 'Database', ...providers]
  await expect(board.getByRole('listitem').filter({ hasText: 'Operational' })).toHaveCount(parts.length)
  for (const name of parts) await expect(board.getByText(name, { exact: true })).toBeVisible()
  await page.clock.runFor(10_000)
  await frameworkRuns()
  await context.setOffline(true)
  await page.clock.runFor(30_000)
  await expect(page.getByRole('heading', { name: 'The API does not answer' })).toBeVisible()
  await expect(board.getByRole('listitem')).toHaveText(/API.*Down/)
  await context.setOffline(false)
  await page.clock.runFor(30_000)
  await expect(page.getByRole('heading', { name: 'Everything is running' })).toBeVisible()
  await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
})
