import type { MerchantId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { documentFilesOf, eraseAccount } from './store-merchant-erasure.ts'

/** Replaces the personal details of a merchant that the caller has locked. Nobody knows the new password. */
export async function eraseMerchantAccount(ctx: Ctx, tx: Tx, id: MerchantId): Promise<void> {
  await eraseAccount(tx, id, await hashPassword(ctx, ctx.ids.bytes(32).toString('hex')))
}

/** Removes the files of an erased merchant's document. A file that is gone already is no error. */
export async function removeDocumentFiles(ctx: Ctx, id: MerchantId): Promise<void> {
  for (const name of await documentFilesOf(ctx.db.kysely, id)) await ctx.files.discard(name)
}
