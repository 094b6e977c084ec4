import { call } from '@muripo/rig/call'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { checkTranslation } from './lib/check-page.ts'
import { button, expectToast } from './lib/page.ts'

/** Ndebele, whose words need most room. `scripts/checks/translations.test.ts` compares the texts of all languages. */
const locale = 'nd'
const words = {
  name: 'isiNdebele',
  title: 'Amasethingi',
  language: 'Ulimi',
  save: 'Gcina ulimi',
  saved: 'Ulimi lugciniwe',
  zone: 'Khathesi lapho sekungu-',
  change: 'Tshintsha iphasiwedi',
  missing: 'Faka iphasiwedi olayo khathesi',
  add: 'Engeza i-passkey',
  everywhere: 'Phuma kuzo zonke',
  confirmation: 'Ufuna ukuphuma kuzo zonke izisetshenziswa na?',
} as const

const choose = async (page: Page, label: string, language: string, save: string) => {
  await page.getByRole('combobox', { name: label }).selectOption(language)
  await button(page, save).click()
}

test('the settings change the language of the dashboard', async ({
  page,
  gateway,
  merchant: { tokens },
  openDashboard,
}) => {
  const localeOfAccount = async () => {
    const { body } = await call('GET', `${gateway.url}/v1/account`, { bearer: tokens.authToken })
    return (body as { locale: string | null }).locale
  }
  await openDashboard('/app/settings')
  await page.getByLabel('Current password', { exact: true }).fill('kept')
  await choose(page, 'Language', words.name, 'Save Language')
  await expectToast(page, words.saved)
  await expect(page.getByRole('heading', { level: 1, name: words.title })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', locale)
  await expect(page.locator('[name=currentPassword]')).toHaveValue('kept')
  expect(await localeOfAccount()).toBe(locale)

  await page.reload()
  await expect(page.getByRole('combobox', { name: words.language })).toHaveValue(locale)
  await expect(page.getByText(words.zone)).toBeVisible()
  await button(page, words.change).click()
  await expect(page.getByText(words.missing)).toBeVisible()
  await checkTranslation(page, `settings-${locale}`)
  await button(page, words.add).click()
  await expect(page.getByRole('dialog', { name: words.add })).toBeVisible()
  await checkTranslation(page, `settings-passkey-${locale}`)
  await page.keyboard.press('Escape')
  await button(page, words.everywhere).click()
  await expect(page.getByRole('dialog', { name: words.confirmation })).toBeVisible()
  await checkTranslation(page, `settings-everywhere-${locale}`)
  await page.keyboard.press('Escape')

  await choose(page, words.language, 'English', words.save)
  await expectToast(page, 'Language saved')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  expect(await localeOfAccount()).toBe('en')
})
