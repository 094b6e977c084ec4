import { MerchantId } from '@muripo/contract/ids'
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
