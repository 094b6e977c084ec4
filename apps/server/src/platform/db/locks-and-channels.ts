/** Keys of advisory locks. One file contains them, so that no two uses have the same number. */
export const advisoryLocks = {
  migration: '7823486516321',
  /** Functions of the schema take these. */
  paymentAggregator: '7823486516400',
  ledgerAggregator: '7823486516401',
  /** The first of two keys; the second one is zero, and each process that runs jobs shares the lock. */
  jobRunner: 7823486,
  /** The first of two keys; the second one is a hash of the id of a master key that the process has. */
  masterKey: 7823487,
  /** The first of two keys; the second one is a hash of the id of a merchant whose team changes. */
  team: 7823488,
  auditSeals: '7823486516402',
  /** Refunds by hand that an operator takes out. */
  manualRefunds: '7823486516403',
  /** Hashed. */
  unclaimedDocuments: 'muripo:unclaimed-documents',
} as const

/** Channels of NOTIFY. */
export const channels = {
  applicationKeysChanged: 'application_keys_changed',
  jobsAdded: 'jobs_added',
  masterKeyChanged: 'master_key_changed',
  paymentsChanged: 'payments_changed',
  providersChanged: 'providers_changed',
  sessionCheck: 'session_check',
} as const
