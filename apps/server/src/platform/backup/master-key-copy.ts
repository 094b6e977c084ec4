import { hkdfSync, randomBytes, scryptSync } from 'node:crypto'
import { z } from 'zod'
import { decrypt, encrypt } from '../crypto/encryption.ts'

const context = 'master key in a backup'

const encryptedCopy = z.object({ salt: z.base64(), encrypted: z.base64() })

/** Identifies a master key without revealing it. */
export const fingerprintOf = (masterKey: Buffer): string =>
  Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'muripo/v1/fingerprint', 8)).toString('hex')

/** A copy of the master key that only the passphrase of the backups opens. */
export function encryptMasterKey(masterKey: Buffer, passphrase: string): string {
  const salt = randomBytes(16)
  const encrypted = encrypt(scryptSync(passphrase, salt, 32), masterKey, context)
  return JSON.stringify({ salt: salt.toString('base64'), encrypted: encrypted.toString('base64') })
}

/** Null with another passphrase. */
export function decryptMasterKey(copy: string, passphrase: string): Buffer | null {
  const { salt, encrypted } = encryptedCopy.parse(JSON.parse(copy))
  const key = scryptSync(passphrase, Buffer.from(salt, 'base64'), 32)
  return decrypt(key, Buffer.from(encrypted, 'base64'), context)
}
