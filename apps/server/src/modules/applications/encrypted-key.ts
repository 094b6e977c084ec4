import { AccountId, ApplicationId } from '@muripo/contract/ids'
import { encryptedColumn } from '../../platform/crypto/encrypted-values.ts'
import { decrypt, encrypt } from '../../platform/crypto/encryption.ts'
import { hmac, type Keys } from '../../platform/crypto/keys.ts'
import { invariant } from '../../platform/errors.ts'
import { idFrom } from '../../platform/ids.ts'

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
  invariant(key !== null, `the key of ${applicationId} is encrypted with a master key of this process`)
  return key.toString()
}

/** The stored keys of applications. A revoked key is not stored. */
export const encryptedKeys = encryptedColumn({
  name: 'application keys',
  table: 'application_keys',
  column: 'encrypted',
  primaryKey: ['account_id', 'application_id', 'id'],
  keys: (keys) => keys.applicationKeyEncryption,
  context: ({ account_id = '', application_id = '' }) =>
    contextOf(idFrom(AccountId, account_id), idFrom(ApplicationId, application_id)),
})
