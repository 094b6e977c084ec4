import { beginsAsPdf, PDF_HEAD_BYTES } from '@muripo/pdf-guard/head'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../platform/errors.ts'

/** The slowest permitted upload: a grace period, extended by the time that the received bytes take at the rate. */
export interface MinimumThroughput {
  readonly graceMs: number
  readonly bytesPerSecond: number
}

/** Yields the source while it is fast enough; then throws the error that `late` makes. */
export async function* enforceThroughput(
  source: AsyncIterable<Buffer>,
  { graceMs, bytesPerSecond }: MinimumThroughput,
  late: () => Error,
): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]()
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  deadline.catch(() => undefined)
  const startedAt = performance.now()
  let bytes = 0
  const wait = () => {
    const dueAt = startedAt + graceMs + (bytes / bytesPerSecond) * 1000
    return setTimeout(() => reject(late()), dueAt - performance.now())
  }
  let timer = wait()
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), deadline])
      if (next.done) return
      bytes += next.value.length
      clearTimeout(timer)
      timer = wait()
      yield next.value
    }
  } finally {
    clearTimeout(timer)
    // Not awaited: a source that hangs would not end either.
    void iterator.return?.()
  }
}

/**
 * Yields the bytes of a multipart request with a single part, named `file`. Only the end of this stream shows that no other part
 * follows.
 */
export async function* soleFile(request: FastifyRequest): AsyncGenerator<Buffer> {
  if (!request.isMultipart()) throw new AppError('unsupported_media_type')
  let seen = false
  try {
    for await (const part of request.parts()) {
      if (seen || part.type !== 'file' || part.fieldname !== 'file') throw notOneFile()
      seen = true
      yield* part.file as AsyncIterable<Buffer>
    }
  } catch (error) {
    // Any other error comes from the parser, and the parser fails because of the body.
    throw error instanceof AppError ? error : new AppError('malformed_request')
  } finally {
    // The rest of the body must still be read: a sender that cannot finish does not see the response.
    request.raw.unpipe()
    request.raw.resume()
  }
  if (!seen) throw notOneFile()
}

const notOneFile = () =>
  new AppError('malformed_request', { detail: 'Send exactly one part, a file under the name "file"' })

const END = '%%EOF'
const END_WITHIN_BYTES = 1024

/**
 * Yields the source when it begins and ends like a PDF. Only the bytes decide, because a sender can declare any name and type. Another
 * kind of file is refused at its first bytes.
 */
export async function* pdfEnds(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  for await (const chunk of source) {
    if (head !== null) {
      head = Buffer.concat([head, chunk.subarray(0, PDF_HEAD_BYTES)])
      const isPdf = beginsAsPdf(head)
      if (isPdf === false) throw new AppError('not_a_pdf')
      if (isPdf) head = null
    }
    tail = Buffer.concat([tail, chunk.subarray(-END_WITHIN_BYTES)]).subarray(-END_WITHIN_BYTES)
    yield chunk
  }
  if (head !== null || !tail.includes(END)) throw new AppError('not_a_pdf')
}
