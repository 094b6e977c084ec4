import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every secret of the gateway, each derived from the master key for one purpose, so that no key opens the data of another. */
export interface Keys {
  readonly sessionSigning: Buffer
  readonly passwordPepper: Buffer
  readonly otpHash: Buffer
  readonly applicationKeyLookup: Buffer
  readonly applicationKeyEncryption: Buffer
  readonly linkEncryption: Buffer
  readonly jobEncryption: Buffer
  readonly fileEncryption: Buffer
  readonly webhookSecretEncryption: Buffer
  readonly providerAccountEncryption: Buffer
  /** Without this key, a limit's hash of an address or an account reveals nothing. */
  readonly limitKey: Buffer
  /** Without this key, a customer's id reveals nothing of the email or the number that it is computed from. */
  readonly customerIds: string
  /** The key for hashes of a browser's device secret. */
  readonly deviceHash: Buffer
  /** Not a secret; derived only so that it stays the same after a restart. */
  readonly uploadKey: string
}

export function deriveKeys(masterKey: Buffer): Keys {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `muripo/v1/${purpose}`, 32))
  return {
    sessionSigning: derive('session-signing'),
    passwordPepper: derive('password-pepper'),
    otpHash: derive('otp-hash'),
    applicationKeyLookup: derive('application-key-lookup'),
    applicationKeyEncryption: derive('application-key-seal'),
    linkEncryption: derive('link-seal'),
    jobEncryption: derive('job-seal'),
    fileEncryption: derive('file-seal'),
    webhookSecretEncryption: derive('webhook-secret-seal'),
    providerAccountEncryption: derive('provider-account-seal'),
    limitKey: derive('limit-key'),
    customerIds: derive('customer-ids').toString('hex'),
    deviceHash: derive('device-hash'),
    uploadKey: `uk_${derive('upload-key').toString('base64url').slice(0, 32)}`,
  }
}

export const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const secretsFile = (dataDir: string): string => join(dataDir, 'secrets.json')

/** Whether an earlier start has generated the development master key. */
export const hasDevelopmentMasterKey = (dataDir: string): boolean => existsSync(secretsFile(dataDir))

/** The development master key: generated at the first start, in a file that only its owner can read. */
export function developmentMasterKey(dataDir: string): Buffer {
  const file = secretsFile(dataDir)
  mkdirSync(dataDir, { recursive: true })
  try {
    writeFileSync(file, JSON.stringify({ masterKey: randomBytes(32).toString('base64') }), {
      mode: 0o600,
      flag: 'wx',
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  chmodSync(file, 0o600)
  const { masterKey } = JSON.parse(readFileSync(file, 'utf8')) as { masterKey: string }
  return Buffer.from(masterKey, 'base64')
}
