/** A decoded picture needs four bytes for each pixel, and a file of 4 kB can declare 268 million of them. */
const LARGEST_SIDE = 1024

/** The chunks of a still picture. Metadata, colour profiles and animations are left out. */
const chunkNames = new Set(['VP8 ', 'VP8L', 'ALPH'])

/**
 * Rebuilds a WebP picture from the chunks of one still picture.
 * @returns null for bytes that are no such picture
 */
export function safeWebp(bytes: Buffer): Buffer | null {
  if (bytes.length < 20 || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return null
  const chunks: { name: string; whole: Buffer; data: Buffer }[] = []
  for (let at = 12; at < bytes.length; ) {
    if (at + 8 > bytes.length) return null
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (end > bytes.length) return null
    const name = bytes.toString('latin1', at, at + 4)
    if (chunkNames.has(name))
      chunks.push({ name, whole: bytes.subarray(at, end), data: bytes.subarray(at + 8, at + 8 + length) })
    at = end
  }
  const [alpha, picture] = [
    chunks.filter(({ name }) => name === 'ALPH'),
    chunks.filter(({ name }) => name !== 'ALPH'),
  ]
  const size = picture.length === 1 && picture[0] ? sizeOf(picture[0]) : null
  if (size === null || alpha.length > 1 || size.width > LARGEST_SIDE || size.height > LARGEST_SIDE)
    return null
  // A lossy picture has its transparency in a chunk of its own, which needs the extended header.
  const needsHeader = alpha.length === 1 && picture[0]?.name === 'VP8 '
  const body = needsHeader
    ? [extendedHeader(size), ...alpha.map(({ whole }) => whole), ...picture.map(({ whole }) => whole)]
    : picture.map(({ whole }) => whole)
  const content = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...body])
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content])
}

interface Size {
  readonly width: number
  readonly height: number
}

function sizeOf({ name, data }: { name: string; data: Buffer }): Size | null {
  if (name === 'VP8L') {
    if (data.length < 5 || data[0] !== 0x2f) return null
    const bits = data.readUInt32LE(1)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  // A key frame with its start code.
  if (data.length < 10 || ((data[0] ?? 1) & 1) !== 0 || data.toString('latin1', 3, 6) !== '\x9d\x01\x2a')
    return null
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}

const ALPHA_FLAG = 0x10

function extendedHeader({ width, height }: Size): Buffer {
  const header = Buffer.alloc(18)
  header.write('VP8X', 'latin1')
  header.writeUInt32LE(10, 4)
  header[8] = ALPHA_FLAG
  header.writeUIntLE(width - 1, 12, 3)
  header.writeUIntLE(height - 1, 15, 3)
  return header
}
