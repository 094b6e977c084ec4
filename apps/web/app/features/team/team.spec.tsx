import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderComponent } from '../../../test/render-component.tsx'
import { stubFetch } from '../../../test/stub-fetch.ts'
import { accountOf, admin, applications, cashier, invited, owner, team } from '../../../test/team.ts'
import Team from './team.tsx'

const replies = (account: object, shown: object = team) => ({
  'GET /v1/account': { body: account },
  'GET /v1/team': { body: shown },
  'GET /v1/applications/all': { body: { applications } },
})

async function openTeam(account: object, more: Parameters<typeof stubFetch>[0] = {}, shown: object = team) {
  const requests = stubFetch({ ...replies(account, shown), ...more })
  const screen = await renderComponent(<Team />)
  await expect.element(screen.getByText(cashier.email)).toBeVisible()
  return { screen, changes: () => requests.filter(({ call }) => !call.startsWith('GET')) }
}

const ofOwner = accountOf('owner')
const ofAdmin = accountOf('admin', { email: admin.email })
const moreAbout = (name: string) => page.getByRole('button', { name: `More about ${name}` })

test('the list has the owner first, and names the limit and the time of each member', async () => {
  const { screen } = await openTeam(ofOwner)
  const rows = screen.getByRole('table').getByRole('row')
  await expect.poll(() => rows.nth(1).element().textContent).toMatch(/Rudo Chikomo \(you\).*Owner.*All.*Now/)
  await expect
    .poll(() => rows.nth(3).element().textContent)
    .toMatch(/Sekai Dube.*Cashier.*Shop counter.*Not yet/)
})

test('the owner manages everybody else, an admin no admin and not the owner', async () => {
  const { screen } = await openTeam(ofOwner)
  await expect.element(moreAbout(admin.fullname)).toBeVisible()
  await expect.element(moreAbout(cashier.fullname)).toBeVisible()
  expect(moreAbout(owner.fullname).elements()).toEqual([])
  await screen.unmount()
  await openTeam(ofAdmin)
  await expect.element(moreAbout(cashier.fullname)).toBeVisible()
  expect(moreAbout(owner.fullname).elements()).toEqual([])
  // The own menu leaves the team.
  await moreAbout(admin.fullname).click()
  await expect
    .poll(() =>
      page
        .getByRole('menuitem')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(['Leave the team'])
})

test('a role that may only see the team has no button', async () => {
  const { screen } = await openTeam(accountOf('viewer', { email: 'viewer@chikomo.example' }))
  await expect.element(screen.getByRole('heading', { name: 'Invitations' })).toBeVisible()
  expect(screen.getByRole('button').elements()).toEqual([])
})

test('the sheet of an invitation names the first wrong field, and sends the role with its limit', async () => {
  const sent = { ...invited, id: 'ivt_2', email: 'new@mail.example', role: 'cashier' }
  const { screen, changes } = await openTeam(ofOwner, {
    'POST /v1/team/invitations': { status: 201, body: sent },
  })
  await screen.getByRole('button', { name: 'Invite', exact: true }).click()
  const send = page.getByRole('button', { name: 'Send invitation' })
  await send.click()
  const email = page.getByRole('textbox', { name: 'Email' })
  await expect.element(email).toHaveFocus()
  await expect.element(page.getByText('Please select a role')).toBeVisible()
  await email.fill(' new@mail.example ')
  await page.getByRole('radio', { name: 'Cashier' }).click()
  await expect.element(page.getByText('No refunds, no exports, no customer search')).toBeVisible()
  await page.getByRole('combobox', { name: 'Applications' }).selectOptions('Only some applications')
  await send.click()
  await expect.element(page.getByText('Please select at least one application')).toBeVisible()
  expect(changes()).toEqual([])
  await page.getByRole('checkbox', { name: 'Shop counter' }).click()
  await send.click()
  await expect.element(page.getByText('The invitation to new@mail.example is on its way')).toBeVisible()
  expect(changes()).toEqual([
    {
      call: 'POST /v1/team/invitations',
      body: { email: 'new@mail.example', role: 'cashier', applications: ['app_1'] },
    },
  ])
})

test('an admin cannot offer the role of an admin', async () => {
  const { screen } = await openTeam(ofAdmin)
  await screen.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect
    .poll(() =>
      page
        .getByRole('radio')
        .elements()
        .map((radio) => (radio as HTMLInputElement).value),
    )
    .toEqual(['developer', 'finance', 'support', 'cashier', 'viewer'])
})

test('a refusal of the permission is beside the form, which keeps what was typed', async () => {
  const { screen } = await openTeam(ofOwner, {
    'POST /v1/team/invitations': { status: 403, body: { code: 'not_permitted' } },
  })
  await screen.getByRole('button', { name: 'Invite', exact: true }).click()
  const email = page.getByRole('textbox', { name: 'Email' })
  await email.fill('new@mail.example')
  await page.getByRole('radio', { name: 'Viewer' }).click()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect
    .poll(() => page.getByRole('dialog').getByRole('alert').element().textContent)
    .toMatch(/does not allow this any more.*what you entered is still here/)
  await expect.element(email).toHaveValue('new@mail.example')
  await expect.element(page.getByRole('radio', { name: 'Viewer' })).toBeChecked()
})

test('a sheet with input asks before it is closed, an empty one does not', async () => {
  const { screen } = await openTeam(ofOwner)
  const open = () => screen.getByRole('button', { name: 'Invite', exact: true }).click()
  const close = () => page.getByRole('button', { name: 'Close dialog' }).first().click()
  await open()
  await close()
  await expect.poll(() => page.getByRole('dialog').elements()).toEqual([])
  await open()
  await page.getByRole('textbox', { name: 'Email' }).fill('a')
  await close()
  await expect.element(page.getByRole('button', { name: 'Discard' })).toBeVisible()
})

test('a role is changed with its limit', async () => {
  const saved = { ...cashier, role: 'support', applications: null }
  const { changes } = await openTeam(ofOwner, { 'PATCH /v1/team/members/per_3': { body: saved } })
  await moreAbout(cashier.fullname).click()
  await page.getByRole('menuitem', { name: 'Change role' }).click()
  await expect.element(page.getByRole('radio', { name: 'Cashier' })).toBeChecked()
  await expect.element(page.getByRole('checkbox', { name: 'Shop counter' })).toBeChecked()
  await page.getByRole('radio', { name: 'Support' }).click()
  await page.getByRole('combobox', { name: 'Applications' }).selectOptions('All applications')
  await page.getByRole('button', { name: 'Save role' }).click()
  await expect.element(page.getByText(/^Sekai Dube has another role now/)).toBeVisible()
  expect(changes()).toMatchObject([{ body: { role: 'support', applications: null } }])
  await expect
    .poll(() => page.getByRole('row', { name: /Sekai Dube/ }).element().textContent)
    .toMatch(/Support.*All/)
})

test('the removal says that sessions end at once, and the row leaves the list', async () => {
  const { changes } = await openTeam(ofOwner, {
    'DELETE /v1/team/members/per_3': { body: { keys: [], endpoints: [] } },
  })
  await moreAbout(cashier.fullname).click()
  await page.getByRole('menuitem', { name: 'Remove from the team' }).click()
  await expect.element(page.getByText(/signed out on every device at once/)).toBeVisible()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.poll(() => page.getByText(cashier.email).elements()).toEqual([])
  expect(changes()).toMatchObject([{ call: 'DELETE /v1/team/members/per_3' }])
})

test('an invitation is withdrawn', async () => {
  await openTeam(ofOwner, { 'DELETE /v1/team/invitations/ivt_1': { status: 204, body: undefined } })
  await page.getByRole('button', { name: `Withdraw the invitation to ${invited.email}` }).click()
  await expect.element(page.getByText(`The invitation to ${invited.email} is withdrawn`)).toBeVisible()
  expect(page.getByRole('heading', { name: 'Invitations' }).elements()).toEqual([])
})

test('a refused password of a hand-over is beside its field', async () => {
  const reason = { code: 'passwordNotCorrect', values: {} }
  await openTeam(ofOwner, {
    'POST /v1/team/owner': {
      status: 422,
      body: { code: 'validation_failed', message: 'The password is not correct', reason },
    },
  })
  await page.getByRole('button', { name: 'Hand over...' }).click()
  await page.getByRole('combobox', { name: 'Next owner' }).selectOptions('per_2')
  await page.getByRole('textbox', { name: 'Your password' }).fill('a wrong guess')
  await page.getByRole('button', { name: 'Ask to take over' }).click()
  await expect
    .element(page.getByRole('textbox', { name: 'Your password' }))
    .toHaveAccessibleDescription('The password is not correct')
})

test.each([
  ['the owner withdraws it', ofOwner, 'Withdraw', 'The hand-over is withdrawn'],
  ['the next owner declines it', ofAdmin, 'Decline', 'You stay what you are. The owner is not changed.'],
])('a hand-over under way: %s', async (_name, account, button, done) => {
  const handOver = { to: admin.id, expiresAt: '2026-12-02T08:30:00.000Z' }
  const shown = { ...team, invitations: [], handOver }
  await openTeam(account, { 'DELETE /v1/team/owner': { status: 204, body: undefined } }, shown)
  await page.getByRole('button', { name: button, exact: true }).click()
  await expect.element(page.getByText(done)).toBeVisible()
})

test('the next owner becomes the owner', async () => {
  const handOver = { to: admin.id, expiresAt: '2026-12-02T08:30:00.000Z' }
  const after = { ...team, members: [{ ...admin, role: 'owner' }, { ...owner, role: 'admin' }, cashier] }
  await openTeam(ofAdmin, { 'POST /v1/team/owner/confirm': { body: after } }, { ...team, handOver })
  await page.getByRole('button', { name: 'Become the owner' }).click()
  await expect.element(page.getByText('You are the owner of Chikomo Grocers now')).toBeVisible()
})

test('the team that could not be loaded is loaded again', async () => {
  const requests = stubFetch({ 'GET /v1/account': { body: ofOwner } })
  const screen = await renderComponent(<Team />)
  await screen.getByRole('button', { name: 'Try Again' }).click()
  await expect.poll(() => requests.filter(({ call }) => call === 'GET /v1/team').length).toBe(2)
})

test('what a removed member made is listed, and each is revoked', async () => {
  const application = { id: 'app_2', name: 'Web shop' }
  const made = {
    keys: [{ id: 'key_1', name: 'Counter', application }],
    endpoints: [{ id: 'we_1', url: 'https://shop.example/hook', application }],
  }
  const { changes } = await openTeam(ofOwner, {
    'DELETE /v1/team/members/per_3': { body: made },
    'DELETE /v1/applications/app_2/keys/key_1': { status: 204, body: undefined },
    'DELETE /v1/applications/app_2/webhooks/we_1': {
      status: 404,
      body: { code: 'not_found', message: 'Not found' },
    },
  })
  await moreAbout(cashier.fullname).click()
  await page.getByRole('menuitem', { name: 'Remove from the team' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'What Sekai Dube made' })
  await expect.element(dialog.getByText('Key of Web shop')).toBeVisible()
  await dialog.getByRole('button', { name: 'Revoke Counter' }).click()
  await expect.element(page.getByText('Counter no longer works')).toBeVisible()
  await expect.element(dialog.getByText('Revoked')).toBeVisible()
  const endpoint = dialog.getByRole('button', { name: 'Revoke https://shop.example/hook' })
  await endpoint.click()
  await expect.element(page.getByText('Not found')).toBeVisible()
  await expect.element(endpoint).toBeVisible()
  expect(changes().map(({ call }) => call)).toEqual([
    'DELETE /v1/team/members/per_3',
    'DELETE /v1/applications/app_2/keys/key_1',
    'DELETE /v1/applications/app_2/webhooks/we_1',
  ])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => page.getByRole('dialog').elements()).toEqual([])
})
