import type { FileId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { type AccountDocument, documentOfAccount } from '../store-documents.ts'

/** The record of a document, for an operator whose access is audited. Null when no account has the document. */
export const showDocument = (
  ctx: Ctx,
  operator: Actor,
  id: FileId,
  action: 'document.shown' | 'document.read' = 'document.shown',
): Promise<AccountDocument | null> =>
  ctx.db.tx(async (tx) => {
    const document = await documentOfAccount(tx, id)
    if (document === null) return null
    await audit(ctx, tx, operator, { action, subject: id, accountId: document.merchant.id })
    return document
  })

/** The content of a document. The audit entry is committed before the first byte is read. Null when no account has the document. */
export async function readDocument(
  ctx: Ctx,
  operator: Actor,
  id: FileId,
): Promise<AsyncIterable<Buffer> | null> {
  const document = await showDocument(ctx, operator, id, 'document.read')
  return document === null ? null : ctx.files.read(document.storageKey)
}
