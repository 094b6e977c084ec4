import { PDF_MAX_BYTES } from '@muripo/contract/constants'
import { FileId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Arrived } from '../../../platform/files/incoming.ts'
import { checkPdf } from '../../../platform/pdf/check-pdf.ts'
import { forgetDocument, insertDocument } from '../documents/document-store.ts'
import { documentUrl } from '../documents/document-url.ts'
import { pdfEnds } from '../documents/pdf-ends.ts'
import { createGate } from '../passwords/gate.ts'

/** A check may hold a whole document, so there is one at a time. */
const passCheck = createGate({ atOnce: 1, waiting: 50 })

/** Keeps an identification document and gives the address under which one sign-up may claim it. */
export async function keepDocument(ctx: Ctx, source: AsyncIterable<Buffer>): Promise<{ url: string }> {
  const arrived = await ctx.files.receive(pdfEnds(source), PDF_MAX_BYTES)
  try {
    await passCheck(() => checkPdf(arrived.path))
    return { url: documentUrl(ctx, await keep(ctx, arrived)) }
  } finally {
    await arrived.discard()
  }
}

/** Some are claimed or removed in the course of an hour. */
export const uploadsFull = () => new AppError('uploads_full', { headers: { 'retry-after': '3600' } })

/** The row comes first: whatever happens then, it says what there is to remove. */
async function keep(ctx: Ctx, arrived: Arrived): Promise<FileId> {
  const id = ctx.ids.next(FileId)
  const storageKey = ctx.ids.bytes(16).toString('hex')
  const { sizeBytes, sha256 } = arrived
  const uploadedAt = ctx.clock.now()
  const isTaken = await ctx.db.tx((tx) =>
    insertDocument(tx, { id, storageKey, sizeBytes, sha256, uploadedAt }),
  )
  if (!isTaken) throw uploadsFull()
  try {
    await ctx.files.keep(storageKey, arrived)
  } catch (error) {
    ctx.log.error({ err: error }, 'a document could not be kept')
    try {
      await ctx.files.discard(storageKey)
      await forgetDocument(ctx.db.kysely, id)
    } catch (other) {
      ctx.log.error({ err: other, document: id }, 'its rest is removed with what nobody claims')
    }
    throw new AppError('service_unavailable')
  }
  return id
}
