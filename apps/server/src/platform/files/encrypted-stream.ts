import { createCipheriv, createDecipheriv, type DecipherGCM, randomBytes } from 'node:crypto'
import { type EncryptionKeys, HEAD_BYTES_MAX } from '../crypto/encryption.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The length that encryption adds to a file. */
export const encryptionOverheadBytes = ({ head }: EncryptionKeys['active']): number =>
  head.length + NONCE_BYTES + TAG_BYTES

/** Encrypts like `encrypt`, chunk by chunk. `context` is authenticated but not stored: no file can take the place of another. */
export async function* encryptStream(
  { head, key }: EncryptionKeys['active'],
  source: AsyncIterable<Buffer>,
  context: string,
): AsyncGenerator<Buffer> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(context))
  yield Buffer.concat([head, nonce])
  for await (const chunk of source) yield cipher.update(chunk)
  yield Buffer.concat([cipher.final(), cipher.getAuthTag()])
}

/** The plain text; throws at the end when it was not encrypted with one of these keys and this context. */
export async function* decryptStream(
  keys: EncryptionKeys,
  source: AsyncIterable<Buffer>,
  context: string,
): AsyncGenerator<Buffer> {
  let decipher: DecipherGCM | undefined
  let held = Buffer.alloc(0)
  for await (const chunk of source) {
    held = Buffer.concat([held, chunk])
    // Every file is longer than the longest head with its nonce and tag.
    if (!decipher && held.length >= HEAD_BYTES_MAX + NONCE_BYTES) {
      const found = keys.keyOf(held)
      if (found === null) throw notOurs()
      const start = found.headBytes + NONCE_BYTES
      decipher = createDecipheriv('aes-256-gcm', found.key, held.subarray(found.headBytes, start))
      decipher.setAAD(Buffer.from(context))
      held = held.subarray(start)
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
