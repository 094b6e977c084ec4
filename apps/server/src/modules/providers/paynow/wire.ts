import { createHash, timingSafeEqual } from 'node:crypto'

/** A message in form encoding: its fields in the order of arrival. Paynow writes the names of fields in changing case. */
export interface Message {
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** The value of a field, by its name in lower case; null when the message lacks the field. */
  get(name: string): string | null
}

/** A space is a plus sign in this encoding. */
const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

/**
 * Reads a message from its raw text: its hash covers the values in the order of arrival, which a general parser does not keep.
 * @returns null when the text is not a message: it lacks a status, has a field twice, or is a page of an intermediary
 */
export function readMessage(text: string): Message | null {
  try {
    const fields = text
      .trim()
      .split('&')
      .map((pair) => {
        const [name = '', ...value] = pair.split('=')
        return [decode(name).trim().toLowerCase(), decode(value.join('='))] as const
      })
    const values = new Map(fields)
    if (values.size !== fields.length || !values.has('status')) return null
    return { fields, get: (name) => values.get(name) ?? null }
  } catch {
    // An escape sequence that is none.
    return null
  }
}

/** The hash of a message: all its values in order, then the integration key in lower case; SHA-512 in upper-case hexadecimal digits. */
export function hashOf(fields: Message['fields'], key: string): string {
  const values = fields.flatMap(([name, value]) => (name === 'hash' ? [] : [value]))
  return createHash('sha512')
    .update(values.join('') + key.toLowerCase(), 'utf8')
    .digest('hex')
    .toUpperCase()
}

export function hasValidHash(message: Message, key: string): boolean {
  const given = Buffer.from(message.get('hash')?.toUpperCase() ?? '')
  const expected = Buffer.from(hashOf(message.fields, key))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The body of a call, with its hash. */
export const signedBody = (fields: Message['fields'], key: string): string =>
  new URLSearchParams(
    [...fields, ['hash', hashOf(fields, key)]].map(([name = '', value = '']) => [name, value]),
  ).toString()
