import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { stubFetch } from '../../../test/stub-fetch.ts'
import { accountOf, team } from '../../../test/team.ts'
import { Guard } from './guard.tsx'

const pageOf = (path: string, title: string, needs?: string) => ({
  path,
  handle: { title, needs },
  element: <h1>{`Page ${path}`}</h1>,
})

async function open(path: string, account: object) {
  stubFetch({ 'GET /v1/account': { body: account }, 'GET /v1/team': { body: team } })
  const layout = (
    <Guard>
      <Outlet />
    </Guard>
  )
  const children = [
    pageOf('/app', 'dashboardPage', 'stats.read'),
    pageOf('/app/payments', 'paymentsPage', 'payments.read'),
    pageOf('/app/reconciliations', 'reconciliationsPage', 'balance.read'),
    pageOf('/app/settings', 'settingsPage'),
  ]
  // The till has no frame of the dashboard.
  const router = createMemoryRouter([{ element: layout, children }, pageOf('/app/till', 'tillPage')], {
    initialEntries: [path],
  })
  const screen = await render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { screen, router }
}

test('a page that the role may open is shown', async () => {
  const { screen } = await open('/app/payments', accountOf('viewer'))
  await expect.element(screen.getByRole('heading', { name: 'Page /app/payments' })).toBeVisible()
})

test('a kept link says who may not open it, who can change it, and where to go', async () => {
  const { screen } = await open('/app/reconciliations', accountOf('developer'))
  await expect.element(screen.getByText('Developers do not see Reconciliations')).toBeVisible()
  await expect
    .element(screen.getByText('Rudo Chikomo, the owner, can change your role. Nothing was lost.'))
    .toBeVisible()
  await screen.getByRole('link', { name: 'Go to Dashboard' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Page /app', exact: true })).toBeVisible()
})

test('a role that does not see the team reads the name of the shop', async () => {
  const account = accountOf('developer', { permissions: ['applications.read'] })
  const { screen } = await open('/app/payments', account)
  await expect.element(screen.getByText('Developers do not see Payments')).toBeVisible()
  await expect.element(screen.getByText(/^The owner of Chikomo Grocers can change your role/)).toBeVisible()
  await expect.element(screen.getByRole('link', { name: 'Go to Applications' })).toBeVisible()
})

test('a limited role reads that the page is about all applications', async () => {
  const { screen } = await open('/app/reconciliations', accountOf('finance', { applications: ['app_1'] }))
  await expect
    .element(
      screen.getByText('Your role is limited to some applications, and Reconciliations is about all of them'),
    )
    .toBeVisible()
})

test.each([
  ['a cashier', '/app', accountOf('cashier'), '/app/till'],
  ['a cashier with a kept link', '/app/settings', accountOf('cashier'), '/app/till'],
  [
    'a developer for one application',
    '/app',
    accountOf('developer', { applications: ['app_1'] }),
    '/app/payments',
  ],
])('the dashboard leads %s to the first page', async (_name, from, account, path) => {
  const { router } = await open(from, account)
  await expect.poll(() => router.state.location.pathname).toBe(path)
})
