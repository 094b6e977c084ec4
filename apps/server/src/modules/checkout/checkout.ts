import type { CardPageView, CheckoutPort, CheckoutStatus, CheckoutView } from '@muripo/contract/checkout'
import { problemOf } from '@muripo/locales/form-problems'
import { plusMs } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { addressSubject, perAddress } from '../../platform/limits/admit.ts'
import { createInMemoryLimit } from '../../platform/limits/in-memory-limit.ts'
import type { Limit } from '../../platform/limits/limits.ts'
import { secondsUntil } from '../../platform/limits/refusal.ts'
import {
  type Attempt,
  attemptsOf,
  cancelPayment,
  canLeave,
  findSameOrder,
  leaveAttempt,
  type PaymentsCtx,
  proceedAttempt,
  startAttempt,
} from '../payments/index.ts'
import { type PayerBrowser, toMsisdn } from '../providers/index.ts'
import { chooseMethod, type EnteredForm, hasConfirmed, type Refusal } from './choice.ts'
import { createLinkedPayments } from './linked-payments.ts'
import { createPayerCalls, FIRST_WORD_MS, settledWithin } from './payer-calls.ts'
import { createResumption } from './resumption.ts'
import { statusOf } from './status.ts'
import { cardStepOf } from './step.ts'
import { RESEND_AFTER_SECONDS } from './view.ts'

/** The wait for the first reply about a card, whose bank is asked in several calls: without the result, the payer would see empty fields again. */
const FIRST_CARD_WORD_MS = 20_000

/** Each attempt may prompt a phone, which need not be the payer's. */
const attemptLimit = { name: 'attempts', quota: 20, windowMs: 60_000 }

/**
 * A mobile network may have one address for all its subscribers: in ten seconds a thousand payers may open the page, send its form, and see
 * the result.
 */
const VIEWS: Limit = { name: 'payer pages', quota: 3000, windowMs: 10_000 }

/** The confirmation of a second payment for one order. */
const SAME_ORDER = 'same order'

const unknownPayment: Refusal = { field: null, problem: problemOf('paymentUnknown') }

/** The actions of the payer's page, and of the addresses below it. */
export interface Checkout extends CheckoutPort {
  /** Null for a token without a payment. */
  status(token: string): Promise<CheckoutStatus | null>
  /** Looks the open attempt up, because its payer has returned from the provider's page. The return itself proves nothing. */
  checkOnReturn(token: string): Promise<void>
  /** The page for the card of the open attempt; null when the attempt waits for no card. */
  cardPage(token: string): Promise<CardPageView | null>
  /** Continues the open attempt, because its payer has filled in the fields of the provider. */
  proceed(token: string, browser: PayerBrowser): Promise<void>
}

type NamedPayment = NonNullable<ReturnType<PaymentsCtx['checkoutLinks']['read']>>

/** The payment actions of the payer's page: the token in its address is its only permission. */
export function createCheckout(ctx: PaymentsCtx): Checkout {
  const countUse = createInMemoryLimit(ctx.clock, attemptLimit)
  const countView = createInMemoryLimit(ctx.clock, perAddress(ctx, VIEWS))
  const resumption = createResumption(ctx)
  const linked = createLinkedPayments(ctx)
  const { openAttempt, callOnce, check: lookUp } = createPayerCalls(ctx)

  async function start(token: string, form: EnteredForm, address?: string): Promise<Refusal | null> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null) return unknownPayment
    const chosen = await chooseMethod(form, async () => {
      const found = await linked.find(token)
      if (found === null) return null
      const { amount, captureMode } = found.payment
      return { offer: linked.offerFor(found), amount, captureMode }
    })
    if ('problem' in chosen) return chosen
    const warning = await warnOfSameOrder(named, form)
    if (warning) return warning
    if (countUse(named.id).refused) return { field: null, problem: problemOf('attemptsUsed') }
    try {
      const input = { method: chosen.method, phone: form.phone, ...(address !== undefined && { address }) }
      const { answered } = await startAttempt(ctx, named.accountId, named.id, input)
      ctx.backgroundTasks.start('charge', answered)
      await settledWithin(FIRST_WORD_MS, answered)
      return null
    } catch (error) {
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
  }

  /** A payer who pays one order on two pages is asked once, because each prompt can be paid. */
  async function warnOfSameOrder(
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

  /** The holder of the link can cancel only where the page offers it: the shop allows it, and no attempt is in progress any more. */
  async function cancel(token: string): Promise<void> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null) return
    if ((await linked.view(token))?.view.attempt?.prompt?.canCancel) await check(token)
    if (!(await linked.view(token))?.view.canCancel) return
    await cancelPayment(ctx, named.accountId, named.id).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
    })
  }

  async function leave(token: string): Promise<void> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null || countUse(named.id).refused) return
    const attempts = await attemptsOf(ctx.db.kysely, named.accountId, named.id)
    const open = attempts.find((attempt) => canLeave(ctx, attempt))
    if (open) await leaveAttempt(ctx, open)
    else if (attempts.some(({ msisdn }) => msisdn !== null)) await check(token)
  }

  /**
   * Invariant: of all prompts of a payment, at most one can still be paid. A prompt cannot be called back, so another one follows only when
   * the provider has just reported that the earlier one has failed. While it reports it open, or does not answer, nothing is sent.
   */
  async function resend(token: string, address?: string): Promise<void> {
    const prompted = await check(token)
    if (prompted === null || prompted.msisdn === null) return
    if (plusMs(prompted.createdAt, RESEND_AFTER_SECONDS * 1000) > ctx.clock.now()) return
    const { accountId, paymentId, id, method, msisdn } = prompted
    const [latest] = await attemptsOf(ctx.db.kysely, accountId, paymentId)
    if (latest?.id !== id || latest.status !== 'failed') return
    await start(token, { method, phone: msisdn, confirmed: `${method} ${msisdn},${SAME_ORDER}` }, address)
  }

  async function makeResumeCode(token: string): Promise<void> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null || countUse(named.id).refused || (await linked.find(token)) === null) return
    await resumption.makeCode(named)
  }

  async function resumeCodeOf(token: string, { stage }: CheckoutView): Promise<string | null> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null || (stage !== 'waiting' && stage !== 'action')) return null
    return resumption.codeOf(named)
  }

  async function check(token: string): Promise<Attempt | null> {
    const named = ctx.checkoutLinks.read(token)
    return named && lookUp(named)
  }

  const actions = new Map<string, (token: string, address?: string) => Promise<unknown>>(
    Object.entries({ cancel, leave, check, resend, resume: makeResumeCode }),
  )

  return {
    async view(token, address, lastMethod) {
      const { refused, resetsAt } = countView(addressSubject(address))
      if (refused) return { waitSeconds: secondsUntil(resetsAt, ctx.clock.now()) }
      const view = (await linked.view(token, lastMethod))?.view
      return view ? { ...view, resumeCode: await resumeCodeOf(token, view) } : null
    },

    async submit(token, form, address) {
      const action = actions.get(form.get('intent') ?? '')
      if (action) {
        await action(token, address)
        return null
      }
      const typed = { method: form.get('method') ?? '', phone: form.get('phone') ?? '' }
      const refusal = await start(token, { ...typed, confirmed: form.get('confirmed') ?? '' }, address)
      return refusal && { typed, ...refusal }
    },

    async status(token) {
      const shown = await linked.view(token)
      return shown && statusOf(shown.payment.status, shown.view)
    },

    resume: resumption.find,

    async checkOnReturn(token) {
      await check(token)
    },

    async cardPage(token) {
      const shown = await linked.view(token)
      if (shown?.view.stage !== 'action') return null
      const open = await openAttempt(shown.payment)
      const step = open && cardStepOf(open, ctx.clock.now())
      return step && { view: shown.view, step }
    },

    async proceed(token, browser) {
      const named = ctx.checkoutLinks.read(token)
      if (named === null || countUse(named.id).refused) return
      const open = await openAttempt(named)
      if (open?.nextAction?.type !== 'hosted_fields') return
      await settledWithin(
        FIRST_CARD_WORD_MS,
        callOnce(open, () => proceedAttempt(ctx, open, browser)),
      )
    },
  }
}
