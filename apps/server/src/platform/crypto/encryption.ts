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

/** The keys of one purpose. An encrypted value begins with a head, which identifies its key. */
export interface EncryptionKeys {
  /** The key of new values. */
  readonly active: { readonly head: Buffer; readonly key: Buffer }
  /** The key of a value by its first bytes; null when these keys do not include it. */
  keyOf(encrypted: Buffer): { readonly headBytes: number; readonly key: Buffer } | null
}

/** The longest head. */
export const HEAD_BYTES_MAX = 9

/** A single key, whose head has no id. */
export function oneKey(key: Buffer): EncryptionKeys {
  const head = Buffer.of(VERSION)
  return { active: { head, key }, keyOf: ([version]) => (version === VERSION ? { headBytes: 1, key } : null) }
}

/**
 * Encrypts with AES-256-GCM under a fresh nonce. `context` is authenticated but not stored: the encrypted value of one row cannot be
 * decrypted in the place of another.
 */
export function encrypt(keys: EncryptionKeys, plain: Buffer, context: string): Buffer {
  const { head, key } = keys.active
  return encryptWith(key, head, plain, Buffer.from(context), randomBytes(NONCE_BYTES))
}

/** The plain text, or null when it was not encrypted with one of these keys and this context. */
export function decrypt(keys: EncryptionKeys, encrypted: Buffer, context: string): Buffer | null {
  const found = keys.keyOf(encrypted)
  return found && decryptWith(found.key, encrypted.subarray(found.headBytes), Buffer.from(context))
}

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
  const head = Buffer.of(VERSION)
  const nonceKey = createHmac('sha256', key).update(`nonce ${context}`).digest()
  return {
    encrypt(plain) {
      if (plain.length !== plainBytes) throw new RangeError(`A link for ${context} names ${plainBytes} bytes`)
      const nonce = hash('sha256', Buffer.concat([nonceKey, plain]), 'buffer').subarray(0, NONCE_BYTES)
      return encryptWith(prepared, head, plain, authenticated, nonce)
    },
    decrypt(encrypted) {
      const plain =
        encrypted[0] === VERSION ? decryptWith(prepared, encrypted.subarray(1), authenticated) : null
      return plain?.length === plainBytes ? plain : null
    },
  }
}

function encryptWith(
  key: Buffer | KeyObject,
  head: Buffer,
  plain: Buffer,
  context: Buffer,
  nonce: Buffer,
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(context)
  return Buffer.concat([head, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decryptWith(key: Buffer | KeyObject, encrypted: Buffer, context: Buffer): Buffer | null {
  if (encrypted.length < NONCE_BYTES + TAG_BYTES) return null
  const nonce = encrypted.subarray(0, NONCE_BYTES)
  const body = encrypted.subarray(NONCE_BYTES, encrypted.length - TAG_BYTES)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    decipher.setAAD(context)
    decipher.setAuthTag(encrypted.subarray(encrypted.length - TAG_BYTES))
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch {
    return null
  }
}
