import translations from 'virtual:translations/dashboard'
import { languageNames } from '@muripo/locales/languages'
import type { settings } from '@muripo/locales/settings'
import { translatorOf } from '@muripo/locales/translator'
import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { checkDisguised, openDisguised } from '../../../test/pseudo-dashboard.tsx'
import { PSEUDO } from '../../../test/pseudo-locale.ts'
import { stubFetch } from '../../../test/stub-fetch.ts'
import { RenameDialog } from './passkeys/dialogs.tsx'
import Settings from './settings.tsx'

const at = '2026-11-20T08:30:00.000Z'
const account = {
  fullname: 'FULLNAME',
  email: 'someone@example.co.zw',
  phone: '+263771234567',
  accountType: 'business',
  timeZone: 'Africa/Harare',
  locale: null,
  status: 'approved',
  statusReason: null,
  gatewayMode: 'test',
}
const session = {
  _id: 'ses_1',
  browser: 'Chrome on Windows',
  network: '41.220.12.x',
  signedInAt: at,
  lastUsedAt: at,
  current: true,
}
const sessions = [
  session,
  { ...session, _id: 'ses_2', browser: 'Safari on iOS', current: false },
  { ...session, _id: 'ses_3', browser: null, network: null, current: false },
]
const passkey = { _id: 'psk_1', name: 'PASSKEY', createdAt: at, lastUsedAt: at, synced: true }
const passkeys = [passkey, { ...passkey, _id: 'psk_2', lastUsedAt: null, synced: false }]
const replies = {
  'GET /v1/account': { body: account },
  'GET /v1/account/sessions': { body: { sessions } },
  'GET /v1/account/passkeys': { body: { passkeys } },
}

const values = [
  account.fullname,
  account.email,
  account.phone,
  session.network,
  passkey.name,
  'Africa/Harare (GMT+2)',
  ...Object.values(languageNames),
]

beforeEach(() => page.viewport(375, 720))

async function openSettings() {
  const screen = await openDisguised(<Settings />)
  await expect.element(screen.getByText(session.network).first()).toBeVisible()
  await expect.element(screen.getByText(passkey.name).first()).toBeVisible()
}

const t = translatorOf<typeof settings>(translations[PSEUDO].texts ?? {})

/** Submits the form of the open dialog, whose first field is empty. */
async function submitEmpty() {
  await expect.poll(() => document.querySelector('dialog[open] form')).not.toBeNull()
  document.querySelector<HTMLFormElement>('dialog[open] form')?.requestSubmit()
  await expect.poll(() => document.querySelector('[data-error]')).not.toBeNull()
}

test.each([375, 752, 1440])('every text of the settings is translated and fits: %d px', async (width) => {
  await page.viewport(width, 720)
  stubFetch(replies)
  await openSettings()
  await checkDisguised(values)
})

test('every error of the settings is translated', async () => {
  stubFetch({})
  await openDisguised(<Settings />)
  await expect.poll(() => document.querySelectorAll('[role=alert]').length).toBe(3)
  await page.getByRole('button', { name: t('changePasswordButton') }).click()
  await expect.poll(() => document.querySelectorAll('[data-error]').length).toBe(2)
  await checkDisguised()
})

test('a refused password is named in the language of the page', async () => {
  const reason = { code: 'currentPasswordNotCorrect', values: {} }
  const errors = [{ field: 'currentPassword', message: 'The current password is not correct', reason }]
  const refusal = { status: 422, body: { code: 'validation_failed', reason, errors } }
  stubFetch({ ...replies, 'POST /v1/account/password': refusal })
  await openSettings()
  const section = page.getByRole('region', { name: t('password'), exact: true })
  await section.getByLabelText(t('currentPassword'), { exact: true }).fill('a wrong guess')
  await page.elementLocator(document.querySelector('[name=newPassword]') as Element).fill('a long sentence')
  await page.getByRole('button', { name: t('changePasswordButton') }).click()
  await expect.poll(() => document.querySelector('[data-error]')?.textContent).toMatch(/^⟦.*⟧$/)
  await checkDisguised(values)
})

test.each<[string, string]>([
  ['a new passkey', t('addPasskeyButton')],
  ['the removal of a passkey', t('removeNamed', { name: passkey.name })],
])('every text of the dialog and of its empty field is translated: %s', async (_name, name) => {
  stubFetch(replies)
  await openSettings()
  await page.getByRole('button', { name }).first().click()
  await submitEmpty()
  await checkDisguised(values)
})

test('every text of the end of all sessions is translated', async () => {
  stubFetch(replies)
  await openSettings()
  await page.getByRole('button', { name: t('everywhereButton') }).click()
  await expect.element(page.getByRole('dialog', { name: t('everywhereTitle') })).toBeVisible()
  await checkDisguised(values)
})

test('every text of the name of a passkey is translated', async () => {
  await openDisguised(
    <RenameDialog passkey={{ ...passkey, name: '' } as never} onRenamed={vi.fn()} onClose={vi.fn()} />,
  )
  await submitEmpty()
  await checkDisguised()
})
