export { adjust } from './actions/adjust.ts'
export { adjustByOperator } from './actions/adjust-by-operator.ts'
export { aggregateLedgerBalances } from './actions/aggregate-ledger-balances.ts'
export { closeBusinessDays } from './actions/close-business-days.ts'
export { type BusinessDay, listBusinessDays } from './actions/list-business-days.ts'
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
export { openDay } from './store-days.ts'
export { countMovements, listMovements, type Movement } from './store-movements.ts'
export { clearing, settledParts, type Transfer } from './transfer.ts'
