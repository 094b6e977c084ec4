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
 * Encrypts with AES-256-GCM under a fresh nonce. `context` is authenticated but not kept: what was sealed for one row opens nowhere
 * else.
 */
export const seal = (key: Buffer, plain: Buffer, context: string): Buffer =>
  encrypt(key, plain, Buffer.from(context), randomBytes(NONCE_BYTES))

/** What was sealed, or null when this key and context did not seal it. */
export const open = (key: Buffer, sealed: Buffer, context: string): Buffer | null =>
  decrypt(key, sealed, Buffer.from(context))

/** Seals and opens for one purpose. */
export interface Sealer {
  seal(plain: Buffer): Buffer
  open(sealed: Buffer): Buffer | null
}

/**
 * As seal, with a nonce made from the plain text by a keyed hash: the same input gives the same output, so that a link can be made
 * again instead of being stored. A nonce repeats only with the very same plain text, which is the one case that GCM allows. Made
 * ready once, because a payment's creation seals a link, and reading one does.
 * @param plainBytes all that it seals is so long: a hash that begins with its key is good for messages of one length
 */
export function deterministicSealer(key: Buffer, context: string, plainBytes: number): Sealer {
  const prepared = createSecretKey(key)
  const authenticated = Buffer.from(context)
  const nonceKey = createHmac('sha256', key).update(`nonce ${context}`).digest()
  return {
    seal(plain) {
      if (plain.length !== plainBytes) throw new RangeError(`A link for ${context} names ${plainBytes} bytes`)
      const nonce = hash('sha256', Buffer.concat([nonceKey, plain]), 'buffer').subarray(0, NONCE_BYTES)
      return encrypt(prepared, plain, authenticated, nonce)
    },
    open(sealed) {
      const plain = decrypt(prepared, sealed, authenticated)
      return plain?.length === plainBytes ? plain : null
    },
  }
}

function encrypt(key: Buffer | KeyObject, plain: Buffer, context: Buffer, nonce: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(context)
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Buffer | KeyObject, sealed: Buffer, context: Buffer): Buffer | null {
  if (sealed.length < 1 + NONCE_BYTES + TAG_BYTES || sealed[0] !== VERSION) return null
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
  const body = sealed.subarray(1 + NONCE_BYTES, sealed.length - TAG_BYTES)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    decipher.setAAD(context)
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch {
    return null
  }
}
