import { createHash } from 'node:crypto'
import { applicationKeyPattern } from '@muripo/contract/applications'
import { AccountId, ApplicationId } from '@muripo/contract/ids'
import type { MerchantStatus } from '@muripo/contract/merchant-statuses'
import { encryptedColumn } from '../../platform/crypto/encrypted-values.ts'
import { decrypt, encrypt } from '../../platform/crypto/encryption.ts'
import { hmac, type Keys } from '../../platform/crypto/keys.ts'
import { accountHash } from '../../platform/db/shard-groups.ts'
import { invariant } from '../../platform/errors.ts'
import { type Ids, idFrom } from '../../platform/ids.ts'
import type { KeyMode } from '../../platform/settings.ts'

/** The modes in which the applications of such a merchant have keys. Only an approved merchant has live keys. */
export function modesOf(
  { config }: { config: { keyMode: KeyMode } },
  status: MerchantStatus,
): readonly KeyMode[] {
  if (config.keyMode === 'test') return ['test']
  return status === 'approved' ? ['live', 'test'] : ['test']
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const HASH_LENGTH = 6
const RANDOM_LENGTH = 26
const CHECKSUM_LENGTH = 6

/**
 * `mk_` + mode + 32 base62 characters + 6 of checksum, so that a mistyped key is known without the database. The first 6 of the 32 are the
 * hash of the account, by which its database is known, and the others are random (154 bits).
 */
export function newKey(ids: Ids, mode: KeyMode, accountId: AccountId): string {
  let random = ''
  while (random.length < RANDOM_LENGTH) {
    // 248 is the largest multiple of 62 in a byte. Larger values would make some characters more frequent.
    for (const byte of ids.bytes(RANDOM_LENGTH)) {
      if (byte < 248 && random.length < RANDOM_LENGTH) random += ALPHABET[byte % ALPHABET.length]
    }
  }
  const start = `mk_${mode}_${base62(accountHash(accountId) >>> 0, HASH_LENGTH)}${random}`
  return start + checksumOf(start)
}

/** The hash of the account in a well-formed key. A key of an earlier version has random characters there, as if of any account. */
export function accountHashIn(key: string): number {
  const start = key.lastIndexOf('_') + 1
  const digits = [...key.slice(start, start + HASH_LENGTH)].reverse()
  return digits.reduce((value, digit) => value * ALPHABET.length + ALPHABET.indexOf(digit), 0) | 0
}

export function isWellFormed(key: string): boolean {
  if (!applicationKeyPattern.test(key)) return false
  const start = key.slice(0, -CHECKSUM_LENGTH)
  return key.slice(-CHECKSUM_LENGTH) === checksumOf(start)
}

const checksumOf = (text: string): string =>
  base62(createHash('sha256').update(text).digest().readUIntBE(0, 5), CHECKSUM_LENGTH)

/** The last digits of a number, the lowest first. */
function base62(number: number, length: number): string {
  let rest = number
  let digits = ''
  for (let i = 0; i < length; i++) {
    digits += ALPHABET[rest % ALPHABET.length]
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}

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
