import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../platform/errors.ts'

/**
 * The bytes of a multipart request whose one and only part is named `file`. That nothing follows the part is known only after its
 * last byte, so the end of this stream is what vouches for the whole request.
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
