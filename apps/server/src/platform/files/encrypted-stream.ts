import { createCipheriv, createDecipheriv, type DecipherGCM, randomBytes } from 'node:crypto'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + NONCE_BYTES

/** The length that encryption adds to a file. */
export const ENCRYPTION_OVERHEAD_BYTES = HEAD_BYTES + TAG_BYTES

/** Encrypts like `encrypt`, chunk by chunk. `context` is authenticated but not stored: no file can take the place of another. */
export async function* encryptStream(
  key: Buffer,
  source: AsyncIterable<Buffer>,
  context: string,
): AsyncGenerator<Buffer> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(context))
  yield Buffer.concat([Buffer.of(VERSION), nonce])
  for await (const chunk of source) yield cipher.update(chunk)
  yield Buffer.concat([cipher.final(), cipher.getAuthTag()])
}

/** The plain text; throws at the end when it was not encrypted with this key and context. */
export async function* decryptStream(
  key: Buffer,
  source: AsyncIterable<Buffer>,
  context: string,
): AsyncGenerator<Buffer> {
  let decipher: DecipherGCM | undefined
  let held = Buffer.alloc(0)
  for await (const chunk of source) {
    held = Buffer.concat([held, chunk])
    if (!decipher && held.length >= HEAD_BYTES) {
      if (held[0] !== VERSION) throw notOurs()
      decipher = createDecipheriv('aes-256-gcm', key, held.subarray(1, HEAD_BYTES))
      decipher.setAAD(Buffer.from(context))
      held = held.subarray(HEAD_BYTES)
    }
    // The last bytes are the authentication tag, and the end is known only after the last chunk.
    if (decipher && held.length > TAG_BYTES) {
      yield decipher.update(held.subarray(0, -TAG_BYTES))
      held = held.subarray(-TAG_BYTES)
    }
  }
  if (!decipher || held.length !== TAG_BYTES) throw notOurs()
  decipher.setAuthTag(held)
  try {
    decipher.final()
  } catch {
    throw notOurs()
  }
}

const notOurs = () => new Error('the file is damaged, or was encrypted with another master key')
