import type { AccountId, ApplicationId } from '@muripo/contract/ids'
import { hmac, type Keys } from '../../platform/crypto/keys.ts'
import { open, seal } from '../../platform/crypto/seal.ts'
import { invariant } from '../../platform/errors.ts'

const contextOf = (accountId: AccountId, applicationId: ApplicationId): string =>
  `application-key:${accountId}:${applicationId}`

export const lookupOf = (keys: Keys, key: string): Buffer => hmac(keys.applicationKeyLookup, key)

export const sealKey = (
  keys: Keys,
  accountId: AccountId,
  applicationId: ApplicationId,
  key: string,
): Buffer => seal(keys.applicationKeySeal, Buffer.from(key), contextOf(accountId, applicationId))

export function openKey(
  keys: Keys,
  accountId: AccountId,
  applicationId: ApplicationId,
  sealed: Buffer,
): string {
  const key = open(keys.applicationKeySeal, sealed, contextOf(accountId, applicationId))
  invariant(key !== null, `the key of ${applicationId} opens with the master key that sealed it`)
  return key.toString()
}
