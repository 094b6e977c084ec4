import { AppError } from '../../../platform/errors.ts'

const MAGIC = Buffer.from('%PDF-')
const END = '%%EOF'
const END_WITHIN_BYTES = 1024

/**
 * Passes on what begins and ends like a PDF. Names and declared types are the sender's word, so only the bytes are looked at, and what
 * is none is refused before much of it is read.
 */
export async function* pdfEnds(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  for await (const chunk of source) {
    if (head.length < MAGIC.length) {
      head = Buffer.concat([head, chunk.subarray(0, MAGIC.length - head.length)])
      if (!head.equals(MAGIC.subarray(0, head.length))) throw new AppError('not_a_pdf')
    }
    tail = Buffer.concat([tail, chunk.subarray(-END_WITHIN_BYTES)]).subarray(-END_WITHIN_BYTES)
    yield chunk
  }
  if (head.length < MAGIC.length || !tail.includes(END)) throw new AppError('not_a_pdf')
}
