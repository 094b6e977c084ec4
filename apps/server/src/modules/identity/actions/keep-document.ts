import { PDF_MAX_BYTES } from '@muripo/contract/constants'
import { FileId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Files } from '../../../platform/files/files.ts'
import { documentUrl } from '../document-url.ts'
import { onlyPdf } from '../pdf.ts'
import { insertDocument } from '../store.ts'

/** Keeps an identification document and gives the address under which one sign-up may claim it. */
export async function keepDocument(
  ctx: Ctx,
  files: Files,
  source: AsyncIterable<Buffer>,
): Promise<{ url: string }> {
  const id = ctx.ids.next(FileId)
  const kept = await files.keep(id, onlyPdf(source), PDF_MAX_BYTES)
  try {
    await ctx.db.tx((tx) => insertDocument(tx, id, kept, ctx.clock.now()))
  } catch (error) {
    await files.discard(id)
    throw error
  }
  return { url: documentUrl(ctx, id) }
}
