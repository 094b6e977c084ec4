export { accountNamed } from './account-name.ts'
export {
  type AccountChange,
  AccountRefused,
  changeAccount,
} from './actions/change-account.ts'
export {
  changeRoute,
  DEFAULT_ROUTE,
  possibleAccounts,
  refusalOfRoute,
  routesOf,
  routeVersion,
} from './actions/change-route.ts'
export { checkAccount, proveAccount } from './actions/check-account.ts'
export { type ListedAccount, listAccounts } from './actions/list-accounts.ts'
export {
  environmentDifferences,
  IGNORED,
  takeEnvironmentAccounts,
} from './actions/take-environment-accounts.ts'
export { CALL_LEASE_MS } from './calls/deadlines.ts'
export { type CallFigures, healthFrom, latencyAt, noFigures } from './calls/figures.ts'
export { createProviderCalls, type ProviderCalls } from './calls/provider-calls.ts'
export { readBudgets } from './calls/store-budgets.ts'
export { recentFigures } from './calls/store-figures.ts'
export { allProviderSettings } from './catalogue.ts'
export {
  type CaptureOrder,
  type Connector,
  type LookupCause,
  type NextAction,
  type NotFound,
  type Outcome,
  type PayerBrowser,
  type ProceedRequest,
  ProviderError,
  type ProviderHealth,
  type ProviderState,
  type RefundCalls,
  type Reply,
} from './connector.ts'
export { providerTables } from './exported-tables.ts'
export { createDownWatch, createHealthReaders } from './health.ts'
export {
  type CallbackActions,
  type CallbackOutcome,
  FINALITY_MS,
  mountCallbacks,
  retryCallbacks,
} from './inbound.ts'
export { providerTasks } from './jobs.ts'
export { passedLimitOf } from './limits.ts'
export { connectProviders, type ProvidersCtx, readProviders } from './live-providers.ts'
export { routeOf } from './method-routes.ts'
export { providerMetrics } from './metrics.ts'
export { displayNumber, isBoundToNetwork, toMsisdn, walletOf } from './msisdn.ts'
export { type Offer, type Providers, providerLabel } from './registry.ts'
export { isSimulated } from './simulated/index.ts'
export type { Choice } from './simulated/outcomes.ts'
export { accountVersion } from './store-accounts.ts'
export { pageOfRoutes } from './store-routes.ts'
export { encryptedSettings } from './stored-accounts.ts'
