import type { FileId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { showDocument } from './show-document.ts'

/** The content of a document. The audit entry is committed before the first byte is read. Null when no account has the document. */
export async function readDocument(
  ctx: Ctx,
  operator: Actor,
  id: FileId,
): Promise<AsyncIterable<Buffer> | null> {
  const document = await showDocument(ctx, operator, id, 'document.read')
  return document === null ? null : ctx.files.read(document.storageKey)
}
