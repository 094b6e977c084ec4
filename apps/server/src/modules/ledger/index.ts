export { adjust } from './actions/adjust.ts'
export { adjustByOperator } from './actions/adjust-by-operator.ts'
export { newTransfers, postTransfers } from './actions/post-transfers.ts'
export { type TrialBalance, trialBalance } from './actions/trial-balance.ts'
export {
  adjustmentRows,
  adjustmentsOfPayment,
  type BookedDifference,
  differenceFor,
  type NewAdjustment,
  newAdjustment,
  toSuspense,
} from './adjustment.ts'
export { ledgerTables } from './exported-tables.ts'
export {
  aggregateLedgerBalances,
  type ComparisonCtx,
  compareEnvironments,
  compareLedger,
  ledgerTasks,
} from './jobs.ts'
export { ledgerMetrics } from './metrics.ts'
export {
  balancesOf,
  hasAccountOf,
  insertTransfersFrom,
  newestAdjustment,
  transferDefinition,
  transferRow,
} from './store.ts'
export {
  balancesPosition,
  eachEnvironment,
  type LedgerScope,
  type LongTimeout,
  withLongTimeout,
} from './store-balances.ts'
export { countMovements, listMovements, type Movement } from './store-movements.ts'
export { clearing, type Transfer } from './transfer.ts'
