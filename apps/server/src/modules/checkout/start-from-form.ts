import { problemOf } from '@muripo/locales/form-problems'
import { AppError } from '../../platform/errors.ts'
import { findSameOrder, startAttempt } from '../payments/index.ts'
import { toMsisdn } from '../providers/index.ts'
import { chooseMethod, type EnteredForm, hasConfirmed, type Refusal } from './choice.ts'
import type { NamedPayment } from './linked-payments.ts'
import { FIRST_REPLY_MS, waitAtMost } from './payer-calls.ts'
import type { PayerCtx } from './payer-context.ts'

/** The confirmation of a second payment for one order. */
export const SAME_ORDER = 'same order'

const unknownPayment: Refusal = { field: null, problem: problemOf('paymentUnknown') }

/** Starts an attempt with the form of the payer's page. Null when the attempt has started, or when the page shows the reason itself. */
export async function startFromForm(
  ctx: PayerCtx,
  token: string,
  form: EnteredForm,
  address?: string,
): Promise<Refusal | null> {
  const named = ctx.checkoutLinks.read(token)
  if (named === null) return unknownPayment
  const chosen = await chooseMethod(form, async () => {
    const found = await ctx.linked.find(token)
    if (found === null) return null
    const { amount, captureMode } = found.payment
    return { offer: ctx.linked.offerFor(found), amount, captureMode }
  })
  if ('problem' in chosen) return chosen
  const warning = await warnOfSameOrder(ctx, named, form)
  if (warning) return warning
  if (ctx.countUse(named.id).refused) return { field: null, problem: problemOf('attemptsUsed') }
  try {
    const input = { method: chosen.method, phone: form.phone, ...(address !== undefined && { address }) }
    const { answered } = await startAttempt(ctx, named.accountId, named.id, input)
    ctx.backgroundTasks.start('charge', answered)
    await waitAtMost(FIRST_REPLY_MS, answered)
    return null
  } catch (error) {
    return refusalOf(error)
  }
}

/** A payer who pays one order on two pages is asked once, because each prompt can be paid. */
async function warnOfSameOrder(
  ctx: PayerCtx,
  { accountId, id }: NamedPayment,
  form: EnteredForm,
): Promise<Refusal | null> {
  if (hasConfirmed(form, SAME_ORDER)) return null
  const msisdn = toMsisdn(form.phone)
  const other = await findSameOrder(ctx.db.kysely, accountId, id, msisdn && `+${msisdn}`)
  if (other === null) return null
  return {
    field: null,
    problem: problemOf(other.isPaid ? 'orderPaid' : 'orderOpen', { reference: other.reference }),
    confirmWith: form.confirmed === '' ? SAME_ORDER : `${form.confirmed},${SAME_ORDER}`,
  }
}

function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof AppError)) throw error
  // The payment was completed or an attempt started in another tab or by a second press of the button, or the shop was stopped: the
  // page shows it.
  if (error.code === 'payment_not_payable' || error.code === 'merchant_not_active') return null
  if (error.code === 'not_found') return unknownPayment
  const field = error.fields?.[0]?.field
  return {
    field: field === 'method' || field === 'phone' ? field : null,
    problem: error.problem ?? problemOf(error.code === 'overloaded' ? 'busy' : 'notAvailable'),
  }
}
