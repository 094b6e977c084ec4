import multipart from '@fastify/multipart'
import { uploadFile } from '@muripo/contract/auth'
import { PDF_MAX_BYTES } from '@muripo/contract/constants'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createFairSemaphore } from '../../../platform/async/fair-semaphore.ts'
import { isSameSecret } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { admitByThrottle, throttles } from '../throttles.ts'
import { senderAt, uploadDocument, uploadsFull } from './actions/upload-document.ts'
import { isPoolOpen } from './store-documents.ts'
import { enforceThroughput, type MinimumThroughput, soleFile } from './upload-stream.ts'

/** The file, and the few lines that multipart writes around it. */
const BODY_MAX_BYTES = PDF_MAX_BYTES + 100 * 1024
/**
 * Slow enough for a phone on a poor network, and too fast for a client that holds a connection open on purpose. The server ends every
 * request after five minutes.
 */
const SLOWEST: MinimumThroughput = { graceMs: 30_000, bytesPerSecond: 4_000 }

/** Files take room on the disk before they are checked. */
const UPLOADS_AT_ONCE = 50
/**
 * A limit of each network, so that five networks with slow connections do not take every permit. In development all senders have one
 * address.
 */
const uploadsOfSender = (ctx: Ctx): number => Math.min(UPLOADS_AT_ONCE, 8 * ctx.config.rateLimitFactor)

/** Mounts the only route whose body is not JSON. Its scope has the multipart parser and no other one. */
export async function uploadRoutes(app: FastifyInstance, ctx: Ctx, slowest = SLOWEST): Promise<void> {
  const admitUpload = admitByThrottle(ctx, throttles.upload, throttles.uploadDay)
  const withUploadPermit = createFairSemaphore({
    permits: UPLOADS_AT_ONCE,
    waiting: 0,
    perSubject: uploadsOfSender(ctx),
  })
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    await scope.register(multipart, {
      // A part that counts as a file is streamed and never buffered, whatever type it declares.
      isPartAFile: () => true,
      limits: { parts: 2, fileSize: PDF_MAX_BYTES, headerPairs: 20 },
    })
    scope.route({
      method: uploadFile.method,
      url: `/v1${uploadFile.path}`,
      config: { spec: uploadFile, largeBody: true },
      bodyLimit: BODY_MAX_BYTES,
      schema: { summary: uploadFile.summary, response: uploadFile.reply },
      async onRequest(request, reply) {
        // This check comes first, because counting the call writes to the disk too.
        ctx.disk.refuseUpload()
        await admitUpload(request, reply)
        if (!holdsUploadKey(ctx, request)) throw new AppError('upload_key_invalid')
        // The multipart parser ignores the body limit.
        if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES)
          throw new AppError('file_too_large')
        if (!(await isPoolOpen(ctx.db.kysely))) throw uploadsFull()
      },
      async handler(request, reply) {
        const source = enforceThroughput(soleFile(request), slowest, () => {
          // A slow sender does not end its request, and the server does not wait for it after the response.
          reply.header('connection', 'close')
          reply.raw.once('finish', () => request.raw.destroy())
          return new AppError('upload_too_slow')
        })
        const sender = senderAt(ctx, request.ip)
        const stored = await withUploadPermit(sender.network, () => uploadDocument(ctx, source, sender))
        return reply.status(201).header('cache-control', 'no-store').send(stored)
      },
    })
  })
}

function holdsUploadKey(ctx: Ctx, request: FastifyRequest): boolean {
  const given = request.headers['x-api-key']
  return typeof given === 'string' && isSameSecret(given, ctx.keys.uploadKey)
}
