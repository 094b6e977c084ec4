export { canMove, type MerchantMove, merchantMoves } from './accounts/machine.ts'
export { toE164 } from './accounts/phone.ts'
export { type MerchantProfile, merchantProfile } from './accounts/store-accounts.ts'
export { environmentsOf, testAccountIdOf } from './accounts/store-environments.ts'
export { eraseMerchantAccount, isErased, removeDocumentFiles } from './accounts/store-erasure.ts'
export {
  findMerchant,
  listMerchants,
  lockMerchant,
  type MerchantRecord,
  setMerchantStatus,
  shareLockStatus,
} from './accounts/store-merchants.ts'
export { isFirstReveal } from './devices/store-devices.ts'
export { occasion, type Visitor, visitorOf } from './devices/visitor.ts'
export { readDocument, showDocument } from './documents/actions/read-documents.ts'
export { encryptedDocuments } from './documents/encrypted-documents.ts'
export { uploadRoutes } from './documents/routes.ts'
export { documentsOfAccounts, storedFiles } from './documents/store-documents.ts'
export { identityTables } from './exported-tables.ts'
export { identityJobs, identityTasks } from './jobs.ts'
export { identityRoutes, publicIdentityRoutes, signOutRoutes } from './routes.ts'
export { endSessions } from './sessions/actions/end-sessions.ts'
export { type SessionCaller, sessionAuth, tokenHolderAuth } from './sessions/session-auth.ts'
export { liveSessions } from './sessions/sessions.ts'
