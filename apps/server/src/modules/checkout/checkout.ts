import type { CardPageView, CheckoutPort, CheckoutStatus, CheckoutView } from '@muripo/contract/checkout'
import { problemOf } from '@muripo/locales/form-problems'
import { plusMs } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { addressSubject, perAddress } from '../../platform/limits/admit.ts'
import { createInMemoryLimit } from '../../platform/limits/in-memory-limit.ts'
import type { Limit } from '../../platform/limits/limits.ts'
import { secondsUntil } from '../../platform/limits/refusal.ts'
import { type PayerView, payerView } from '../applications/index.ts'
import {
  type Attempt,
  attemptsOf,
  cancelPayment,
  canLeave,
  checkAttempt,
  findPayment,
  findSameOrder,
  leaveAttempt,
  type Payment,
  type PaymentsCtx,
  proceedAttempt,
  startAttempt,
} from '../payments/index.ts'
import { createDownWatch, type PayerBrowser, toMsisdn } from '../providers/index.ts'
import {
  chooseMethod,
  type EnteredForm,
  hasConfirmed,
  methodIn,
  offeredMethods,
  type Refusal,
} from './choice.ts'
import { createResumption } from './resumption.ts'
import { statusOf } from './status.ts'
import { cardStepOf } from './step.ts'
import { RESEND_AFTER_SECONDS, viewOf } from './view.ts'

/**
 * The time that the payer's page waits for the provider's first reply. An early refusal is then shown at once; otherwise the waiting page
 * is shown.
 */
const FIRST_WORD_MS = 2500

/** The same for a card, whose bank is asked in several calls: without the result, the payer would see empty fields again. */
const FIRST_CARD_WORD_MS = 20_000

/** Each attempt may prompt a phone, which need not be the payer's. */
const attemptLimit = { name: 'attempts', quota: 20, windowMs: 60_000 }

/**
 * A mobile network may have one address for all its subscribers: in ten seconds a thousand payers may open the page, send its form, and see
 * the result.
 */
const VIEWS: Limit = { name: 'payer pages', quota: 3000, windowMs: 10_000 }

/** A link shows shop, amount and result to anybody who has it: for this long after the payment has ended. */
const SHOWN_AFTER_END_MS = 30 * 24 * 60 * 60_000

/** Look-ups that a payer causes: a look-up is due soon in any case. */
const lookUpLimit = { name: 'look-ups', quota: 10, windowMs: 60_000 }

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

/** The page for a card has a policy of its own, and is therefore a page of its own. */
export const cardPageOf = (token: string): string => `/pay/${encodeURIComponent(token)}/card`

interface Found {
  readonly payment: Payment
  readonly shop: PayerView
}

/** The payment actions of the payer's page: the token in its address is its only permission. */
export function createCheckout(ctx: PaymentsCtx): Checkout {
  const countUse = createInMemoryLimit(ctx.clock, attemptLimit)
  const countView = createInMemoryLimit(ctx.clock, perAddress(ctx, VIEWS))
  const countLookUp = createInMemoryLimit(ctx.clock, lookUpLimit)
  const resumption = createResumption(ctx)
  const isDown = createDownWatch(ctx.clock)
  /** The look-ups in progress that a payer has caused, by attempt. */
  const lookUps = new Map<string, Promise<unknown>>()

  async function find(token: string): Promise<Found | null> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null) return null
    const payment = await findPayment(ctx.db.kysely, named.accountId, named.id)
    if (payment === null) return null
    const shop = await payerView(ctx, ctx.db.kysely, payment.accountId, payment.applicationId)
    return { payment, shop }
  }

  const offerFor = ({ shop }: Found) => ctx.providers.offeredIn(shop.mode, shop.merchantId)

  async function start(token: string, form: EnteredForm, address?: string): Promise<Refusal | null> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null) return unknownPayment
    const chosen = await chooseMethod(form, async () => {
      const found = await find(token)
      return found && { offer: offerFor(found), amount: found.payment.amount }
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

  /** Null when the link has no payment, or the payment ended too long ago. */
  async function viewBy(
    token: string,
    lastMethod?: string,
  ): Promise<{ payment: Payment; view: CheckoutView } | null> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null) return null
    // The payment is read after its attempts: a completed attempt beside an open payment would be shown as not paid.
    const attempts = await attemptsOf(ctx.db.kysely, named.accountId, named.id)
    const found = await find(token)
    if (found === null) return null
    const { payment, shop } = found
    const now = ctx.clock.now()
    if (payment.status !== 'pending' && plusMs(payment.updatedAt, SHOWN_AFTER_END_MS) < now) return null
    const methods = offeredMethods(offerFor(found), payment.amount, isDown)
    const choice = {
      methods,
      cardPage: cardPageOf(token),
      last: methodIn(lastMethod),
      canLeave: (attempt: Attempt) => canLeave(ctx, attempt),
      dialIn: ({ provider, method }: Attempt) =>
        (ctx.providers.has(provider) && ctx.providers.byId(provider).dialIn?.[method]) || null,
    }
    return { payment, view: viewOf(payment, shop, attempts, choice, now) }
  }

  /** The holder of the link can cancel only where the page offers it: the shop allows it, and no attempt is in progress any more. */
  async function cancel(token: string): Promise<void> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null) return
    if ((await viewBy(token))?.view.attempt?.prompt?.canCancel) await check(token)
    if (!(await viewBy(token))?.view.canCancel) return
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
    if (named === null || countUse(named.id).refused || (await find(token)) === null) return
    await resumption.makeCode(named)
  }

  async function resumeCodeOf(token: string, { stage }: CheckoutView): Promise<string | null> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null || (stage !== 'waiting' && stage !== 'action')) return null
    return resumption.codeOf(named)
  }

  /** Looks the open attempt up at its provider. Null when there is none, or when its payer has asked too often. */
  async function check(token: string): Promise<Attempt | null> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null || countLookUp(named.id).refused) return null
    const open = await openAttempt(named)
    if (open === null) return null
    const work = callOnce(open, () => checkAttempt(ctx, open.accountId, open.id, { cause: 'callback' }))
    await settledWithin(FIRST_WORD_MS, work)
    return open
  }

  /** Calls the provider about an attempt, once at a time. */
  function callOnce({ id }: Attempt, call: () => Promise<unknown>): Promise<unknown> {
    const running = lookUps.get(id)
    if (running) return running
    const work = call().finally(() => lookUps.delete(id))
    lookUps.set(id, work)
    ctx.backgroundTasks.start('look-up for a payer', work)
    return work
  }

  async function openAttempt({ accountId, id }: Pick<Payment, 'accountId' | 'id'>): Promise<Attempt | null> {
    const attempts = await attemptsOf(ctx.db.kysely, accountId, id)
    // The reply to a charge that is being sent names the page from which the payer returns.
    return attempts.find(({ status }) => status === 'pending' || status === 'unknown') ?? null
  }

  const actions = new Map<string, (token: string, address?: string) => Promise<unknown>>(
    Object.entries({ cancel, leave, check, resend, resume: makeResumeCode }),
  )

  return {
    async view(token, address, lastMethod) {
      const { refused, resetsAt } = countView(addressSubject(address))
      if (refused) return { waitSeconds: secondsUntil(resetsAt, ctx.clock.now()) }
      const view = (await viewBy(token, lastMethod))?.view
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
      const shown = await viewBy(token)
      return shown && statusOf(shown.payment.status, shown.view)
    },

    resume: resumption.find,

    async checkOnReturn(token) {
      await check(token)
    },

    async cardPage(token) {
      const shown = await viewBy(token)
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

/** Resolves when the work has ended in any way, or when the time is over. */
const settledWithin = (ms: number, work: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    work.then(end, end)
  })
