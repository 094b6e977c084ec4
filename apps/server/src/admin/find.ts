import { MerchantId, PaymentId } from '@muripo/contract/ids'
import { cleanEmail } from '@muripo/contract/typed-text'
import { findMerchants, type MerchantRecord } from '../modules/identity/index.ts'
import { findPayment, type Payment, type PaymentsCtx, paymentsCtx } from '../modules/payments/index.ts'
import { readProviders } from '../modules/providers/index.ts'
import { createBackgroundTasks } from '../platform/async/background-tasks.ts'
import { parseId } from '../platform/ids.ts'
import { type CommandArguments, type OperatorContext, Refused } from './command.ts'
import { oneLine } from './print.ts'

/** @throws Refused when no merchant has the id or the email of the first parameter */
export async function merchantIn(
  { ctx }: OperatorContext,
  { values: [text = ''] }: CommandArguments,
): Promise<MerchantRecord> {
  const id = parseId(MerchantId, text)
  const [merchant, ...others] = await findMerchants(ctx.db.kysely, id ?? { email: cleanEmail(text) })
  if (merchant !== undefined && others.length === 0) return merchant
  if (merchant !== undefined)
    throw new Refused(
      `${oneLine(text)} owns several merchants. Name one by its id: ${[merchant, ...others].map((each) => each.id).join(', ')}.`,
    )
  throw new Refused(
    id === null
      ? `Nobody has an account with the email ${oneLine(text)}.`
      : `There is no merchant ${id}: merchants list shows them.`,
  )
}

/**
 * The payment of the second parameter, of the merchant of the first one.
 * @throws Refused when the merchant has no such payment
 */
export async function paymentIn(
  context: OperatorContext,
  args: CommandArguments,
): Promise<{ readonly payment: Payment; readonly ctx: OperatorContext['ctx'] }> {
  const { id: merchantId } = await merchantIn(context, args)
  const ctx = context.ctxs.of(merchantId)
  const text = args.values[1] ?? ''
  const id = parseId(PaymentId, text)
  const payment = id && (await findPayment(ctx.db.kysely, merchantId, id))
  if (payment === null) throw new Refused(`${merchantId} has no payment ${oneLine(text)}.`)
  return { payment, ctx }
}

/** The context of a command that may call providers, of one account. */
export const paymentsCtxOf = async (
  { ctx }: OperatorContext,
  ofAccount: OperatorContext['ctx'],
): Promise<PaymentsCtx> => paymentsCtx(ofAccount, await readProviders(ctx), createBackgroundTasks(ctx.log))
