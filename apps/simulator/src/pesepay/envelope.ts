import { createCipheriv, createDecipheriv } from 'node:crypto'

/** AES-256-CBC with the first half of the key as the initialisation vector. */
export function encrypt(body: object, key: string): { payload: string } {
  const cipher = createCipheriv('aes-256-cbc', key, key.slice(0, 16))
  return { payload: cipher.update(JSON.stringify(body), 'utf8', 'base64') + cipher.final('base64') }
}

/** Null when the text cannot be decrypted. */
export function decrypt(payload: string, key: string): unknown {
  try {
    const decipher = createDecipheriv('aes-256-cbc', key, key.slice(0, 16))
    return JSON.parse(decipher.update(payload, 'base64', 'utf8') + decipher.final('utf8'))
  } catch {
    return null
  }
}
