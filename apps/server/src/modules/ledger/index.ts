export { type AdjustableAccount, adjust, toSuspense } from './actions/adjust.ts'
export { newTransfers, postTransfers } from './actions/post-transfers.ts'
export { addUp, type TrialBalance, trialBalance } from './actions/trial-balance.ts'
export { allComparisons, createLedgerComparison, type LedgerComparison } from './comparison.ts'
export { ledgerTables } from './exported-tables.ts'
export {
  aggregateLedgerBalances,
  type ComparisonCtx,
  compareEnvironments,
  compareLedger,
  ledgerTasks,
} from './jobs.ts'
export { ledgerMetrics } from './metrics.ts'
export { balancesOf, insertTransfersFrom, transferDefinition, transferRow } from './store.ts'
export {
  balancesPosition,
  eachEnvironment,
  type LedgerScope,
  type LongTimeout,
  withLongTimeout,
} from './store-balances.ts'
export { clearing, type Transfer } from './transfer.ts'
