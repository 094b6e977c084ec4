export { eraseMerchantAccount, removeDocumentFiles } from './accounts/erase-merchant.ts'
export { canMove, type MerchantMove, merchantMoves } from './accounts/machine.ts'
export { toE164 } from './accounts/phone.ts'
export { type MerchantProfile, merchantProfile } from './accounts/store-accounts.ts'
export { testAccountIdOf } from './accounts/store-environments.ts'
export { environmentsOf, isErased } from './accounts/store-merchant-erasure.ts'
export {
  findMerchant,
  listMerchants,
  lockMerchant,
  type MerchantRecord,
  setMerchantStatus,
  shareLockStatus,
} from './accounts/store-merchants.ts'
export { isFirstReveal } from './devices/live-key-reveals.ts'
export { occasion, type Visitor, visitorOf } from './devices/visitor.ts'
export { listDocuments } from './documents/actions/list-documents.ts'
export { readDocument } from './documents/actions/read-document.ts'
export { showDocument } from './documents/actions/show-document.ts'
export { encryptedDocuments } from './documents/encrypted-documents.ts'
export { uploadRoutes } from './documents/routes.ts'
export { storedFiles } from './documents/store-documents.ts'
export { identityTables } from './exported-tables.ts'
export { identityJobs, identityTasks } from './jobs.ts'
export { identityRoutes, publicIdentityRoutes } from './routes.ts'
export { endSessions } from './sessions/actions/end-sessions.ts'
export { liveSessions } from './sessions/live-sessions.ts'
export { signOutRoutes } from './sessions/routes.ts'
export { type SessionCaller, sessionAuth, tokenHolderAuth } from './sessions/session-auth.ts'
