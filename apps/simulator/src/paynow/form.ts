import { createHash } from 'node:crypto'

/** The fields of a message in their order. */
export type Fields = readonly (readonly [name: string, value: string])[]

/** The provider escapes in lower-case digits. */
const encode = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll(/%[0-9A-F]{2}/g, (digits) => digits.toLowerCase())
    .replaceAll('%20', '+')

export const write = (fields: Fields): string =>
  fields.map(([name, value]) => `${name}=${encode(value)}`).join('&')

export const readForm = (text: string): Fields => [...new URLSearchParams(text)]

export const hashOf = (fields: Fields, key: string): string =>
  createHash('sha512')
    .update(
      fields
        .filter(([name]) => name.toLowerCase() !== 'hash')
        .map(([, value]) => value)
        .join('')
        .concat(key.toLowerCase()),
    )
    .digest('hex')
    .toUpperCase()
