/** Keys of advisory locks. One file, so that no two uses take the same number. */
export const advisoryLocks = {
  migration: '7823486516321',
  /** Taken by functions of the schema. */
  paymentAggregator: '7823486516400',
  ledgerAggregator: '7823486516401',
  /** The first of two keys; the second one is a hash of the runner's id. */
  jobRunner: 7823486,
  /** Hashed. */
  unclaimedDocuments: 'muripo:unclaimed-documents',
} as const

/** Channels of NOTIFY. */
export const channels = {
  applicationKeysChanged: 'application_keys_changed',
  paymentsChanged: 'payments_changed',
  sessionCheck: 'session_check',
} as const
