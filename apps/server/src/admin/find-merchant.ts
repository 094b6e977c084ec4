import { type ApplicationId, MerchantId } from '@muripo/contract/ids'
import { findMerchantOf } from '../modules/applications/index.ts'
import { findMerchant, type MerchantRecord } from '../modules/identity/index.ts'
import { parseId } from '../platform/ids.ts'
import { type CommandArguments, type OperatorContext, Refused } from './command.ts'
import { oneLine } from './print.ts'

/** @throws Refused when no merchant has the id or the email of the first parameter */
export async function merchantIn(
  { ctx }: OperatorContext,
  { values: [text = ''] }: CommandArguments,
): Promise<MerchantRecord> {
  const id = parseId(MerchantId, text)
  const merchant = await findMerchant(ctx.db.kysely, id ?? { email: text.trim() })
  if (merchant !== null) return merchant
  throw new Refused(
    id === null
      ? `Nobody has an account with the email ${oneLine(text)}.`
      : `There is no merchant ${id}: merchants list shows them.`,
  )
}

/** The context of the merchant of an application; null when there is no such application. */
export async function ctxOfApplication(
  { ctx, ctxs }: OperatorContext,
  id: ApplicationId,
): Promise<OperatorContext['ctx'] | null> {
  const merchantId = await findMerchantOf(ctx.db.kysely, id)
  return merchantId && ctxs.of(merchantId)
}
