export {
  changeMerchantStatus,
  reservedWordsOf,
  reviewCode,
  type StatusChangeResult,
  waitsForReview,
} from './actions/change-merchant-status.ts'
export type { RegeneratedKey } from './actions/regenerate-key.ts'
export {
  type BankingReviewResult,
  reviewBanking,
  type WaitingBanking,
  waitingBanking,
} from './actions/review-banking.ts'
export { revokeKey } from './actions/revoke-key.ts'
export { resumeApplication, stopApplication } from './actions/stop-application.ts'
export { type ListedMerchant, merchantsForOperator } from './actions/waiting-merchants.ts'
export { workingKeys } from './actions/working-keys.ts'
export { applicationKeyAuth, confirmKey, limitPerKey, ownerForSession, refusalOf } from './authenticate.ts'
export { applicationTables } from './exported-tables.ts'
export { applicationTasks } from './jobs.ts'
export { encryptedKeys } from './key.ts'
export { KeyCache } from './key-cache.ts'
export { leakedKeyRoutes, namedKeyRoutes } from './key-routes.ts'
export { createKeyUses } from './key-uses.ts'
export { logoPathOf } from './logo/logo.ts'
export { mountLogos } from './logo/routes.ts'
export { unnamedWords } from './reserved-names.ts'
export { applicationRoutes } from './routes.ts'
export {
  applicationNames,
  findApplicationName,
  hasApplication,
  listActive,
  lockApplication,
  namesakesOf,
} from './store.ts'
export { lockBanking } from './store-banking.ts'
export { eraseApplications } from './store-erasure.ts'
export { isActiveKey, type KeyOwner, mayWrite } from './store-keys.ts'
export { keysMadeBy } from './store-named-keys.ts'
export { type PayerView, payerView } from './store-payer-view.ts'
export { applicationsOf, findMerchantOf, lockStopReason, type ReviewedPresentation } from './store-review.ts'
