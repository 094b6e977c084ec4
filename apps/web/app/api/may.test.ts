import * as account from '@muripo/contract/account'
import * as applications from '@muripo/contract/applications'
import * as customers from '@muripo/contract/customers'
import * as payments from '@muripo/contract/dashboard-payments'
import * as webhooks from '@muripo/contract/dashboard-webhooks'
import * as paymentActions from '@muripo/contract/payment-actions'
import * as paymentExports from '@muripo/contract/payment-exports'
import { permissions, permissionsOf, type roles } from '@muripo/contract/permissions'
import type { RouteSpec } from '@muripo/contract/route'
import * as stats from '@muripo/contract/stats'
import * as team from '@muripo/contract/team'
import { describe, expect, test } from 'vitest'
import { firstPageOf, isOpenTo, navigationEntries } from '../shell/dashboard/entries.ts'
import { may, ofWholeMerchant } from './may.ts'

const routes = [
  account,
  applications,
  customers,
  payments,
  paymentActions,
  paymentExports,
  stats,
  team,
  webhooks,
]
  .flatMap((module) => Object.values<unknown>(module))
  .filter((value): value is RouteSpec => value instanceof Object && 'access' in value)

const member = (role: (typeof roles)[number], limit: string[] | null = null) =>
  ({ permissions: [...permissionsOf[role]], applications: limit, role }) as never

test('a permission of which no call is for one application is a permission of the whole merchant', () => {
  expect(routes.length).toBeGreaterThan(30)
  const ofMembers = permissions.filter((each) => routes.some(({ access }) => access === each))
  for (const permission of ofMembers) {
    const calls = routes.filter(({ access }) => access === permission)
    expect([permission, ofWholeMerchant.includes(permission)]).toEqual([
      permission,
      calls.every(({ perApplication }) => !perApplication),
    ])
  }
})

test('a limited role lacks what concerns the whole merchant, and keeps the rest', () => {
  expect(may(member('viewer'), 'stats.read')).toBe(true)
  expect(may(member('viewer', ['app_1']), 'stats.read')).toBe(false)
  expect(may(member('viewer', ['app_1']), 'payments.read')).toBe(true)
})

test('a host that names no permissions decides alone', () =>
  expect(may({} as never, 'team.write')).toBe(true))

describe('the menu of a role', () => {
  const pagesOf = (account: never) =>
    navigationEntries.filter((entry) => isOpenTo(account, entry)).map(({ to }) => to)

  test.each([
    [
      'owner',
      ['/app', '/app/payments', '/app/applications', '/app/reconciliations', '/app/settings'],
      '/app',
    ],
    [
      'admin',
      ['/app', '/app/payments', '/app/applications', '/app/reconciliations', '/app/settings'],
      '/app',
    ],
    ['developer', ['/app', '/app/payments', '/app/applications', '/app/settings'], '/app'],
    [
      'finance',
      ['/app', '/app/payments', '/app/applications', '/app/reconciliations', '/app/settings'],
      '/app',
    ],
    ['support', ['/app', '/app/payments', '/app/settings'], '/app'],
    ['cashier', ['/app/settings'], '/app/till'],
    [
      'viewer',
      ['/app', '/app/payments', '/app/applications', '/app/reconciliations', '/app/settings'],
      '/app',
    ],
  ] as const)('%s', (role, pages, first) => {
    expect(pagesOf(member(role))).toEqual(pages)
    expect(firstPageOf(member(role))).toBe(first)
  })

  test('of a developer for one application begins with the payments', () => {
    expect(pagesOf(member('developer', ['app_1']))).toEqual([
      '/app/payments',
      '/app/applications',
      '/app/settings',
    ])
    expect(firstPageOf(member('developer', ['app_1']))).toBe('/app/payments')
  })

  test('shows every entry until the account is loaded', () => {
    expect(navigationEntries.every((entry) => isOpenTo(undefined, entry))).toBe(true)
  })
})
