import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { button, codeAfter, title } from './lib/auth.ts'
import { checkPage } from './lib/check-page.ts'
import { toast } from './lib/toast.ts'

const languages = {
  sn: {
    signIn: 'Pindai',
    password: 'Password',
    email: 'Email',
    accepted: 'Password yatambirwa! Tarisai kodhi muemail yenyu.',
    code: 'Isai kodhi yenyu',
    codeBox: 'Kodhi inoshanda kamwe chete, nhamba 1 pa6',
    verify: 'Simbisai kodhi',
  },
  nd: {
    signIn: 'Ngena',
    password: 'Iphasiwedi',
    email: 'I-email',
    accepted: 'Iphasiwedi yemukelwe! Khangela ikhodi ku-email yakho.',
    code: 'Faka ikhodi yakho',
    codeBox: 'Ikhodi esebenza kanye kuphela, inombolo 1 kwezingu-6',
    verify: 'Qinisekisa ikhodi',
  },
} as const

async function check(page: Page, locale: string, name: string, width: number) {
  expect(await page.locator('html').getAttribute('lang')).toBe(locale)
  await checkPage(page, `${name}-${locale}-${width}`)
}

for (const [locale, words] of Object.entries(languages))
  for (const width of [375, 1440])
    test.describe(`${locale} at ${width} px`, () => {
      test.use({ viewport: { width, height: 800 }, locale: `${locale}-ZW` })

      test('signing in', async ({ page, gateway, merchant: { account } }) => {
        const answer = await page.goto('/auth/signin')
        expect(await answer?.text()).toContain(`<title>${words.signIn} · Muripo</title>`)
        await expect(title(page, words.signIn)).toBeVisible()
        await expect(page).toHaveTitle(`${words.signIn} · Muripo`)
        await check(page, locale, 'sign-in', width)
        await page.getByLabel(words.email, { exact: true }).fill(account.email)
        await page.getByLabel(words.password, { exact: true }).fill(account.password)
        await button(page, words.signIn).click()
        await expect(toast(page, words.accepted)).toBeVisible()
        await expect(title(page, words.code)).toBeVisible()
        await check(page, locale, 'code', width)
        const code = await codeAfter(gateway, account.email, 1)
        await page.getByRole('textbox', { name: words.codeBox }).click()
        await page.keyboard.type(code)
        await button(page, words.verify).click()
        await expect(page).toHaveURL('/app')
        // The dashboard is in English.
        await expect(page.locator('html')).toHaveAttribute('lang', 'en')
      })
    })

test.describe('a choice', () => {
  test.use({ locale: 'sn-ZW' })

  test('is a link, which stays for all pages and keeps the token of a mailed link', async ({ page }) => {
    await page.goto('/auth/password/reset#token')
    await expect(title(page, 'Isai password itsva')).toBeVisible()
    await page.getByRole('link', { name: 'isiNdebele' }).click()
    await expect(title(page, 'Faka iphasiwedi entsha')).toBeVisible()
    await expect(page).toHaveURL('/auth/password/reset?lang=nd#token')
    await page.goto('/auth/signin')
    await expect(title(page, 'Ngena')).toBeVisible()
    await page.getByRole('link', { name: 'English' }).click()
    await expect(title(page, 'Sign in')).toBeVisible()
  })

  test('holds for a page that is opened from one in English', async ({ page }) => {
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.getByRole('link', { name: 'Sign In' }).first().click()
    await expect(title(page, 'Pindai')).toBeVisible()
    await expect(page).toHaveTitle('Pindai · Muripo')
    await expect(page.locator('html')).toHaveAttribute('lang', 'sn')
  })

  test('a translation that cannot be loaded leaves the page in English', async ({ page, complaints }) => {
    complaints.tolerate(/auth-sn-|Hydration|hydrat|#418|code was not loaded/)
    await page.route('**/assets/auth-sn-*.json', (route) => route.abort())
    await page.goto('/')
    await page.getByRole('link', { name: 'Sign In' }).first().click()
    await expect(title(page, 'Sign in')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })
})
