const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** The UUID of a typed id: its 26 characters are base32 (github.com/jetify-com/typeid, version 0.3). */
export function uuidOf(id: string): string {
  const suffix = id.slice(id.lastIndexOf('_') + 1)
  let bits = 0n
  for (const character of suffix) {
    const value = alphabet.indexOf(character)
    if (value < 0) throw new Error(`not a typed id: ${id}`)
    bits = (bits << 5n) | BigInt(value)
  }
  const hex = bits.toString(16).padStart(32, '0')
  if (suffix.length !== 26 || hex.length !== 32) throw new Error(`not a typed id: ${id}`)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function typedId(prefix: string, uuid: string): string {
  const bits = BigInt(`0x${uuid.replaceAll('-', '')}`)
  const characters = Array.from({ length: 26 }, (_, at) =>
    alphabet.charAt(Number((bits >> BigInt(5 * (25 - at))) & 31n)),
  )
  return `${prefix}_${characters.join('')}`
}
