import type { Page } from '@playwright/test'
import { publicPages } from '../scripts/lib/public-pages.ts'
import { expect, statusError, test } from './fixtures.ts'
import { expectValidHtml } from './lib/check-html.ts'
import { checkTranslation } from './lib/check-page.ts'
import { translatedPages, waitForScripts, watchFramework } from './lib/site.ts'

/** Ndebele, whose words need most room. `scripts/checks/translations.test.ts` compares the texts of all languages. */
const locale = 'nd'
const words = {
  home: 'Izindlela zokubhadalwa ezingelahlupho zebhizimusi lakho',
  running: 'Konke kuyasebenza',
  english: 'Ikhasi leli libhalwe ngesiNgisi.',
  missing: 'Ikhasi leli alikho',
  send: 'Thumela umlayezo',
  noName: 'Faka ibizo lakho',
  noEmail: 'Faka i-email',
  noMessage: 'Bhala umlayezo wakho',
  name: 'Ibizo',
  email: 'I-email',
  message: 'Umlayezo',
  sent: 'Siyabonga',
  amount: 'Imali yembadalo, ngamadola e-US',
  amountMissing: 'Bhala imali, njengo 25',
  copy: 'Khopha: TypeScript',
  copied: 'Kukhotshiwe: TypeScript',
  chat: 'Vula i-chat yosizo',
  greeting: 'Salibonani! Siyakwamukela kuMuripo. Singakusiza ngani?',
} as const

const language = (page: Page) => page.locator('html').getAttribute('lang')

test.describe(locale, () => {
  test.use({ locale: `${locale}-ZW` })

  test('the short pages are translated and fit the screen, and axe finds no violations', async ({
    page,
    consoleErrors,
  }) => {
    for (const path of translatedPages) {
      await page.goto(path)
      await waitForScripts(page)
      if (path === '/status') await expect(page.getByText(words.running)).toBeVisible()
      expect(await language(page), path).toBe(locale)
      await expect(page.getByText(words.english), path).toHaveCount(0)
      await checkTranslation(page, `${path.slice(1) || 'home'}-${locale}`)
    }
    await page.goto('/no/such/page')
    await expect(page.getByRole('heading', { name: words.missing })).toBeVisible()
    await checkTranslation(page, `not-found-${locale}`)
    await consoleErrors.expect(statusError(404))
  })

  test('a page that is not translated is marked as English', async ({ page }) => {
    await page.goto('/terms')
    expect(await language(page)).toBe(locale)
    await expect(page.getByRole('main')).toHaveAttribute('lang', 'en')
    await expect(page.getByText(words.english)).toHaveAttribute('lang', locale)
    await checkTranslation(page, `terms-${locale}`)
  })

  test('the HTML of every public page is valid', async ({ request }) => {
    const headers = { 'accept-language': locale }
    for (const path of [...publicPages, '/api-reference', '/nowhere'])
      await expectValidHtml(await (await request.get(path, { headers })).text(), `${path} in ${locale}`)
  })

  test('the head of a page is in its language, and names the other languages', async ({ request }) => {
    const titles = new Set<string>()
    for (const path of translatedPages) {
      const html = await (await request.get(path, { headers: { 'accept-language': locale } })).text()
      titles.add(/<title>([^<]+)</.exec(html)?.[1] ?? '')
      expect(html, path).toMatch(/<meta name="description" content="[^"]{50,170}"/)
      expect(html, path).toMatch(new RegExp(`<link rel="canonical" href="[^"]+\\?lang=${locale}"`))
      for (const other of ['en', 'sn', 'nd', 'x-default']) expect(html, path).toMatch(alternateTo(other))
    }
    expect(titles.size).toBe(translatedPages.length)
    const english = await (await request.get('/terms', { headers: { 'accept-language': locale } })).text()
    expect(english).not.toContain('rel="alternate"')
  })

  test('the contact form names the missing fields, and sends a complete message', async ({ page }) => {
    await page.goto('/contact')
    await waitForScripts(page)
    await page.getByRole('button', { name: words.send }).click()
    for (const error of [words.noName, words.noEmail, words.noMessage])
      await expect(page.getByText(error, { exact: true })).toBeVisible()
    await checkTranslation(page, `contact-errors-${locale}`)
    await page.getByLabel(words.name, { exact: true }).fill('Chiedza')
    await page.getByLabel(words.email, { exact: true }).fill('chiedza@example.com')
    await page.getByLabel(words.message, { exact: true }).fill('Do you open on Sundays?')
    await page.getByRole('button', { name: words.send }).click()
    await expect(page.getByRole('heading', { name: words.sent })).toBeVisible()
  })

  test('the text that scripts add is in the language of the page, with the framework and without', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/')
    await waitForScripts(page)
    await page.getByRole('button', { name: words.copy }).click()
    await expect(page.getByRole('button', { name: words.copied })).toBeVisible()
    await page.getByRole('button', { name: words.chat }).click()
    await expect(page.getByText(words.greeting)).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: words.home })).toBeVisible()

    await page.goto('/pricing')
    await waitForScripts(page)
    await page.getByLabel(words.amount).fill('')
    await expect(page.getByText(words.amountMissing)).toBeVisible()
  })
})

const alternateTo = (other: string) =>
  new RegExp(
    `<link rel="alternate" hrefLang="${other}" href="[^"?]+${other === 'en' || other === 'x-default' ? '' : `\\?lang=${other}`}"`,
  )

test.describe('a choice', () => {
  for (const javaScriptEnabled of [true, false])
    test.describe(javaScriptEnabled ? 'with script' : 'without script', () => {
      test.use({ javaScriptEnabled })

      test('is a link on every page, and persists', async ({ page }) => {
        await page.goto('/pricing')
        expect(await language(page)).toBe('en')
        await page.getByRole('link', { name: 'isiNdebele' }).click()
        await expect(page).toHaveURL('/pricing?lang=nd')
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bhadala kuphela nxa usubhadelwe')
        expect(await language(page)).toBe('nd')
        await page.goto('/terms')
        await expect(page.getByText(words.english)).toBeVisible()
        await page.getByRole('link', { name: 'English' }).click()
        await expect(page.getByText(words.english)).toHaveCount(0)
        await page.goto('/')
        expect(await language(page)).toBe('en')
      })
    })

  test('keeps typed text where the framework runs', async ({ page }) => {
    const frameworkRuns = await watchFramework(page)
    await page.goto('/contact')
    await page.getByLabel('Message').fill('Hello')
    await frameworkRuns()
    await page.getByRole('link', { name: 'chiShona' }).click()
    await expect(page.getByLabel('Meseji', { exact: true })).toHaveValue('Hello')
    await expect(page).toHaveTitle('Taurai nesu · Muripo')
    expect(await language(page)).toBe('sn')
  })
})
