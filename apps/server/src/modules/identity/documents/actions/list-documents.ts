import type { Ctx } from '../../../../platform/ctx.ts'
import { type AccountDocument, documentsOfAccounts } from '../store-documents.ts'

/** The documents that accounts were opened with, of the newest accounts first, or of the one with this email. */
export const listDocuments = (
  ctx: Ctx,
  email: string | null,
  limit: number,
): Promise<readonly AccountDocument[]> => documentsOfAccounts(ctx.db.kysely, email, limit)
