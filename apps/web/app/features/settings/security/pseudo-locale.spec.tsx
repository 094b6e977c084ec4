import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { checkDisguised, openDisguised } from '../../../../test/pseudo-dashboard.tsx'
import { stubFetch } from '../../../../test/stub-fetch.ts'
import { accountOf, admin, cashier, owner, policy, team } from '../../../../test/team.ts'
import { StepUpDialog } from '../../../shell/dashboard/step-up-dialog.tsx'
import Security from './security.tsx'

const at = '2026-11-20T08:30:00.000Z'
const later = '2126-11-20T08:30:00.000Z'
const none = { totp: null, recoveryCodesLeft: 0, passkeys: 0, requiredFrom: null, passkeyRequiredFrom: null }
const withApp = { ...none, totp: { enabledAt: at }, recoveryCodesLeft: 9 }
const shown = { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x', qr: { size: 2, path: 'M0 0h1v1h-1z' } }
const recoveryCodes = ['abcde-fghjk', '01234-56789']
const values = [
  'Chikomo Grocers',
  ...[owner, admin, cashier].map(({ fullname }) => `${fullname}, `),
  shown.secret,
  ...recoveryCodes,
]

async function openSecurity(factors: object, shownTeam: object = team) {
  stubFetch({
    'GET /v1/account': { body: accountOf('owner') },
    'GET /v1/team': { body: shownTeam },
    'GET /v1/account/passkeys': { body: { passkeys: [] } },
    'GET /v1/account/factors': { body: factors },
    'POST /v1/account/totp/start': { body: shown },
    'POST /v1/account/totp': { body: { recoveryCodes } },
  })
  const screen = await openDisguised(<Security />)
  await expect.poll(() => document.body.textContent).toContain(admin.fullname)
  return screen
}
const button = (place: number) => page.getByRole('button').nth(place)
const submit = () => document.querySelector<HTMLFormElement>('dialog[open] form')?.requestSubmit()

test.each([320, 375, 1440])('every text of the tab is translated and fits: %d px', async (width) => {
  await page.viewport(width, 720)
  await openSecurity({ ...none, requiredFrom: later })
  await expect.poll(() => document.querySelectorAll('[role=status]').length).toBe(1)
  await checkDisguised(values)
})

test.each([
  { ...none, requiredFrom: at },
  { ...none, requiredFrom: later, passkeyRequiredFrom: at },
  { ...withApp, passkeyRequiredFrom: later },
])('every text about what the person lacks is translated: %#', async (factors) => {
  await openSecurity(factors, {
    ...team,
    members: [{ ...owner, secondFactor: true }, admin],
    policy: { ...policy, requireSecondFactor: true, requiredSince: at },
  })
  await checkDisguised(values)
})

test('every text of a new app is translated, from the password to the codes', async () => {
  await openSecurity(none)
  await button(0).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  submit()
  await expect.poll(() => document.querySelectorAll('[data-error]').length).toBe(1)
  await checkDisguised(values)
  const password = document.querySelector<HTMLInputElement>('dialog[open] input')
  await page.elementLocator(password as Element).fill('a long sentence')
  submit()
  await expect.element(page.getByText(shown.secret)).toBeVisible()
  submit()
  await expect.poll(() => document.querySelectorAll('[data-error]').length).toBe(1)
  await checkDisguised(values)
  const code = document.querySelector<HTMLInputElement>('dialog[open] [data-path=code]')
  await page.elementLocator(code as Element).fill('123456')
  submit()
  await expect.element(page.getByText(recoveryCodes[0] as string)).toBeVisible()
  await checkDisguised(values)
})

test('every text of the removal and of new codes is translated', async () => {
  for (const place of [0, 1]) {
    const screen = await openSecurity(withApp)
    await button(place).click()
    await expect.element(page.getByRole('dialog')).toBeVisible()
    await checkDisguised(values)
    await screen.unmount()
  }
})

test('every text of the question who the person is, is translated', async () => {
  stubFetch({ 'GET /v1/account/factors': { body: withApp } })
  await openDisguised(<StepUpDialog opened onAnswer={() => {}} />)
  await expect.poll(() => document.querySelectorAll('dialog[open] form .textLink').length).toBe(1)
  await checkDisguised()
  document.querySelector<HTMLElement>('dialog[open] form .textLink')?.click()
  await expect.poll(() => document.querySelector('[data-path=code]')).not.toBeNull()
  submit()
  await expect.poll(() => document.querySelectorAll('[data-error]').length).toBe(1)
  await checkDisguised()
})
