import { permissionsOf, type Role } from '@muripo/contract/permissions'

/** An account of the tests of components, with the permissions of its role. */
export const accountOf = (role: Role, changes: Readonly<Record<string, unknown>> = {}) => ({
  fullname: 'Rudo Chikomo',
  email: 'rudo@chikomo.example',
  phone: '+263771234567',
  accountType: 'business',
  timeZone: 'Africa/Harare',
  locale: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  status: 'approved',
  statusReason: null,
  gatewayMode: 'live',
  merchant: { id: 'mer_1', name: 'Chikomo Grocers' },
  role,
  permissions: [...permissionsOf[role]],
  applications: null,
  ...changes,
})

const member = (id: string, fullname: string, email: string, role: Role) => ({
  id,
  fullname,
  email,
  role,
  applications: null as string[] | null,
  lastSeenAt: '2026-11-20T08:30:00.000Z' as string | null,
  secondFactor: false,
  passkey: false,
})

export const owner = member('per_1', 'Rudo Chikomo', 'rudo@chikomo.example', 'owner')
export const admin = member('per_2', 'Tendai Makoni', 'tendai@chikomo.example', 'admin')
export const cashier = {
  ...member('per_3', 'Sekai Dube', 'sekai@mail.example', 'cashier'),
  applications: ['app_1'],
  lastSeenAt: null,
}
export const invited = {
  id: 'ivt_1',
  email: 'accounts@ledger.example',
  role: 'viewer' as const,
  applications: null,
  expiresAt: '2026-12-02T08:30:00.000Z',
}
export const policy = {
  requireSecondFactor: false,
  requiredSince: null as string | null,
  requirePasskey: false,
  passkeyRequiredSince: null as string | null,
}
export const team = { members: [owner, admin, cashier], invitations: [invited], handOver: null, policy }

export const applications = [
  { _id: 'app_1', applicationName: 'Shop counter' },
  { _id: 'app_2', applicationName: 'Web shop' },
]
