import { permissionsOf, type Role, roles } from '@muripo/contract/permissions'
import { expect, test } from 'vitest'
import { rolesToGrant } from './granting.ts'

const offeredBy = (role: Role) => rolesToGrant({ permissions: [...permissionsOf[role]] }, { role })

test.each(roles)('%s gives no permission that the role does not have', (role) => {
  for (const offered of offeredBy(role))
    expect([...permissionsOf[offered]].filter((each) => !permissionsOf[role].has(each))).toEqual([])
})

test('the owner alone makes admins, and nobody an owner', () => {
  expect(offeredBy('owner')).toEqual(['admin', 'developer', 'finance', 'support', 'cashier', 'viewer'])
  expect(offeredBy('admin')).toEqual(['developer', 'finance', 'support', 'cashier', 'viewer'])
})
