/** The permissions of an operator of the company. A route of the console names the one that it needs. */
export const consolePermissions = [
  'console.today',
  'console.merchants.read',
  'console.payments.read',
  'console.reviews.read',
  'console.proposals.read',
  'console.reveal',
  'console.audit.read',
  'console.decide',
] as const
export type ConsolePermission = (typeof consolePermissions)[number]

export const operatorRoles = ['support', 'risk', 'finance', 'admin'] as const
export type OperatorRole = (typeof operatorRoles)[number]

const reads = [
  'console.today',
  'console.merchants.read',
  'console.payments.read',
  'console.reviews.read',
  'console.proposals.read',
  'console.reveal',
] as const

/** The permissions of each role. `console.decide` is to propose and to approve, each kind of proposal by the roles in `decidersOf`. */
export const consolePermissionsOf: Readonly<Record<OperatorRole, ReadonlySet<ConsolePermission>>> = {
  support: new Set(reads),
  risk: new Set([...reads, 'console.audit.read', 'console.decide']),
  finance: new Set([...reads, 'console.audit.read', 'console.decide']),
  admin: new Set(consolePermissions),
}

export const proposalKinds = [
  'merchant.approve',
  'merchant.suspend',
  'merchant.resume',
  'merchant.close',
  'attempt.resolve',
  'refund.resolve',
] as const
export type ProposalKind = (typeof proposalKinds)[number]

/** The roles that propose and approve a kind. */
export const decidersOf: Readonly<Record<ProposalKind, ReadonlySet<OperatorRole>>> = {
  'merchant.approve': new Set(['risk', 'admin']),
  'merchant.suspend': new Set(['risk', 'admin']),
  'merchant.resume': new Set(['risk', 'admin']),
  'merchant.close': new Set(['risk', 'admin']),
  'attempt.resolve': new Set(['risk', 'admin']),
  'refund.resolve': new Set(['finance', 'admin']),
}

/** Kinds that one operator executes at once, because a delay does harm; the way back needs two. */
export const immediateKinds: ReadonlySet<ProposalKind> = new Set(['merchant.suspend'])

export const proposalStates = ['open', 'approved', 'rejected', 'withdrawn', 'stale', 'expired'] as const
export type ProposalState = (typeof proposalStates)[number]
