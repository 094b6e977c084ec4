import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import * as account from '@muripo/contract/account'
import * as applicationRoutes from '@muripo/contract/applications'
import * as auth from '@muripo/contract/auth'
import { getConfig } from '@muripo/contract/config'
import * as payments from '@muripo/contract/dashboard-payments'
import * as webhooks from '@muripo/contract/dashboard-webhooks'
import * as passkeys from '@muripo/contract/passkeys'
import * as paymentActions from '@muripo/contract/payment-actions'
import * as paymentExports from '@muripo/contract/payment-exports'
import type { RouteSpec } from '@muripo/contract/route'
import { sendContact } from '@muripo/contract/site'
import * as stats from '@muripo/contract/stats'
import * as team from '@muripo/contract/team'
import * as till from '@muripo/contract/till'
import {
  type CatalogueName,
  catalogues,
  fileOf,
  pageGroups,
  translatedLocales,
} from '@muripo/locales/catalogues'
import type { Texts } from '@muripo/locales/translator'
import PO from 'pofile'
import { describe, expect, test } from 'vitest'
import { repository } from '../lib/repository.ts'
import { sources } from '../lib/sources.ts'

const names = Object.keys(catalogues) as CatalogueName[]

/** The folders whose code may name the texts of a catalogue. */
const users: Readonly<Record<CatalogueName, readonly string[]>> = {
  access: ['apps/web/app/components/refusal.tsx', 'apps/web/app/shell/dashboard/*.tsx'],
  accountBanner: ['apps/web/app/shell/dashboard/account-banner.tsx'],
  activity: ['apps/web/app/features/settings/activity/*.{ts,tsx}', 'apps/server/src/platform/audit/audit.ts'],
  applications: ['apps/web/app/features/applications/*.{ts,tsx}'],
  auth: [
    'apps/web/app/features/auth/**/*.{ts,tsx}',
    'apps/web/app/lib/passkeys.ts',
    'packages/contract/src/{document-types,enums}.ts',
  ],
  categories: ['packages/contract/src/enums.ts'],
  chat: ['apps/web/app/shell/chat/*.tsx'],
  codes: ['apps/server/src/modules/identity/**/*.ts'],
  common: ['apps/web/app/**/*.{ts,tsx}'],
  dashboard: ['apps/web/app/{components,lib,live,shell,features}/**/*.{ts,tsx}'],
  dashboardErrors: [
    'packages/contract/src/{application-fields,brand,errors}.ts',
    'packages/locales/src/errors.ts',
    'apps/server/src/platform/outbound/targets.ts',
    'apps/server/src/modules/{applications,identity,payments,providers,webhooks}/**/*.ts',
  ],
  email: ['apps/server/src/platform/mail/*.ts'],
  errors: [
    'packages/contract/src/{auth,auth-fields,contact-fields,errors,fields}.ts',
    'apps/server/src/platform/**/*.ts',
    'apps/server/src/modules/identity/**/*.ts',
    'apps/web/app/features/{auth,team}/**/*.{ts,tsx}',
  ],
  console: ['apps/web/app/features/console/**/*.{ts,tsx}', 'apps/web/app/lib/passkeys.ts'],
  consoleErrors: ['apps/server/src/modules/operators/**/*.ts'],
  consoleMoney: ['apps/web/app/features/console/**/*.{ts,tsx}'],
  consoleOperation: ['apps/web/app/features/console/**/*.{ts,tsx}'],
  consolePages: ['apps/web/app/features/console/**/*.{ts,tsx}'],
  consoleRecords: ['apps/web/app/features/console/**/*.{ts,tsx}'],
  failures: ['apps/web/app/{api,features}/**/*.ts'],
  firstSteps: ['apps/web/app/features/overview/first-steps/*.tsx'],
  formats: ['apps/web/app/lib/use-formats.ts'],
  keys: ['apps/web/app/features/applications/keys/*.{ts,tsx}'],
  invitation: ['apps/web/app/features/auth/invitation/*.tsx'],
  newPayment: ['apps/web/app/features/payments/new-payment/*.{ts,tsx}'],
  notices: ['apps/server/src/modules/{identity,applications,webhooks}/**/*.ts'],
  overview: ['apps/web/app/features/overview/*.tsx'],
  payer: [
    'apps/web/app/features/checkout/**/*.{ts,tsx}',
    'apps/server/src/modules/{checkout,payments,providers}/**/*.ts',
    'apps/server/src/platform/mail/*.ts',
  ],
  payments: ['apps/web/app/{features/payments,lib}/**/*.{ts,tsx}', 'apps/web/app/components/timeline.tsx'],
  roleNames: ['packages/contract/src/permissions.ts'],
  roles: ['apps/web/app/components/role-duties.tsx'],
  samples: ['apps/web/app/features/{invoices,reconciliations}/*.tsx'],
  security: ['apps/web/app/features/settings/security/*.tsx'],
  stepUp: ['apps/web/app/shell/dashboard/step-up-dialog.tsx'],
  settings: [
    'apps/web/app/features/settings/**/*.tsx',
    'apps/web/app/lib/passkeys.ts',
    'packages/contract/src/enums.ts',
  ],
  site: ['apps/web/app/features/site/{landing/,code/,}*.{ts,tsx}'],
  sitePages: ['apps/web/app/features/site/{pages,pricing}/*.tsx', 'packages/contract/src/{pricing,site}.ts'],
  till: ['apps/web/app/features/till/*.{ts,tsx}'],
  team: ['apps/web/app/features/team/*.tsx'],
  webhooks: ['apps/web/app/features/applications/webhooks/*.{ts,tsx}'],
}

/** The names of a message's values with their formats and choices: the parts that a translation cannot change. */
function placeholdersOf(message: string): string[] {
  const found = new Set<string>()
  const collect = (tokens: unknown): void => {
    if (!Array.isArray(tokens)) return
    for (const token of tokens) {
      if (!Array.isArray(token)) continue
      const [name, format, choices] = token
      const isChoice = typeof choices === 'object' && choices !== null
      const cases = isChoice ? Object.entries(choices).filter(([key]) => key !== 'offset') : []
      // The plural forms of languages differ.
      const keys = format === 'select' ? cases.map(([key]) => key).sort() : []
      found.add([name, format, ...keys].filter(Boolean).join(' '))
      for (const [, text] of cases) collect(text)
    }
  }
  collect(compileMessageOrThrow(message))
  return [...found].sort()
}

test('npm run translations has nothing to write', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/translations.ts', '--verify'], {
    cwd: repository,
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([0, ''])
})

describe.each(names)('the catalogue %s', (name) => {
  const english: Texts = catalogues[name]

  test('has no text that the code does not use', () => {
    const code = sources(...users[name])
      .filter(({ file }) => !/\.(test|spec)\.tsx?$/.test(file))
      .map(({ text }) => text)
      .join('\n')
    const unused = Object.keys(english).filter((key) => !new RegExp(`(['"])${key}\\1`).test(code))
    expect(unused).toEqual([])
  })

  test.each(translatedLocales)('is translated as it is now: %s', (locale) => {
    const { items } = PO.parse(readFileSync(fileOf(name, locale), 'utf8'))
    // `npm run translations` writes them.
    expect(items.map(({ msgctxt, msgid }) => [msgctxt, msgid])).toEqual(Object.entries(english))
    expect(items.filter(({ msgstr }) => !msgstr[0]?.trim()).map(({ msgctxt }) => msgctxt)).toEqual([])
    // The English text has changed since: correct the translation, and remove the flag.
    expect(items.filter(({ flags }) => flags.fuzzy).map(({ msgctxt }) => msgctxt)).toEqual([])
  })

  test.each(translatedLocales)('keeps each placeholder of its texts: %s', (locale) => {
    const { items } = PO.parse(readFileSync(fileOf(name, locale), 'utf8'))
    const placeholders = items.map(({ msgctxt, msgid, msgstr }) => ({
      key: msgctxt,
      english: placeholdersOf(msgid),
      translated: placeholdersOf(msgstr[0] ?? ''),
    }))
    expect(placeholders.length).toBeGreaterThan(0)
    for (const { key, english: expected, translated } of placeholders)
      expect(translated, key).toEqual(expected)
  })

  test.each(translatedLocales)('has translations with one state of review each: %s', (locale) => {
    const { items } = PO.parse(readFileSync(fileOf(name, locale), 'utf8'))
    for (const { msgctxt, comments } of items) {
      expect(comments, msgctxt).toHaveLength(1)
      expect(comments[0], msgctxt).toMatch(/^(not reviewed|reviewed by \S.*, \d{4}-\d\d-\d\d)$/)
    }
  })
})

test.each(Object.entries(pageGroups))(
  'each text of the pages %s has a key of its own',
  (_group, catalogueNames) => {
    const keys = catalogueNames.flatMap((name) => Object.keys(catalogues[name]))
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  },
)

const messagesOf = (name: CatalogueName, locale: string): Texts => {
  if (locale === 'en') return catalogues[name]
  const { items } = PO.parse(readFileSync(fileOf(name, locale as (typeof translatedLocales)[number]), 'utf8'))
  return Object.fromEntries(items.map(({ msgctxt, msgstr }) => [msgctxt, msgstr[0] ?? '']))
}

const applications = [
  ['dashboard', 'applicationsPage'],
  ['applications', 'manage'],
] as const

/** The parts of the dashboard and of the pages of a guest that an email names, in their order. */
const namedInEmails: readonly (readonly [string, ReadonlyArray<readonly [CatalogueName, string]>])[] = [
  ['keysStay', [['dashboard', 'applicationsPage']]],
  ['liveKeys', [...applications, ['applications', 'applicationKey']]],
  [
    'keyRevokedNext',
    [...applications, ['applications', 'applicationKey'], ['applications', 'regenerateButton']],
  ],
  [
    'bankingRejectedNext',
    [...applications, ['applications', 'bankingTab'], ['applications', 'updateBankingButton']],
  ],
  [
    'endpointWhere',
    [
      ...applications,
      ['applications', 'webhooksTab'],
      ['webhooks', 'endpointFailing'],
      ['webhooks', 'endpointOff'],
    ],
  ],
  ['passwordWasKnown', [['auth', 'forgotPassword']]],
]

describe.each(['en', ...translatedLocales])('the emails to merchants in %s', (locale) => {
  test.each(namedInEmails)('name what the pages show: %s', (email, parts) => {
    const text = messagesOf('notices', locale)[email] ?? ''
    for (const [name, key] of parts) {
      const shown = messagesOf(name, locale)[key]?.replace(/\?$/, '') ?? ''
      expect(shown).not.toBe('')
      expect(text).toContain(shown)
    }
  })
})

const guestRoutes = [
  auth.uploadFile,
  auth.signUp,
  auth.signIn,
  auth.verifyOtp,
  auth.resendOtp,
  auth.forgotPassword,
  auth.setNewPassword,
  auth.resetPassword,
  passkeys.requestPasskey,
  passkeys.verifyPasskey,
  getConfig,
  sendContact,
  team.showInvitation,
  team.joinByInvitation,
]

test.each(guestRoutes)('each error of $method $path is translated', ({ errors }) => {
  expect(errors.filter((code) => !(code in catalogues.errors))).toEqual([])
})

const dashboardRoutes = [
  account,
  applicationRoutes,
  payments,
  paymentActions,
  paymentExports,
  webhooks,
  passkeys,
  stats,
  team,
  till,
]
  .flatMap((module) => Object.values<unknown>(module))
  .filter((value): value is RouteSpec => value instanceof Object && 'method' in value && 'errors' in value)

test('each error of a route of the dashboard is translated', () => {
  expect(dashboardRoutes.length).toBeGreaterThan(25)
  const errors = new Set(dashboardRoutes.flatMap((route) => route.errors))
  const isTranslated = (code: string) => code in catalogues.errors || code in catalogues.dashboardErrors
  expect([...errors].filter((code) => !isTranslated(code))).toEqual([])
})

test.each([
  ['Pay {price}', 'Bhadhara {mutengo}'],
  ['Pay {price}', 'Bhadhara'],
  ['Pay', 'Bhadhara {price}'],
  ['{a, select, x {one} other {two}}', '{a, select, y {poshi} other {piri}}'],
  ['{n, plural, one {# day} other {# days}}', '{n} mazuva'],
])('the check finds other placeholders: %s', (english, translated) => {
  expect(placeholdersOf(translated)).not.toEqual(placeholdersOf(english))
})

test('the check refuses a broken placeholder', () => {
  expect(() => placeholdersOf('Bhadhara {price')).toThrow()
})
