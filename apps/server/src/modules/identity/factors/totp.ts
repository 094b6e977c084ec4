import { OTP_LENGTH } from '@muripo/contract/constants'
import { PersonId } from '@muripo/contract/ids'
import { Secret, TOTP } from 'otpauth'
import { encryptedColumn } from '../../../platform/crypto/encrypted-values.ts'
import { decrypt, encrypt } from '../../../platform/crypto/encryption.ts'
import type { Keys } from '../../../platform/crypto/keys.ts'
import { invariant } from '../../../platform/errors.ts'
import { type Ids, idFrom } from '../../../platform/ids.ts'

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20
const STEP_SECONDS = 30
/** The clock of a phone may differ by one step, in both directions. */
const STEPS_AROUND = 1

export const newTotpSecret = (ids: Ids): Buffer => ids.bytes(SECRET_BYTES)

/** The values that most apps assume: some of them ignore the ones in the address. */
const totpOf = (secret: Buffer, label: string): TOTP =>
  new TOTP({
    issuer: 'Muripo',
    label,
    algorithm: 'SHA1',
    digits: OTP_LENGTH,
    period: STEP_SECONDS,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  })

/** The secret as a person enters it into an app, and as the app scans it. */
export function shownTotp(secret: Buffer, email: string): { readonly secret: string; readonly uri: string } {
  const totp = totpOf(secret, email)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** The 30-second step of a code around a time; null for a wrong code. */
export function stepOfCode(secret: Buffer, code: string, at: Date): bigint | null {
  const timestamp = at.getTime()
  const away = totpOf(secret, '').validate({ token: code, timestamp, window: STEPS_AROUND })
  return away === null ? null : BigInt(TOTP.counter({ period: STEP_SECONDS, timestamp }) + away)
}

const contextOf = (personId: PersonId): string => `totp-secret:${personId}`

export const encryptTotpSecret = (keys: Keys, personId: PersonId, secret: Buffer): Buffer =>
  encrypt(keys.totpSecretEncryption, secret, contextOf(personId))

export function decryptTotpSecret(keys: Keys, personId: PersonId, encrypted: Buffer): Buffer {
  const secret = decrypt(keys.totpSecretEncryption, encrypted, contextOf(personId))
  invariant(
    secret !== null,
    `the authenticator app of ${personId} is encrypted with a master key of this process`,
  )
  return secret
}

export const encryptedTotpSecrets = encryptedColumn({
  name: 'secrets of authenticator apps',
  table: 'totp_factors',
  column: 'secret',
  primaryKey: ['person_id'],
  keys: (keys) => keys.totpSecretEncryption,
  context: ({ person_id = '' }) => contextOf(idFrom(PersonId, person_id)),
})
