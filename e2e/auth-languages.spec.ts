import { newEmail, password } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import { codeAfter } from './lib/auth.ts'
import { checkTranslation } from './lib/check-page.ts'
import { button, expectToast, title } from './lib/page.ts'
import { pdf } from './lib/pdf.ts'

/** Ndebele, whose words need most room. `scripts/checks/translations.test.ts` compares the texts of all languages. */
const locale = 'nd'
const words = {
  signIn: 'Ngena',
  password: 'Iphasiwedi',
  email: 'I-email',
  accepted: 'Iphasiwedi yemukelwe! Khangela ikhodi ku-email yakho.',
  code: 'Faka ikhodi yakho',
  codeBox: 'Ikhodi esebenza kanye kuphela, inombolo 1 kwezingu-6',
  verify: 'Qinisekisa ikhodi',
  wrong: 'I-email loba iphasiwedi kayisiyo',
  signUp: 'Vula i-account yakho',
  create: 'Vula i-account',
  fullName: 'Ibizo eliphelele',
  phone: 'Inombolo yefoni',
  documentType: 'Uhlobo lwencwadi yokwaziwa',
  taxId: 'Inombolo yomthelo (Tax ID)',
  document: 'Incwadi yokwaziwa, i-PDF engaphansi kwe-10 MB',
  missing: 'Faka ibizo eliphelele',
  common: 'Iphasiwedi le isetshenziswa ngabantu abanengi. Khetha enye',
  created: 'I-account yakho isivuliwe!',
  next: 'Ngena khathesi',
  payments: 'Izimbadalo',
} as const

async function check(page: Page, locale: string, name: string) {
  expect(await page.locator('html').getAttribute('lang')).toBe(locale)
  await checkTranslation(page, `${name}-${locale}`)
}

test.describe(locale, () => {
  test.use({ locale: `${locale}-ZW` })

  test('signing in', async ({ page, gateway, consoleErrors, merchant: { account } }) => {
    const answer = await page.goto('/auth/signin')
    expect(await answer?.text()).toContain(`<title>${words.signIn} · Muripo</title>`)
    await expect(title(page, words.signIn)).toBeVisible()
    await expect(page).toHaveTitle(`${words.signIn} · Muripo`)
    await check(page, locale, 'sign-in')
    await page.getByLabel(words.email, { exact: true }).fill(account.email)
    await page.getByLabel(words.password, { exact: true }).fill('another sentence')
    await button(page, words.signIn).click()
    await expectToast(page, words.wrong)
    await consoleErrors.expect(statusError(401))
    await check(page, locale, 'sign-in-refused')
    await page.getByLabel(words.password, { exact: true }).fill(account.password)
    await button(page, words.signIn).click()
    await expectToast(page, words.accepted)
    await expect(title(page, words.code)).toBeVisible()
    await check(page, locale, 'code')
    const code = await codeAfter(gateway, account.email, 1)
    await page.getByRole('textbox', { name: words.codeBox }).click()
    await page.keyboard.type(code)
    await button(page, words.verify).click()
    await expect(page).toHaveURL('/app')
    await expect(page.locator('nav a', { hasText: words.payments }).first()).toBeAttached()
    await check(page, locale, 'dashboard')
  })

  test('opening an account', async ({ page, consoleErrors }) => {
    await page.goto('/auth/signup')
    await expect(title(page, words.signUp)).toBeVisible()
    await button(page, words.create).click()
    await expect(page.getByText(words.missing)).toBeVisible()
    await check(page, locale, 'sign-up-errors')
    await page.getByLabel(words.fullName).fill('Tariro Moyo')
    await page.getByLabel(words.email, { exact: true }).fill(newEmail())
    await page.getByLabel(words.phone).fill('077 123 4567')
    await page.getByLabel(words.password, { exact: true }).fill('liverpool1')
    await page.getByRole('combobox', { name: words.documentType }).selectOption(words.taxId)
    await page.getByLabel(words.document).setInputFiles(pdf)
    await button(page, words.create).click()
    await expectToast(page, words.common)
    await consoleErrors.expect(statusError(422))
    await page.getByLabel(words.password, { exact: true }).fill(password)
    await button(page, words.create).click()
    await expect(page.getByRole('dialog', { name: words.created })).toBeVisible()
    await check(page, locale, 'account-created')
    await page.getByRole('link', { name: words.next }).click()
    await expect(title(page, words.signIn)).toBeVisible()
  })
})

test.describe('a choice', () => {
  test.use({ locale: 'sn-ZW' })

  test('is a link, applies to all pages and keeps the token of an emailed link', async ({ page }) => {
    await page.goto('/auth/password/reset#token')
    await expect(title(page, 'Isai password itsva')).toBeVisible()
    const field = page.locator('input[type=password]').first()
    await field.fill('a long sentence')
    await page.getByRole('link', { name: 'isiNdebele' }).click()
    await expect(title(page, 'Faka iphasiwedi entsha')).toBeVisible()
    await expect(field).toHaveValue('a long sentence')
    await expect(page).toHaveURL('/auth/password/reset?lang=nd#token')
    await page.goto('/auth/signin')
    await expect(title(page, 'Ngena')).toBeVisible()
    await page.getByRole('link', { name: 'English' }).click()
    await expect(title(page, 'Sign in')).toBeVisible()
  })

  test('applies to a page that is opened from a page in English', async ({ page }) => {
    await page.goto('/terms')
    await expect(page.getByRole('main')).toHaveAttribute('lang', 'en')
    await page.getByRole('link', { name: 'Pindai' }).first().click()
    await expect(title(page, 'Pindai')).toBeVisible()
    await expect(page).toHaveTitle('Pindai · Muripo')
    await expect(page.locator('html')).toHaveAttribute('lang', 'sn')
  })

  test('a translation that cannot be loaded leaves the page in English', async ({ page, consoleErrors }) => {
    consoleErrors.ignore(/auth-sn-|Hydration|hydrat|#418|code was not loaded/)
    await page.route('**/assets/auth-sn-*.json', (route) => route.abort())
    await page.goto('/')
    await page.getByRole('link', { name: 'Pindai' }).first().click()
    await expect(title(page, 'Sign in')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })
})
