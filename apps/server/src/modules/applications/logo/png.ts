import { crc32 } from 'node:zlib'

/** As for a WebP picture: a decoded picture needs four bytes for each pixel. */
const LARGEST_SIDE = 1024

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** The chunks of a still picture, in their order. Texts, colour profiles, times and animations are left out. */
const order = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)

/**
 * Rebuilds a PNG picture from the chunks of one still picture.
 * @returns null for bytes that are no such picture
 */
export function safePng(bytes: Buffer): Buffer | null {
  const chunks: { name: string; whole: Buffer }[] = []
  for (let at = SIGNATURE.length; at < bytes.length; ) {
    if (at + 12 > bytes.length) return null
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return null
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (order.includes(name)) chunks.push({ name, whole: bytes.subarray(at, end) })
    at = end
  }
  const places = chunks.map(({ name }) => order.indexOf(name))
  const isInOrder = places.every((place, nth) => place >= (places[nth - 1] ?? 0))
  const once = (name: string) => chunks.filter((each) => each.name === name).length === 1
  const header = chunks[0]?.whole
  if (!isInOrder || !once('IHDR') || !once('IEND') || header?.length !== 25) return null
  if (!chunks.some(({ name }) => name === 'IDAT')) return null
  const [width, height] = [header.readUInt32BE(8), header.readUInt32BE(12)]
  if (Math.min(width, height) < 1 || Math.max(width, height) > LARGEST_SIDE) return null
  return Buffer.concat([SIGNATURE, ...chunks.map(({ whole }) => whole)])
}
