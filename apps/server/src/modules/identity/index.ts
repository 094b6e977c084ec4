export { eraseMerchantAccount, isErased, removeDocumentFiles } from './accounts/store-erasure.ts'
export { activityRoutes } from './activity/routes.ts'
export { occasion, type Visitor, visitorOf } from './devices/visitor.ts'
export { readDocument, showDocument } from './documents/actions/read-documents.ts'
export { encryptedDocuments } from './documents/encrypted-documents.ts'
export { uploadRoutes } from './documents/routes.ts'
export { documentsOfAccounts, storedFiles } from './documents/store-documents.ts'
export { identityTables } from './exported-tables.ts'
export { authenticatorOf, removeAuthenticator } from './factors/actions/remove-authenticator.ts'
export { encryptedTotpSecrets } from './factors/totp.ts'
export { identityJobs, identityTasks } from './jobs.ts'
export { maskedEmail } from './memberships/actions/accept-invitation.ts'
export type { ApplicationNames } from './memberships/limit-in.ts'
export { invitationRoutes, type MadeByPerson, teamRoutes } from './memberships/routes.ts'
export { personsOfOnly } from './memberships/store-memberships.ts'
export { adminsOf } from './memberships/store-team.ts'
export { canMove, type MerchantMove, merchantMoves } from './merchants/machine.ts'
export { toE164 } from './merchants/phone.ts'
export { environmentsOf, testAccountIdOf } from './merchants/store-environments.ts'
export {
  findMerchants,
  listMerchants,
  lockMerchant,
  type MerchantProfile,
  type MerchantRecord,
  merchantNames,
  merchantProfile,
  setMerchantStatus,
  shareLockStatus,
} from './merchants/store-merchants.ts'
export { CHALLENGE_LIFE_MS } from './passkeys/store-challenges.ts'
export { creationOptions, requestOptions, verifyAssertion, verifyRegistration } from './passkeys/webauthn.ts'
export { accountByEmail, findAccountOrNull as findAccountOf } from './persons/store-persons.ts'
export { identityRoutes, publicIdentityRoutes, signOutRoutes } from './routes.ts'
export { endSessions } from './sessions/actions/end-sessions.ts'
export { isFirstReveal } from './sessions/first-reveal.ts'
export { type SessionCaller, sessionAuth, tokenHolderAuth } from './sessions/session-auth.ts'
export { liveSessions } from './sessions/sessions.ts'
export { admitByThrottle, enforceThrottle, throttles } from './throttles.ts'
