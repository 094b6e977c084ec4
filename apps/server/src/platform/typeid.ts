/**
 * The 26 characters of a TypeID and the UUID that they stand for (github.com/jetify-com/typeid, version 0.3). A payment's creation
 * turns six ids from one to the other; the library takes ten times as long, which was an eighth of the whole.
 */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Two characters for each ten bits. */
const pairs = Array.from(
  { length: 1024 },
  (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31),
)
/** The five bits of a character by its code; -1 where there is none. */
const bitsOf = Int8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)))

export const dashed = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`

/** @param uuid 32 hexadecimal digits with four dashes. 128 bits fill 25 characters and three bits of the first. */
export function suffixFrom(uuid: string): string {
  const hex = uuid.replaceAll('-', '')
  if (hex.length !== 32) throw new Error('Not a UUID')
  let text = pairAt(Number.parseInt(hex.slice(0, 2), 16))
  for (let digit = 2; digit < 32; digit += 5) {
    const bits = Number.parseInt(hex.slice(digit, digit + 5), 16)
    text += pairAt(bits >> 10) + pairAt(bits & 1023)
  }
  return text
}

function pairAt(bits: number): string {
  const pair = pairs[bits]
  if (pair === undefined) throw new Error('Not a UUID')
  return pair
}

/** @throws when it is not 26 characters of the alphabet, of which the first is at most 7 */
export function uuidIn(suffix: string): string {
  if (suffix.length !== 26) throw new Error('Not the suffix of a TypeID')
  let hex = bitsAt(suffix, 0).toString(16).padStart(2, '0')
  for (let at = 2; at < 26; at += 4) {
    const bits = (bitsAt(suffix, at) << 10) | bitsAt(suffix, at + 2)
    hex += bits.toString(16).padStart(5, '0')
  }
  if (hex.length !== 32) throw new Error('Not the suffix of a TypeID')
  return dashed(hex)
}

function bitsAt(suffix: string, at: number): number {
  const high = bitsOf[suffix.charCodeAt(at)] ?? -1
  const low = bitsOf[suffix.charCodeAt(at + 1)] ?? -1
  if (high < 0 || low < 0) throw new Error('Not the suffix of a TypeID')
  return (high << 5) | low
}
