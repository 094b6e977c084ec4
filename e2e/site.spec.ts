import { readFileSync } from 'node:fs'
import { call } from '@muripo/rig/call'
import { expect, test } from './fixtures.ts'
import { checkLayout } from './lib/check-page.ts'
import { runShell } from './lib/commands.ts'
import { screens, waitForScripts } from './lib/site.ts'

test.use({ reducedMotion: 'no-preference' })

const example = readFileSync(new URL('../packages/sdk/examples/create-payment.mjs', import.meta.url), 'utf8')

const features = {
  'Seamless Payments': /pay/i,
  'Enhanced Security': /keys/i,
  'Global Reach': /multiple currencies and payment methods/i,
  'Real-time Analytics': /dashboard.*transaction monitoring/i,
  'Quick Integration': /APIs and SDKs/,
  '24/7 Support': /day and night/i,
}

for (const { name, viewport } of screens) {
  test.describe(name, () => {
    test.use({ viewport })

    test('[LAND-06] the hero is 99.1 % of the viewport high', async ({ page }) => {
      for (const height of [viewport.height, viewport.height - 90]) {
        await page.setViewportSize({ ...viewport, height })
        await page.goto('/')
        const box = await page.locator('main > section').first().boundingBox()
        expect(Math.abs((box?.height ?? 0) / height - 0.991)).toBeLessThan(0.001)
      }
    })

    test('the home page has no layout shift', async ({ page }) => {
      await page.addInitScript(() => {
        const seen = { shift: 0, largest: '' }
        Object.assign(window, { seen })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            seen.largest = (entry as unknown as { element: Element | null }).element?.tagName ?? ''
          }
        }).observe({ type: 'largest-contentful-paint', buffered: true })
      })
      await page.goto('/')
      await waitForScripts(page)
      await page.waitForTimeout(500)
      expect(await page.evaluate(() => (window as unknown as { seen: unknown }).seen)).toEqual({
        shift: 0,
        largest: 'H1',
      })
    })
  })
}

test('[LAND-01] [LAND-07] [LAND-08] [LAND-09] [LAND-10] [LAND-11] [GUARD-04] the home page has hero, six methods, six features, integration and footer, in this order', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  const tops = await Promise.all(
    [
      page.getByRole('heading', { level: 1 }),
      page.getByRole('heading', { name: 'Accepted payment methods' }),
      page.locator('#features'),
      page.getByRole('tablist'),
      page.getByRole('contentinfo'),
    ].map(async (part) => (await part.boundingBox())?.y ?? Number.NaN),
  )
  expect(tops).toEqual([...tops].sort((a, b) => a - b))

  const strip = page.getByRole('region', { name: 'Accepted payment methods' })
  const marks = strip.getByRole('img')
  await expect(strip.locator('svg')).toHaveCount(6)
  const names = await marks.evaluateAll((found) => found.map((mark) => mark.getAttribute('aria-label')))
  expect(names).toEqual(['EcoCash', 'InnBucks', 'Mastercard', 'Visa', 'Apple Pay', 'American Express'])

  const cards = page.locator('#features').getByRole('listitem')
  await expect(cards.getByRole('heading')).toHaveText(Object.keys(features))
  for (const [title, sentence] of Object.entries(features)) {
    await expect(cards.filter({ has: page.getByRole('heading', { name: title }) })).toContainText(sentence)
  }
})

test('[LAND-02] [LAND-03] [LAND-04] [LAND-05] the hero names the product and leads to sign-up', async ({
  page,
}) => {
  await page.goto('/')
  const hero = page.locator('main > section').first()
  await expect(hero).toContainText(/seamless payment solutions for your business/i)
  await expect(hero).toContainText(
    /accept payments internationally and instantly with a hassle-free gateway/i,
  )
  const start = hero.getByRole('link')
  await expect(start).toHaveText("Start Now - It's Free")
  await start.click()
  await expect(page).toHaveURL('/auth/signup')
})

test('[LAND-12] sections fade and slide in when they come into view', async ({ page }) => {
  await page.goto('/')
  await waitForScripts(page)
  const card = page.locator('#features li > div').last()
  await expect(card).toHaveCSS('opacity', '0')
  await expect(card).not.toHaveCSS('transform', 'none')
  await card.scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 200)
  await expect(card).toHaveCSS('opacity', '1')
  await expect(card).toHaveCSS('transform', /none|matrix\(1, 0, 0, 1, 0, 0\)/)
})

test('[LAND-13] [LAND-14] [LAND-15] [LAND-16] [LAND-17] [LAND-20] three steps, two tabs, and a link to the documentation', async ({
  page,
}) => {
  await page.goto('/')
  const section = page.getByRole('region', { name: 'Get started in 3 simple steps' })
  await expect(section.getByRole('heading', { level: 3 })).toHaveCount(3)
  const tabs = section.getByRole('tab')
  await expect(tabs).toHaveText(['API Example', 'Quick Start Guide'])
  expect(await tabs.evaluateAll((all) => all.map((tab) => (tab as HTMLElement).dataset.value))).toEqual([
    'api',
    'npm',
  ])
  await expect(tabs.first()).toHaveAttribute('aria-selected', 'true')
  await expect(section.getByRole('tabpanel', { name: 'API Example' })).toBeVisible()
  await expect(section.getByRole('tabpanel', { name: 'Quick Start Guide' })).toBeHidden()
  await tabs.last().click()
  await expect(section.getByRole('tabpanel', { name: 'Quick Start Guide' })).toBeVisible()
  await expect(section.getByRole('tabpanel', { name: 'API Example' })).toBeHidden()
  await page.keyboard.press('ArrowRight')
  await expect(tabs.first()).toBeFocused()
  await expect(tabs.first()).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('link', { name: 'View Full Documentation' }).click()
  await expect(page).toHaveURL('/documentation')
})

test('[LAND-12] nothing moves with reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  await waitForScripts(page)
  await page.waitForTimeout(300)
  await expect(page.locator('[data-reveal]')).toHaveCount(0)
  await expect(page.locator('#features li > div').last()).toHaveCSS('opacity', '1')
})

test('[LAND-18] the API example creates a client with a key, then a payment', async ({
  page,
  context,
  gateway,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gateway.url })
  await page.goto('/')
  const panel = page.getByRole('tabpanel', { name: 'API Example' })
  await panel.getByRole('button', { name: /Copy/ }).click()
  await expect(panel.getByRole('button')).toContainText('Copied!')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  // The file that the SDK's own tests compile and run, line by line.
  expect(copied.replace(/http\S+(?=\/sdk)/, 'https://pay.example.com')).toBe(example.trimEnd())
  expect(copied).toMatch(
    /new Muripo\(.+\)[\s\S]+payments\.create\(\{[\s\S]*amount: \d+[\s\S]*currency: '\w{3}'[\s\S]*description: '/,
  )
})

test('[LAND-19] the quick start guide has its three steps, and its command creates a payment', async ({
  page,
  gateway,
  seller,
}) => {
  await page.goto('/')
  await page.getByRole('tab', { name: 'Quick Start Guide' }).click()
  const panel = page.getByRole('tabpanel', { name: 'Quick Start Guide' })
  await expect(panel.getByRole('listitem')).toHaveText([
    /get an API key from the dashboard/i,
    /authenticate with a bearer key/i,
    /create a payment/i,
  ])
  const { applicationKey } = seller.application
  const printed = await runShell((await panel.locator('code').textContent()) ?? '', {
    MURIPO_URL: gateway.url,
    MURIPO_KEY: applicationKey,
  })
  const { id } = JSON.parse(printed) as { id: string }
  const { body } = await call<{ status: string }>('GET', `${gateway.url}/api/v1/payments/${id}`, {
    bearer: applicationKey,
  })
  expect(body.status).toBe('pending')
})

test('the home page fits a small phone, and one on its side', async ({ page }) => {
  for (const viewport of [
    { width: 320, height: 568 },
    { width: 740, height: 360 },
  ]) {
    await page.setViewportSize(viewport)
    await page.goto('/')
    await checkLayout(page, `home-${viewport.width}`)
    await expect(page.getByRole('link', { name: "Start Now - It's Free" })).toBeVisible()
  }
})
