import { readFile } from 'node:fs/promises'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { type Locale, locales } from '@muripo/contract/enums'
import { accountBanner } from './account-banner.ts'
import { activity } from './activity.ts'
import { applications } from './applications.ts'
import { auth } from './auth.ts'
import { categories } from './categories.ts'
import { chat } from './chat.ts'
import { codes } from './codes.ts'
import { common } from './common.ts'
import { console } from './console.ts'
import { consoleMoney } from './console-money.ts'
import { consoleOperation } from './console-operation.ts'
import { consolePages } from './console-pages.ts'
import { consoleRecords } from './console-records.ts'
import { dashboard } from './dashboard.ts'
import { email } from './email.ts'
import { consoleErrors, dashboardErrors, errors } from './errors.ts'
import { failures } from './failures.ts'
import { firstSteps } from './first-steps.ts'
import { formats } from './formats.ts'
import { keys } from './keys.ts'
import { newPayment } from './new-payment.ts'
import { notices } from './notices.ts'
import { overview } from './overview.ts'
import { payer } from './payer.ts'
import { payments } from './payments.ts'
import { readTranslations } from './po.ts'
import { pseudoMessage } from './pseudo.ts'
import { roleNames, roles } from './roles.ts'
import { samples } from './samples.ts'
import { security, stepUp } from './security.ts'
import { settings } from './settings.ts'
import { site, sitePages } from './site.ts'
import { access, invitation, team } from './team.ts'
import { till } from './till.ts'
import { type Compiled, type Texts, type Translate, translatorOf } from './translator.ts'
import { webhooks } from './webhooks.ts'

/** The English texts of each catalogue. */
export const catalogues = {
  access,
  accountBanner,
  activity,
  applications,
  auth,
  categories,
  chat,
  codes,
  common,
  console,
  consoleErrors,
  consoleMoney,
  consoleOperation,
  consolePages,
  consoleRecords,
  dashboard,
  dashboardErrors,
  email,
  errors,
  failures,
  firstSteps,
  formats,
  keys,
  invitation,
  newPayment,
  notices,
  overview,
  payer,
  payments,
  roleNames,
  roles,
  samples,
  security,
  settings,
  site,
  sitePages,
  stepUp,
  till,
  team,
  webhooks,
} as const satisfies Readonly<Record<string, Texts>>
export type CatalogueName = keyof typeof catalogues

export const translatedLocales = ['sn', 'nd'] as const satisfies readonly Locale[]
export type TranslatedLocale = (typeof translatedLocales)[number]

/** The catalogues of each group of pages. A page loads the translations of its group in its own language, and no others. */
export const pageGroups = {
  auth: ['common', 'chat', 'errors', 'formats', 'auth', 'invitation', 'roleNames', 'roles'],
  dashboard: [
    'common',
    'chat',
    'errors',
    'dashboardErrors',
    'failures',
    'formats',
    'dashboard',
    'overview',
    'firstSteps',
    'payments',
    'newPayment',
    'samples',
    'settings',
    'security',
    'stepUp',
    'activity',
    'applications',
    'categories',
    'webhooks',
    'keys',
    'till',
    'access',
    'accountBanner',
    'team',
    'roleNames',
    'roles',
  ],
  console: [
    'common',
    'errors',
    'dashboardErrors',
    'failures',
    'formats',
    'dashboard',
    'payments',
    'console',
    'consoleErrors',
    'consolePages',
    'consoleRecords',
    'consoleOperation',
    'consoleMoney',
  ],
  site: ['common', 'chat', 'errors', 'formats', 'site', 'sitePages'],
} as const satisfies Readonly<Record<string, readonly CatalogueName[]>>
export type PageGroup = keyof typeof pageGroups

/** The file with the translations of a catalogue. */
export const fileOf = (name: CatalogueName, locale: TranslatedLocale): URL =>
  new URL(`../${locale}/${name}.po`, import.meta.url)

/**
 * The compiled texts of a catalogue. A text without a translation is English.
 * @param locale pseudo: the English texts in disguise, for tests
 */
export async function compiledTexts(name: CatalogueName, locale: Locale | 'pseudo'): Promise<Compiled> {
  const translated: Texts =
    locale === 'en' || locale === 'pseudo'
      ? {}
      : readTranslations(await readFile(fileOf(name, locale), 'utf8'))
  const compile = locale === 'pseudo' ? pseudoMessage : compileMessageOrThrow
  const english: Texts = catalogues[name]
  return Object.fromEntries(
    Object.entries(english).map(([key, text]) => [key, compile(translated[key] || text)]),
  )
}

/** The translators of a catalogue, for a program that reads it when it starts. */
export async function translatorsFor<Name extends CatalogueName>(
  name: Name,
): Promise<Readonly<Record<Locale, Translate<(typeof catalogues)[Name]>>>> {
  const all = locales.map(
    async (locale) =>
      [locale, translatorOf<(typeof catalogues)[Name]>(await compiledTexts(name, locale))] as const,
  )
  return Object.fromEntries(await Promise.all(all)) as Record<Locale, Translate<(typeof catalogues)[Name]>>
}
