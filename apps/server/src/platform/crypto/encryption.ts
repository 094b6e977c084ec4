import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts with AES-256-GCM under a fresh nonce. `context` is authenticated but not stored: the encrypted value of one row cannot be
 * decrypted in the place of another.
 */
export const encrypt = (key: Buffer, plain: Buffer, context: string): Buffer =>
  encryptWith(key, plain, Buffer.from(context), randomBytes(NONCE_BYTES))

/** The plain text, or null when it was not encrypted with this key and context. */
export const decrypt = (key: Buffer, encrypted: Buffer, context: string): Buffer | null =>
  decryptWith(key, encrypted, Buffer.from(context))

/** Encrypts and decrypts for one purpose. */
export interface DeterministicCipher {
  encrypt(plain: Buffer): Buffer
  decrypt(encrypted: Buffer): Buffer | null
}

/**
 * Encrypts like `encrypt`, with a nonce that is a keyed hash of the plain text: the same input has the same output, so that a link can be
 * computed again instead of being stored. A nonce repeats only with an equal plain text, which is the one case that GCM allows. The keys
 * are prepared once, because each create of a payment and each read encrypts a link.
 * @param plainBytes the length of every plain text: a hash that begins with its key is secure for messages of one length
 */
export function deterministicCipher(key: Buffer, context: string, plainBytes: number): DeterministicCipher {
  const prepared = createSecretKey(key)
  const authenticated = Buffer.from(context)
  const nonceKey = createHmac('sha256', key).update(`nonce ${context}`).digest()
  return {
    encrypt(plain) {
      if (plain.length !== plainBytes) throw new RangeError(`A link for ${context} names ${plainBytes} bytes`)
      const nonce = hash('sha256', Buffer.concat([nonceKey, plain]), 'buffer').subarray(0, NONCE_BYTES)
      return encryptWith(prepared, plain, authenticated, nonce)
    },
    decrypt(encrypted) {
      const plain = decryptWith(prepared, encrypted, authenticated)
      return plain?.length === plainBytes ? plain : null
    },
  }
}

function encryptWith(key: Buffer | KeyObject, plain: Buffer, context: Buffer, nonce: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(context)
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decryptWith(key: Buffer | KeyObject, encrypted: Buffer, context: Buffer): Buffer | null {
  if (encrypted.length < 1 + NONCE_BYTES + TAG_BYTES || encrypted[0] !== VERSION) return null
  const nonce = encrypted.subarray(1, 1 + NONCE_BYTES)
  const body = encrypted.subarray(1 + NONCE_BYTES, encrypted.length - TAG_BYTES)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    decipher.setAAD(context)
    decipher.setAuthTag(encrypted.subarray(encrypted.length - TAG_BYTES))
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch {
    return null
  }
}
