import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts with AES-256-GCM under a fresh nonce. `context` is authenticated but not kept: what was sealed for one row opens nowhere
 * else.
 */
export const seal = (key: Buffer, plain: Buffer, context: string): Buffer =>
  encrypt(key, plain, context, randomBytes(NONCE_BYTES))

/**
 * As seal, with a nonce made from the plain text by a keyed hash: the same input gives the same output, so that a link can be made
 * again instead of being stored. A nonce repeats only with the very same plain text, which is the one case that GCM allows.
 */
export function sealDeterministic(key: Buffer, plain: Buffer, context: string): Buffer {
  const nonce = createHmac('sha256', key)
    .update(context)
    .update('\0')
    .update(plain)
    .digest()
    .subarray(0, NONCE_BYTES)
  return encrypt(key, plain, context, nonce)
}

function encrypt(key: Buffer, plain: Buffer, context: string, nonce: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(context))
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** What was sealed, or null when this key and context did not seal it. */
export function open(key: Buffer, sealed: Buffer, context: string): Buffer | null {
  if (sealed.length < 1 + NONCE_BYTES + TAG_BYTES || sealed[0] !== VERSION) return null
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
  const body = sealed.subarray(1 + NONCE_BYTES, sealed.length - TAG_BYTES)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    decipher.setAAD(Buffer.from(context))
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch {
    return null
  }
}
