/** The permissions of an operator of the company. A route of the console names the one that it needs. */
export const consolePermissions = [
  'console.today',
  'console.merchants.read',
  'console.notes.write',
  'console.payments.read',
  'console.reviews.read',
  'console.proposals.read',
  'console.refunds.read',
  'console.refunds.take',
  'console.banking.read',
  'console.providers.read',
  'console.webhooks.read',
  'console.webhooks.resend',
  'console.jobs.read',
  'console.jobs.retry',
  'console.settings.read',
  'console.incidents.write',
  'console.reveal',
  'console.audit.read',
  'console.decide',
] as const
export type ConsolePermission = (typeof consolePermissions)[number]

export const operatorRoles = ['support', 'risk', 'finance', 'admin'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** The permissions of every role. */
const shared = [
  'console.today',
  'console.merchants.read',
  'console.notes.write',
  'console.payments.read',
  'console.reviews.read',
  'console.proposals.read',
  'console.refunds.read',
  'console.reveal',
] as const

/** The permissions of each role. `console.decide` is to propose and to approve, each kind of proposal by the roles in `decidersOf`. */
export const consolePermissionsOf: Readonly<Record<OperatorRole, ReadonlySet<ConsolePermission>>> = {
  support: new Set([...shared, 'console.webhooks.read', 'console.webhooks.resend']),
  risk: new Set([...shared, 'console.banking.read', 'console.audit.read', 'console.decide']),
  finance: new Set([
    ...shared,
    'console.banking.read',
    'console.refunds.take',
    'console.audit.read',
    'console.decide',
  ]),
  admin: new Set(consolePermissions),
}

export const proposalKinds = [
  'merchant.approve',
  'merchant.suspend',
  'merchant.resume',
  'merchant.close',
  'application.stop',
  'application.resume',
  'key.revoke',
  'banking.approve',
  'banking.reject',
  'attempt.resolve',
  'anomaly.resolve',
  'payment.reverse',
  'payment.return',
  'refund.open',
  'refund.resolve',
  'refund.batch',
  'refund.bounce',
  'refund.settle',
  'ledger.adjust',
  'provider.disable',
  'provider.enable',
  'provider.route',
  'person.remove_authenticator',
  'operator.add',
  'operator.role',
  'operator.remove',
] as const
export type ProposalKind = (typeof proposalKinds)[number]

const risk: ReadonlySet<OperatorRole> = new Set(['risk', 'admin'])
const finance: ReadonlySet<OperatorRole> = new Set(['finance', 'admin'])
const admin: ReadonlySet<OperatorRole> = new Set(['admin'])

/** The roles that propose and approve a kind. */
export const decidersOf: Readonly<Record<ProposalKind, ReadonlySet<OperatorRole>>> = {
  'merchant.approve': risk,
  'merchant.suspend': risk,
  'merchant.resume': risk,
  'merchant.close': risk,
  'application.stop': risk,
  'application.resume': risk,
  'key.revoke': risk,
  'banking.approve': new Set(['risk', 'finance', 'admin']),
  'banking.reject': new Set(['risk', 'finance', 'admin']),
  'attempt.resolve': risk,
  'anomaly.resolve': risk,
  'payment.reverse': risk,
  'payment.return': risk,
  'refund.open': finance,
  'refund.resolve': finance,
  'refund.batch': finance,
  'refund.bounce': finance,
  'refund.settle': finance,
  'ledger.adjust': finance,
  'provider.disable': admin,
  'provider.enable': admin,
  'provider.route': admin,
  'person.remove_authenticator': risk,
  'operator.add': admin,
  'operator.role': admin,
  'operator.remove': admin,
}

/** Kinds that one operator executes at once, because a delay does harm; the way back needs two. */
export const immediateKinds = [
  'merchant.suspend',
  'application.stop',
  'key.revoke',
  'banking.reject',
  'payment.reverse',
  'provider.disable',
  'operator.remove',
] as const satisfies readonly ProposalKind[]

/** Kinds that are proposed where two operators decide. */
export type StoredKind = Exclude<ProposalKind, (typeof immediateKinds)[number]>

export const isImmediate = (kind: ProposalKind): boolean => immediateKinds.some((each) => each === kind)

export const proposalStates = ['open', 'approved', 'rejected', 'withdrawn', 'stale', 'expired'] as const
export type ProposalState = (typeof proposalStates)[number]

/** The length of a note to a merchant. */
export const NOTE_MAX_LENGTH = 1000
