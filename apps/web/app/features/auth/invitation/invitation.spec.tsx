import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { renderComponent } from '../../../../test/render-component.tsx'
import { stubFetch } from '../../../../test/stub-fetch.ts'
import { accountOf } from '../../../../test/team.ts'
import { session } from '../../../session/session.ts'
import Invitation from './invitation.tsx'
import { keepInvitation } from './token.ts'

const shown = {
  merchant: 'Chikomo Grocers',
  invitedBy: 'Rudo Chikomo',
  email: 't•••@mail.example',
  role: 'cashier',
  applications: ['Shop counter'],
  expiresAt: '2026-12-02T08:30:00.000Z',
  hasAccount: false,
}
const SHOW = 'POST /v1/invitations/show'
const ACCEPT = 'POST /v1/invitations/accept'
const token = `h.${btoa(JSON.stringify({ id: 'mer_2', sid: 'ses_1', exp: 4_000_000_000 }))}.s`

beforeEach(() => {
  sessionStorage.clear()
  session.logOut('signed-out')
  keepInvitation('TOKEN')
})

const signIn = () => session.logIn({ authToken: token, refreshToken: token })
const accountWith = (email: string) => ({ 'GET /v1/account': { body: accountOf('viewer', { email }) } })

async function open(invitation: object, more: Parameters<typeof stubFetch>[0] = {}) {
  const requests = stubFetch({ [SHOW]: { body: invitation }, ...more })
  const screen = await renderComponent(<Invitation />)
  await expect.element(screen.getByRole('heading', { name: 'Join Chikomo Grocers' })).toBeVisible()
  return { screen, sent: (call: string) => requests.filter((request) => request.call === call) }
}

test('a new person reads who invites to what, and joins with a name and a password', async () => {
  const { screen, sent } = await open(shown, {
    'POST /v1/invitations/join': { status: 201, body: { merchant: {}, role: 'cashier' } },
  })
  expect(document.body.textContent).toContain('Rudo Chikomo invites you as Cashier of Shop counter.')
  await expect.element(screen.getByText('No refunds, no exports, no customer search')).toBeVisible()
  await screen.getByRole('button', { name: 'Join' }).click()
  await expect.element(screen.getByText('Full name is required')).toBeVisible()
  await screen.getByRole('textbox', { name: 'Your name' }).fill(' Tendai  Makoni ')
  await screen.getByRole('textbox', { name: 'Password' }).fill('a long sentence')
  await screen.getByRole('button', { name: 'Join' }).click()
  await expect
    .element(page.getByText(/^Welcome to Chikomo Grocers\. Sign in with t•••@mail\.example/))
    .toBeVisible()
  expect(sent('POST /v1/invitations/join')).toMatchObject([
    { body: { token: 'TOKEN', fullname: 'Tendai Makoni', password: 'a long sentence' } },
  ])
})

test('a guest whose address has an account signs in first, and the tab keeps the invitation', async () => {
  const { screen } = await open({ ...shown, hasAccount: true })
  await screen.getByRole('link', { name: 'Sign in to accept' }).click()
  expect(sessionStorage.getItem('invitation')).toBe('TOKEN')
  expect(sessionStorage.getItem('returnTo')).toBe('/invitation')
})

test('the right account accepts', async () => {
  signIn()
  const reply = Promise.withResolvers<{ body: unknown }>()
  const { screen, sent } = await open(
    { ...shown, hasAccount: true },
    { ...accountWith('Tendai@mail.example'), [ACCEPT]: reply.promise },
  )
  await expect.element(screen.getByText(/You are signed in as Tendai@mail\.example\./)).toBeVisible()
  await screen.getByRole('button', { name: 'Accept' }).click()
  await expect.element(screen.getByRole('button', { name: 'Accepting...' })).toBeVisible()
  expect(sent(ACCEPT)).toMatchObject([{ body: { token: 'TOKEN' } }])
})

test('another account reads the masked address, and signs out here', async () => {
  signIn()
  const { screen } = await open(
    { ...shown, hasAccount: true },
    { ...accountWith('rudo@chikomo.example'), 'POST /v1/auth/signout': { status: 204, body: undefined } },
  )
  await expect
    .element(
      screen.getByText(
        'You are signed in as rudo@chikomo.example, and this invitation is for t•••@mail.example.',
      ),
    )
    .toBeVisible()
  expect(screen.getByRole('button', { name: 'Accept' }).elements()).toEqual([])
  await screen.getByRole('button', { name: 'Sign out to accept it' }).click()
  await expect.element(screen.getByRole('link', { name: 'Sign in to accept' })).toBeVisible()
})

test('an account whose address looks alike is refused by the server in the same words', async () => {
  signIn()
  const { screen } = await open(shown, {
    ...accountWith('tari@mail.example'),
    [ACCEPT]: { status: 403, body: { code: 'invitation_of_another' } },
  })
  await screen.getByRole('button', { name: 'Accept' }).click()
  await expect.element(screen.getByRole('button', { name: 'Sign out to accept it' })).toBeVisible()
})

test.each([
  ['expired', { status: 410, body: { code: 'invitation_expired' } }],
  ['malformed', { status: 422, body: { code: 'validation_failed' } }],
])('an invitation that is %s cannot be used', async (_name, reply) => {
  stubFetch({ [SHOW]: reply })
  const screen = await renderComponent(<Invitation />)
  await expect.element(screen.getByText('This invitation cannot be used')).toBeVisible()
})

test('an address without an invitation looks the same, and asks the server nothing', async () => {
  sessionStorage.clear()
  const requests = stubFetch({})
  const screen = await renderComponent(<Invitation />)
  await expect.element(screen.getByText('This invitation cannot be used')).toBeVisible()
  expect(requests).toEqual([])
})

test('a network that failed is tried again', async () => {
  const requests = stubFetch({})
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const screen = await renderComponent(<Invitation />)
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => requests.length).toBe(2)
})
