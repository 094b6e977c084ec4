import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { checkDisguised, openDisguised } from '../../../test/pseudo-dashboard.tsx'
import { stubFetch } from '../../../test/stub-fetch.ts'
import { accountOf, admin, applications, cashier, invited, owner, team } from '../../../test/team.ts'
import { ApiError } from '../../api/api-error.ts'
import { Refusal } from '../../components/refusal.tsx'
import { NotAllowed } from '../../shell/dashboard/not-allowed.tsx'
import { Switcher } from '../../shell/dashboard/switcher.tsx'
import Team from './team.tsx'

const people = [owner, admin, cashier]
const values = [
  ...people.flatMap(({ fullname, email }) => [
    `${fullname}, ${email}`,
    fullname,
    email,
    fullname.replace(/[a-z ]/g, ''),
  ]),
  ...applications.map(({ applicationName }) => applicationName),
  invited.email,
  'Chikomo Grocers',
]

async function openTeam(account: object, shown: object = team) {
  stubFetch({
    'GET /v1/account': { body: account },
    'GET /v1/team': { body: shown },
    'GET /v1/applications/all': { body: { applications } },
  })
  await openDisguised(<Team />)
  await expect.element(page.getByText(cashier.email)).toBeVisible()
}

/** The buttons of a row and of the panels, in the order of the page. */
const button = (place: number) => page.getByRole('button').nth(place)

test.each([320, 375, 752, 1440])('every text of the team is translated and fits: %d px', async (width) => {
  await page.viewport(width, 720)
  await openTeam(accountOf('owner'))
  await expect.element(page.getByText('Shop counter')).toBeVisible()
  await checkDisguised(values)
})

test('every text of a hand-over to the reader is translated', async () => {
  const handOver = { to: admin.id, expiresAt: '2026-12-02T08:30:00.000Z' }
  await openTeam(accountOf('admin', { email: admin.email }), { ...team, handOver })
  await checkDisguised(values)
})

test('every text of an invitation and of its errors is translated, with each role', async () => {
  await openTeam(accountOf('owner'))
  await button(0).click()
  const radios = page.getByRole('radio')
  await expect.element(radios.first()).toBeVisible()
  document.querySelector<HTMLFormElement>('dialog[open] form')?.requestSubmit()
  await expect.poll(() => document.querySelectorAll('[data-error]').length).toBe(2)
  await checkDisguised(values)
  await page.getByRole('combobox').selectOptions('some')
  for (const radio of radios.elements()) {
    await page.elementLocator(radio).click()
    await checkDisguised(values)
  }
})

test('every text of a menu and of its questions is translated', async () => {
  await openTeam(accountOf('owner'))
  await button(1).click()
  await expect.element(page.getByRole('menu')).toBeVisible()
  await checkDisguised(values)
  await page.getByRole('menuitem').nth(1).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await checkDisguised(values)
})

test('every text of the choice of the next owner is translated', async () => {
  await openTeam(accountOf('owner'))
  await page.elementLocator([...document.querySelectorAll('button')].at(-1) as Element).click()
  document.querySelector<HTMLFormElement>('dialog[open] form')?.requestSubmit()
  await expect.poll(() => document.querySelectorAll('[data-error]').length).toBe(2)
  await checkDisguised(values)
})

test('every text of a page that the role may not open is translated', async () => {
  for (const account of [
    accountOf('developer'),
    accountOf('cashier'),
    accountOf('viewer', { applications: ['app_1'] }),
  ]) {
    stubFetch({ 'GET /v1/account': { body: account }, 'GET /v1/team': { body: team } })
    const screen = await openDisguised(<NotAllowed title="reconciliationsPage" />)
    await expect.element(page.getByRole('link')).toBeVisible()
    await checkDisguised(values)
    await screen.unmount()
  }
})

test('every text of the choice of a shop, and of a refused form, is translated', async () => {
  const shop = (id: string, name: string, current: boolean) => ({ id, name, role: 'owner', current }) as never
  const merchants = [shop('mer_1', 'Chikomo Grocers', true), shop('mer_2', 'Kumusha Dairy', false)]
  stubFetch({ 'GET /v1/account/merchants': { body: { merchants } } })
  const refused = new ApiError(
    { status: 403, message: null, error: '', body: { code: 'not_permitted' } },
    'changeTeam',
  )
  await openDisguised(
    <>
      <Switcher className="">{() => null}</Switcher>
      <Refusal error={refused} />
    </>,
  )
  await page.getByRole('button').click()
  await expect.element(page.getByRole('menu')).toBeVisible()
  await checkDisguised(['Chikomo Grocers', 'Kumusha Dairy'])
})
