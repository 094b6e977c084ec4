import type { Page } from '@playwright/test'
import { expect, storeTokens, test } from './fixtures.ts'
import { checkLayout } from './lib/check-page.ts'
import { title } from './lib/page.ts'
import { approved } from './lib/payments.ts'

test.use({ reducedMotion: 'no-preference' })

const scheme = (page: Page) => page.locator('html')
const isDark = (page: Page, dark: boolean) =>
  expect(scheme(page)).toHaveAttribute('data-color-scheme', dark ? 'dark' : 'light')
const choice = (page: Page, name: 'Light' | 'Dark' | 'System') => page.getByRole('radio', { name })
const paper = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
const barColour = (page: Page) => page.locator('meta[name="theme-color"]')
const light = 'rgb(255, 255, 255)'
const dark = 'rgb(17, 26, 43)'

test('the dashboard follows the system while it is open, until the user chooses', async ({
  page,
  openDashboard,
}) => {
  await openDashboard('/app/settings')
  await expect(choice(page, 'System')).toBeChecked()
  expect(await paper(page)).toBe(light)
  await page.emulateMedia({ colorScheme: 'dark' })
  await isDark(page, true)
  expect(await paper(page)).toBe(dark)
  await expect(barColour(page)).toHaveAttribute('content', '#111a2b')
  expect(await scheme(page).evaluate((html) => getComputedStyle(html).colorScheme)).toBe('dark')

  await choice(page, 'System').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(choice(page, 'Dark')).toBeChecked()
  await page.keyboard.press('ArrowLeft')
  await expect(choice(page, 'Light')).toBeChecked()
  await isDark(page, false)
  await expect(barColour(page)).toHaveAttribute('content', '#ffffff')
  await page.reload()
  await expect(choice(page, 'Light')).toBeChecked()
  await isDark(page, false)
  await choice(page, 'System').check({ force: true })
  await isDark(page, true)
  await page.emulateMedia({ colorScheme: 'light' })
  await isDark(page, false)
})

test('a choice of appearance persists, applies to other tabs, and leaves the public pages light', async ({
  page,
  context,
  openDashboard,
}) => {
  await openDashboard('/app/settings')
  const other = await context.newPage()
  await other.goto('/app/reconciliations')
  await expect(title(other, 'Reconciliations')).toBeVisible()
  await choice(page, 'Dark').check({ force: true })
  for (const tab of [page, other]) await isDark(tab, true)
  await expect(choice(other, 'Dark')).toBeChecked()

  await page.getByRole('contentinfo').getByRole('link', { name: 'Help' }).click()
  await expect(page).toHaveURL('/help')
  await isDark(page, false)
  expect(await paper(page)).toBe(light)
  await page.goBack()
  await expect(title(page, 'Settings')).toBeVisible()
  await isDark(page, true)
  await page.goto('/')
  await isDark(page, false)
})

test('a dark dashboard is dark in every frame', async ({ page, merchant }) => {
  await storeTokens(page, merchant.tokens)
  await page.evaluate(() => localStorage.setItem('colorScheme', 'dark'))
  await page.addInitScript(() => {
    const frames: string[] = []
    Object.assign(window, { framesSeen: frames })
    const watch = () => {
      if (document.body) frames.push(getComputedStyle(document.body).backgroundColor)
      requestAnimationFrame(watch)
    }
    requestAnimationFrame(watch)
  })
  await page.goto('/app/settings')
  await expect(title(page, 'Settings')).toBeVisible()
  const frames = await page.evaluate(() => (window as unknown as { framesSeen: string[] }).framesSeen)
  expect(frames.length).toBeGreaterThan(1)
  expect([...new Set(frames)]).toEqual([dark])
})

test('a browser can install the dashboard', async ({ page, request, openDashboard }) => {
  await openDashboard('/app/settings')
  await expect(title(page, 'Settings')).toBeVisible()
  const browser = await page.context().newCDPSession(page)
  const { url, data, errors } = await browser.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(new URL(url).pathname).toBe('/manifest.webmanifest')
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
  // Playwright's windows are private, and a private window offers no installation.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])

  const manifest = JSON.parse(data ?? '') as {
    start_url: string
    display: string
    icons: { src: string; sizes: string; type: string; purpose?: string }[]
    shortcuts: { url: string }[]
  }
  expect(manifest).toMatchObject({ id: '/app', name: 'Muripo', start_url: '/app', display: 'standalone' })
  expect(manifest.icons.filter(({ purpose }) => purpose === 'maskable')).toHaveLength(1)
  for (const { src, sizes, type } of manifest.icons) {
    const answer = await request.get(src)
    expect(answer.headers()['content-type'], src).toContain(type)
    if (type !== 'image/png') continue
    const png = await answer.body()
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, src).toBe(sizes)
  }
  for (const { url: shortcut } of manifest.shortcuts) {
    await page.goto(shortcut)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveURL(shortcut)
  }
})

/** Forced colours remove backgrounds. An element is then marked by its outline, or by a colour that forced colours keep. */
const look = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { outlineStyle, forcedColorAdjust, backgroundColor } = getComputedStyle(element)
      return { outlineStyle, forcedColorAdjust, backgroundColor }
    })

test('in forced colours the current page, the chosen appearance, a status and the bars are distinguishable', async ({
  page,
  seller,
  wallet,
  openDashboard,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await approved(seller, wallet)
  await openDashboard('/app')
  const badge = page.locator('[data-tone]').first()
  await expect(badge).toBeVisible()
  for (const marked of ['aside [aria-current=page]', 'aside label:has(:checked)', '[data-tone]'])
    expect((await look(page, marked)).outlineStyle, marked).toBe('solid')
  expect((await look(page, 'aside a:not([aria-current])')).outlineStyle).toBe('none')
  const bars = page.locator('main [class*=_bar_]')
  const paperBehind = await page.locator('main').evaluate((main) => getComputedStyle(main).backgroundColor)
  expect(await bars.count()).toBeGreaterThan(0)
  expect((await look(page, 'main [class*=_bar_]')).backgroundColor).not.toBe(paperBehind)
})

/** The elements whose text is cut off, or whose lines overlap, with larger text. */
const squeezed = (page: Page) =>
  page.locator('main *').evaluateAll((elements) => {
    const pen = document.createElement('canvas').getContext('2d')
    const textOf = (field: HTMLInputElement | HTMLSelectElement) =>
      field instanceof HTMLSelectElement
        ? (field.selectedOptions[0]?.text ?? '')
        : field.value || field.placeholder
    const isFieldCut = (field: HTMLInputElement | HTMLSelectElement) => {
      const isPlaceholder = field instanceof HTMLInputElement && field.value === ''
      const { font } = getComputedStyle(field, isPlaceholder ? '::placeholder' : null)
      const { paddingLeft, paddingRight } = getComputedStyle(field)
      const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      if (pen) pen.font = font
      return (pen?.measureText(textOf(field)).width ?? Number.POSITIVE_INFINITY) > room + 1
    }
    return elements
      .filter((element) => element.checkVisibility() && element.clientWidth > 1)
      .filter((element) => {
        const { lineHeight, fontSize, textOverflow } = getComputedStyle(element)
        const hasText = [...element.childNodes].some(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
        )
        if (element.matches('input:not([type=date], [type=radio], [type=checkbox], [type=file]), select'))
          return isFieldCut(element as HTMLInputElement)
        const isTight = hasText && Number.parseFloat(lineHeight) < Number.parseFloat(fontSize)
        const isWhole = element.matches('button, button *') || (hasText && textOverflow === 'ellipsis')
        return isTight || (isWhole && element.scrollWidth > element.clientWidth + 1)
      })
      .map((element) => element.outerHTML.slice(0, 160))
  })

test.describe('in isiNdebele with text of twice the size', () => {
  test.use({ locale: 'nd-ZW', viewport: { width: 375, height: 740 } })

  test('no lines overlap, and no button, field or name cuts off its text, on a phone and a tablet', async ({
    page,
    seller,
    openDashboard,
  }) => {
    await seller.pay()
    await openDashboard('/app')
    const pages = ['/app', '/app/payments', '/app/applications', '/app/invoices', '/app/settings']
    for (const path of [...pages, `/app/applications/manage/${seller.application._id}`]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
      await page.addStyleTag({ content: 'html { font-size: 200% }' })
      for (const width of [375, 768]) {
        await page.setViewportSize({ width, height: 740 })
        await checkLayout(page, `double-text${path.replaceAll('/', '-')}-${width}`)
        expect.soft(await squeezed(page), `${path} at ${width} px`).toEqual([])
      }
      await page.setViewportSize({ width: 375, height: 740 })
    }
  })
})

test('on a phone with text of twice the size the name of a search is as large as other text', async ({
  page,
  openDashboard,
}) => {
  await page.setViewportSize({ width: 375, height: 740 })
  await openDashboard('/app/payments')
  for (const [path, name] of [
    ['/app/payments', 'Search by payment ID'],
    ['/app/applications', 'Search applications'],
  ] as const) {
    await page.goto(path)
    const label = page.getByText(name, { exact: true })
    await expect(page.getByRole('searchbox', { name })).toBeVisible()
    expect((await label.boundingBox())?.height, 'hidden where the placeholder has room').toBeLessThan(2)
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    await expect(label).toHaveCSS('font-size', '30px')
    expect((await label.boundingBox())?.height).toBeGreaterThan(30)
    await checkLayout(page, `double-text-search${path.replaceAll('/', '-')}`)
  }
})
