import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every secret of the gateway, each derived from the master key for one purpose, so that none opens what another protects. */
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
  /** What a limit keeps of an address or an account tells nothing without it. */
  readonly limitKey: Buffer
  /** A customer's id tells nothing of the email or the number that it is made from. */
  readonly customerIds: string
  /** For the secret that a browser keeps. */
  readonly deviceHash: Buffer
  /** Publishable; derived only so that it stays the same over restarts. */
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
    limitKey: derive('limit-key'),
    customerIds: derive('customer-ids').toString('hex'),
    deviceHash: derive('device-hash'),
    uploadKey: `uk_${derive('upload-key').toString('base64url').slice(0, 32)}`,
  }
}

export const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const secretsFile = (dataDir: string): string => join(dataDir, 'secrets.json')

/** Whether a start has made the development master key. */
export const hasDevelopmentMasterKey = (dataDir: string): boolean => existsSync(secretsFile(dataDir))

/** The development master key: made on the first start, kept in a file that only its owner reads. */
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
