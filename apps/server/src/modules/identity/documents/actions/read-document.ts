import type { FileId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { showDocument } from './show-document.ts'

/** What a document says. It is written down that an operator reads it before the first byte is read; null when no account has it. */
export async function readDocument(
  ctx: Ctx,
  operator: Actor,
  id: FileId,
): Promise<AsyncIterable<Buffer> | null> {
  const document = await showDocument(ctx, operator, id, 'document.read')
  return document === null ? null : ctx.files.read(document.storageKey)
}
