import type { MerchantId } from '@muripo/contract/ids'
import type { Queryable } from '../../platform/db/database.ts'
import { type MerchantProfile, profileOf } from './store.ts'

export { accountRoutes } from './account-routes.ts'
export { deleteUnprovenAccounts } from './actions/delete-unproven-accounts.ts'
export { discardUnusedDocuments } from './actions/discard-unused-documents.ts'
export { endSessions } from './actions/end-sessions.ts'
export { listDocuments } from './actions/list-documents.ts'
export { readDocument } from './actions/read-document.ts'
export { showDocument } from './actions/show-document.ts'
export { isFirstReveal } from './devices/live-key-reveals.ts'
export { type Visitor, visitorOf } from './devices/visitor.ts'
export { uploadRoutes } from './documents/upload-routes.ts'
export { forgetOldTries, identityJobs } from './jobs.ts'
export { occasion } from './mails/mail-words.ts'
export { canMove, type MerchantMove, merchantMoves } from './merchants/machine.ts'
export {
  findMerchant,
  holdStatus,
  listMerchants,
  lockMerchant,
  type MerchantRecord,
  setMerchantStatus,
} from './merchants/store.ts'
export { passkeyRoutes } from './passkeys/passkey-routes.ts'
export { toE164 } from './phone.ts'
export { identityRoutes, signOutRoutes } from './routes.ts'
export { liveSessions } from './sessions/live-sessions.ts'
export { type SessionCaller, sessionAuth, tokenHolderAuth } from './sessions/session-auth.ts'
export type { MerchantProfile } from './store.ts'
export { testBookOf } from './store-books.ts'

/** What other modules may know of a merchant. */
export const merchantProfile = (tx: Queryable, merchantId: MerchantId): Promise<MerchantProfile> =>
  profileOf(tx, merchantId)
