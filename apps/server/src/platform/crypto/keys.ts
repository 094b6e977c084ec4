import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type EncryptionKeys, oneKey } from './encryption.ts'
import { derive, type KeyRing } from './key-ring.ts'

/**
 * Every secret of the gateway, each for one purpose. Those that encrypt what is stored for long are derived from the master keys, which can
 * be changed. The other ones are derived from the root secret, which stays: what they signed or hashed cannot be computed again.
 */
export interface Keys {
  readonly ring: KeyRing
  readonly applicationKeyEncryption: EncryptionKeys
  readonly fileEncryption: EncryptionKeys
  readonly webhookSecretEncryption: EncryptionKeys
  readonly providerAccountEncryption: EncryptionKeys
  readonly retainedNumberEncryption: EncryptionKeys
  readonly totpSecretEncryption: EncryptionKeys
  readonly sessionSigning: Buffer
  readonly passwordPepper: Buffer
  readonly otpHash: Buffer
  readonly applicationKeyLookup: Buffer
  readonly linkEncryption: Buffer
  /** Of the root secret, because an email waits for minutes. */
  readonly jobEncryption: EncryptionKeys
  /** Without this key, a limit's hash of an address or an account reveals nothing. */
  readonly limitKey: Buffer
  /** Without this key, a customer's id reveals nothing of the email or the number that it is computed from. */
  readonly customerIds: string
  /** The key for hashes of a browser's device secret. */
  readonly deviceHash: Buffer
  /** Not a secret; derived only so that it stays the same after a restart. */
  readonly uploadKey: string
}

export function deriveKeys(ring: KeyRing, rootSecret: Buffer): Keys {
  const ofRoot = (purpose: string): Buffer => derive(rootSecret, purpose)
  return {
    ring,
    applicationKeyEncryption: ring.for('application-key-seal'),
    fileEncryption: ring.for('file-seal'),
    webhookSecretEncryption: ring.for('webhook-secret-seal'),
    providerAccountEncryption: ring.for('provider-account-seal'),
    retainedNumberEncryption: ring.for('retained-number'),
    totpSecretEncryption: ring.for('totp-secret'),
    sessionSigning: ofRoot('session-signing'),
    passwordPepper: ofRoot('password-pepper'),
    otpHash: ofRoot('otp-hash'),
    applicationKeyLookup: ofRoot('application-key-lookup'),
    linkEncryption: ofRoot('link-seal'),
    jobEncryption: oneKey(ofRoot('job-seal')),
    limitKey: ofRoot('limit-key'),
    customerIds: ofRoot('customer-ids').toString('hex'),
    deviceHash: ofRoot('device-hash'),
    uploadKey: `uk_${ofRoot('upload-key').toString('base64url').slice(0, 32)}`,
  }
}

/** Compares a secret of a request in a time that does not depend on the secrets. */
export const isSameSecret = (given: string, secret: string): boolean =>
  timingSafeEqual(digest(given), digest(secret))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

export const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const secretsFile = (dataDir: string): string => join(dataDir, 'secrets.json')

/** Whether an earlier start has generated the development master key. */
export const hasDevelopmentMasterKey = (dataDir: string): boolean => existsSync(secretsFile(dataDir))

/** The development master key: generated at the first start, in a file that only its owner can read. */
export function developmentMasterKey(dataDir: string): Buffer {
  const file = secretsFile(dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, secretsText([randomBytes(32)]), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  chmodSync(file, 0o600)
  const [masterKey] = secretsIn(file)
  if (masterKey === undefined) throw new Error(`${file} contains no master key`)
  return masterKey
}

/** The content of the file; a restore of a backup during a rotation writes several keys, the active one first. */
export const secretsText = ([masterKey, ...earlier]: readonly Buffer[]): string =>
  JSON.stringify({
    masterKey: masterKey?.toString('base64'),
    ...(earlier.length > 0 && { earlierMasterKeys: earlier.map((key) => key.toString('base64')) }),
  })

const secretsIn = (file: string): Buffer[] => secretsInText(readFileSync(file, 'utf8'))

export function secretsInText(text: string): Buffer[] {
  const { masterKey, earlierMasterKeys = [] } = JSON.parse(text) as {
    masterKey: string
    earlierMasterKeys?: string[]
  }
  return [masterKey, ...earlierMasterKeys].map((key) => Buffer.from(key, 'base64'))
}

/** The master keys of a process: that of new values after the next rotation, and those that only decrypt. */
export function masterKeysOf({
  masterKey,
  earlierMasterKeys,
  dataDir,
}: Pick<Config, 'masterKey' | 'earlierMasterKeys' | 'dataDir'>): readonly Buffer[] {
  if (masterKey !== null) return [masterKey, ...earlierMasterKeys]
  developmentMasterKey(dataDir)
  return [...secretsIn(secretsFile(dataDir)), ...earlierMasterKeys]
}
