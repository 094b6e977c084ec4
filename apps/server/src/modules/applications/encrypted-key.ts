import type { AccountId, ApplicationId } from '@muripo/contract/ids'
import { decrypt, encrypt } from '../../platform/crypto/encryption.ts'
import { hmac, type Keys } from '../../platform/crypto/keys.ts'
import { invariant } from '../../platform/errors.ts'

const contextOf = (accountId: AccountId, applicationId: ApplicationId): string =>
  `application-key:${accountId}:${applicationId}`

export const lookupOf = (keys: Keys, key: string): Buffer => hmac(keys.applicationKeyLookup, key)

export const encryptKey = (
  keys: Keys,
  accountId: AccountId,
  applicationId: ApplicationId,
  key: string,
): Buffer => encrypt(keys.applicationKeyEncryption, Buffer.from(key), contextOf(accountId, applicationId))

export function decryptKey(
  keys: Keys,
  accountId: AccountId,
  applicationId: ApplicationId,
  encrypted: Buffer,
): string {
  const key = decrypt(keys.applicationKeyEncryption, encrypted, contextOf(accountId, applicationId))
  invariant(key !== null, `the key of ${applicationId} is encrypted with the present master key`)
  return key.toString()
}
