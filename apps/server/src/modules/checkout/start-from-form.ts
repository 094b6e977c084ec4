import { problemOf } from '@muripo/locales/form-problems'
import { AppError } from '../../platform/errors.ts'
import {
  attemptsOf,
  FIRST_REPLY_MS,
  findPayment,
  findSameOrder,
  startAttempt,
  waitAtMost,
} from '../payments/index.ts'
import { toMsisdn } from '../providers/index.ts'
import { chooseMethod, type EnteredForm, hasConfirmed, type Refusal } from './choice.ts'
import type { NamedPayment } from './linked-payments.ts'
import { offeredNumber, offeredText } from './offered-number.ts'
import type { PayerCtx } from './payer-context.ts'

/** The confirmation of a second payment for one order. */
export const SAME_ORDER = 'same order'

const unknownPayment: Refusal = { field: null, problem: problemOf('paymentUnknown') }

/** Starts an attempt with the form of the payer's page. Null when the attempt has started, or when the page shows the reason itself. */
export async function startFromForm(
  ctx: PayerCtx,
  token: string,
  entered: EnteredForm,
  address?: string,
): Promise<Refusal | null> {
  const named = ctx.checkoutLinks.read(token)
  if (named === null) return unknownPayment
  const form = await withOfferedNumber(ctx, named, entered)
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
    const { answered, msisdn } = await startAttempt(ctx, named.accountId, named.id, input)
    ctx.backgroundTasks.start('charge', answered)
    await waitAtMost(FIRST_REPLY_MS, answered)
    if (msisdn === null) await learnEnd(ctx, named)
    return null
  } catch (error) {
    return refusalOf(error)
  }
}

/** A provider may name the end of a code only when it is looked up, and the page shows the end from the beginning. */
async function learnEnd({ payerCalls }: PayerCtx, named: NamedPayment): Promise<void> {
  const open = await payerCalls.openAttempt(named)
  const step = open?.nextAction
  if (step?.type === 'show_code' && step.expiresAt === null) await payerCalls.check(named)
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

/** Replaces the offered number as the page shows it by the number itself. Any other text stays. */
async function withOfferedNumber(
  { db }: PayerCtx,
  { accountId, id }: NamedPayment,
  form: EnteredForm,
): Promise<EnteredForm> {
  const shown = form.phone.trim()
  if (!shown.includes('*')) return form
  const attempts = await attemptsOf(db.kysely, accountId, id)
  const payment = await findPayment(db.kysely, accountId, id)
  const number = payment && offeredNumber(payment, attempts)
  return number && offeredText(payment, attempts) === shown ? { ...form, phone: number, shown } : form
}
