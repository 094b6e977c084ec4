import { randomBytes, scryptSync } from 'node:crypto'
import { z } from 'zod'
import { decrypt, encrypt, oneKey } from '../crypto/encryption.ts'

const context = 'master key in a backup'

const encryptedCopy = z.object({ salt: z.base64(), encrypted: z.base64() })

const KEY_BYTES = 32

/** A copy of master keys that only the passphrase of the backups opens. */
export function encryptMasterKeys(masterKeys: readonly Buffer[], passphrase: string): string {
  const salt = randomBytes(16)
  const encrypted = encrypt(oneKey(scryptSync(passphrase, salt, 32)), Buffer.concat(masterKeys), context)
  return JSON.stringify({ salt: salt.toString('base64'), encrypted: encrypted.toString('base64') })
}

/** Null with another passphrase. */
export function decryptMasterKeys(copy: string, passphrase: string): Buffer[] | null {
  const { salt, encrypted } = encryptedCopy.parse(JSON.parse(copy))
  const key = oneKey(scryptSync(passphrase, Buffer.from(salt, 'base64'), 32))
  const keys = decrypt(key, Buffer.from(encrypted, 'base64'), context)
  if (keys === null) return null
  return Array.from({ length: keys.length / KEY_BYTES }, (_, nth) =>
    keys.subarray(nth * KEY_BYTES, (nth + 1) * KEY_BYTES),
  )
}
