import type { Ctx } from '../../../../platform/ctx.ts'
import { type AccountDocument, documentsOfAccounts } from '../store-documents.ts'

/** The documents of accounts, newest accounts first, or the document of the account with this email. */
export const listDocuments = (
  ctx: Ctx,
  email: string | null,
  limit: number,
): Promise<readonly AccountDocument[]> => documentsOfAccounts(ctx.db.kysely, email, limit)
