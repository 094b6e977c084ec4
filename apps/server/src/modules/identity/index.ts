import type { MerchantId } from '@muripo/contract/ids'
import type { Queryable } from '../../platform/db/database.ts'
import { type MerchantProfile, profileOf } from './store.ts'

export { accountRoutes } from './account-routes.ts'
export { discardUnusedDocuments } from './actions/discard-unused-documents.ts'
export { endSessions } from './actions/end-sessions.ts'
export { listDocuments } from './actions/list-documents.ts'
export { readDocument } from './actions/read-document.ts'
export { showDocument } from './actions/show-document.ts'
export { forgetOldTries, identityJobs } from './jobs.ts'
export { liveSessions } from './live-sessions.ts'
export { passkeyRoutes } from './passkey-routes.ts'
export { identityRoutes, signOutRoutes } from './routes.ts'
export { type SessionCaller, sessionAuth, tokenHolderAuth } from './session-auth.ts'
export type { MerchantProfile } from './store.ts'
export { uploadRoutes } from './upload-routes.ts'

/** What other modules may know of a merchant. */
export const merchantProfile = (tx: Queryable, merchantId: MerchantId): Promise<MerchantProfile> =>
  profileOf(tx, merchantId)
