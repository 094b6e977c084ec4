/**
 * The 26 characters of a TypeID and their UUID (github.com/jetify-com/typeid, version 0.3). Every create and every read of a payment
 * converts several ids, so tables replace the conversion of numbers to text (docs/performance.md, "Optimisations of a create").
 */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Two characters for each ten bits. */
const pairs = Array.from(
  { length: 1024 },
  (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31),
)
/** The five bits of a character by its code; -1 where there is none. */
const bitsOf = Int8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)))
/** The four bits of a hexadecimal digit by its code; -1 where there is none. */
const digitOf = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
)
/** Two and three hexadecimal digits. */
const [hex2, hex3] = [2, 3].map((digits) =>
  Array.from({ length: 16 ** digits }, (_, bits) => bits.toString(16).padStart(digits, '0')),
) as [string[], string[]]
/** The positions of the digits of a UUID between its dashes. */
const places = [...'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'].flatMap((mark, at) => (mark === 'x' ? [at] : []))

export const dashed = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`

/** @param uuid 32 hexadecimal digits with four dashes. The 128 bits fill 25 characters and three bits of the first one */
export function suffixFrom(uuid: string): string {
  if (uuid.length !== 36) throw new Error('Not a UUID')
  let text = pairs[digits(uuid, 0, 2)] as string
  for (let digit = 2; digit < 32; digit += 5) {
    const bits = digits(uuid, digit, 5)
    text += (pairs[bits >> 10] as string) + (pairs[bits & 1023] as string)
  }
  return text
}

/** The number that some digits of a UUID represent. */
function digits(uuid: string, from: number, count: number): number {
  let bits = 0
  for (let digit = from; digit < from + count; digit += 1) {
    const value = digitOf[uuid.charCodeAt(places[digit] as number)] ?? -1
    if (value < 0) throw new Error('Not a UUID')
    bits = (bits << 4) | value
  }
  return bits
}

/** @throws when the text is not 26 characters of the alphabet, of which the first is at most 7 */
export function uuidIn(suffix: string): string {
  if (suffix.length !== 26) throw new Error('Not the suffix of a TypeID')
  const first = bitsAt(suffix, 0)
  if (first > 255) throw new Error('Not the suffix of a TypeID')
  let hex = hex2[first] as string
  for (let at = 2; at < 26; at += 4) {
    const bits = (bitsAt(suffix, at) << 10) | bitsAt(suffix, at + 2)
    hex += (hex3[bits >> 8] as string) + (hex2[bits & 255] as string)
  }
  return dashed(hex)
}

function bitsAt(suffix: string, at: number): number {
  const high = bitsOf[suffix.charCodeAt(at)] ?? -1
  const low = bitsOf[suffix.charCodeAt(at + 1)] ?? -1
  if (high < 0 || low < 0) throw new Error('Not the suffix of a TypeID')
  return (high << 5) | low
}
