import translations from 'virtual:translations/auth'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { clipped, PSEUDO, photograph, untranslated } from '../../../../test/pseudo-locale.ts'
import { renderComponent } from '../../../../test/render-component.tsx'
import { stubFetch } from '../../../../test/stub-fetch.ts'
import { accountOf } from '../../../../test/team.ts'
import { session } from '../../../session/session.ts'
import Invitation from './invitation.tsx'
import { keepInvitation } from './token.ts'

const language = { locale: PSEUDO, translation: translations[PSEUDO].texts, isLoading: false } as const
const invitation = {
  merchant: 'Chikomo Grocers',
  invitedBy: 'Rudo Chikomo',
  email: 't•••@mail.example',
  role: 'cashier',
  applications: ['SHOP'],
  expiresAt: '2026-12-02T08:30:00.000Z',
  hasAccount: false,
}
const values = ['Chikomo Grocers', 'Rudo Chikomo', invitation.email, 'rudo@chikomo.example', 'SHOP']
const token = `h.${btoa(JSON.stringify({ id: 'mer_2', sid: 'ses_1', exp: 4_000_000_000 }))}.s`

beforeEach(async () => {
  await page.viewport(320, 720)
  session.logOut('signed-out')
  keepInvitation('TOKEN')
})

async function check(shown: object | null, more: Parameters<typeof stubFetch>[0] = {}): Promise<void> {
  const reply = shown ? { body: shown } : { status: 410, body: { code: 'invitation_expired' } }
  stubFetch({ 'POST /v1/invitations/show': reply, ...more })
  await renderComponent(<Invitation />, language)
  await expect.element(page.getByText(/⟦/).first()).toBeVisible()
  await expect.poll(() => document.querySelector('[data-skeleton]')).toBeNull()
  await photograph()
  expect(untranslated('body', values)).toEqual([])
  expect(clipped('body')).toEqual([])
}

test.each([
  ['a new person', invitation],
  ['a role for all applications', { ...invitation, applications: null }],
  ['a guest with an account', { ...invitation, hasAccount: true }],
  ['an invitation that has ended', null],
])('every text is translated and fits: %s', (_name, shown) => check(shown))

test.each([
  ['the right account', 'tendai@mail.example'],
  ['another account', 'rudo@chikomo.example'],
])('every text for a signed-in person is translated and fits: %s', async (_name, email) => {
  values.push(email)
  session.logIn({ authToken: token, refreshToken: token })
  await check(invitation, { 'GET /v1/account': { body: accountOf('viewer', { email }) } })
})
