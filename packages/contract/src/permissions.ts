/** The permissions of a member of a merchant's team and of an application key. A route names the one that it needs. */
export const permissions = [
  'stats.read',
  'payments.read',
  'payments.write',
  'payments.manage',
  'refunds.write',
  'customers.read',
  'exports.read',
  'till.read',
  'links.read',
  'links.write',
  'invoices.read',
  'invoices.write',
  'applications.read',
  'applications.write',
  'keys.read',
  'keys.write',
  'webhooks.read',
  'webhooks.write',
  'balance.read',
  'banking.write',
  'team.read',
  'team.write',
  'merchant.write',
  'audit.read',
] as const
export type Permission = (typeof permissions)[number]

export const roles = ['owner', 'admin', 'developer', 'finance', 'support', 'cashier', 'viewer'] as const
export type Role = (typeof roles)[number]

/** The permissions of each role. Nobody grants a role with a permission that they do not have. */
export const permissionsOf: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set(permissions),
  admin: new Set(permissions),
  developer: new Set([
    'stats.read',
    'payments.read',
    'customers.read',
    'applications.read',
    'applications.write',
    'keys.read',
    'keys.write',
    'webhooks.read',
    'webhooks.write',
    'team.read',
  ]),
  finance: new Set([
    'stats.read',
    'payments.read',
    'refunds.write',
    'customers.read',
    'exports.read',
    'links.read',
    'invoices.read',
    'invoices.write',
    'applications.read',
    'balance.read',
    'banking.write',
    'team.read',
  ]),
  support: new Set([
    'stats.read',
    'payments.read',
    'payments.write',
    'payments.manage',
    'refunds.write',
    'customers.read',
    'till.read',
    'links.read',
    'links.write',
    'invoices.read',
    'invoices.write',
    'team.read',
  ]),
  /** Takes payments at a counter and sees those of the day. */
  cashier: new Set(['payments.write', 'till.read', 'links.write']),
  /** Reads everything but secrets. */
  viewer: new Set([
    'stats.read',
    'payments.read',
    'customers.read',
    'links.read',
    'invoices.read',
    'applications.read',
    'webhooks.read',
    'balance.read',
    'team.read',
    'audit.read',
  ]),
}

/** The permissions of application keys. */
export const keyPermissions = [
  'payments.read',
  'payments.write',
  'refunds.write',
  'customers.read',
  'webhooks.read',
  'webhooks.write',
  'balance.read',
  'links.write',
] as const satisfies readonly Permission[]
export type KeyPermission = (typeof keyPermissions)[number]

/** The permissions that each use of a key needs. */
export const keyPresets = {
  online_shop: [
    'payments.read',
    'payments.write',
    'refunds.write',
    'customers.read',
    'webhooks.read',
    'webhooks.write',
  ],
  till: ['payments.read', 'payments.write', 'links.write'],
  accountant: ['payments.read', 'customers.read', 'balance.read'],
  command_line: ['payments.read', 'payments.write', 'webhooks.read', 'webhooks.write'],
} as const satisfies Readonly<Record<string, readonly KeyPermission[]>>
export type KeyPreset = keyof typeof keyPresets

export const KEYS_MAX = 20
