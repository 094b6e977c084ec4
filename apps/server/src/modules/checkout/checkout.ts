import type { CheckoutPort, CheckoutView, RefusedForm } from '@muripo/contract/checkout'
import { paymentMethods } from '@muripo/contract/payments'
import { plusMs } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { addressSubject, perAddress } from '../../platform/limits/admit.ts'
import { createInMemoryLimit } from '../../platform/limits/in-memory-limit.ts'
import { secondsUntil } from '../../platform/limits/refusal.ts'
import { type PayerView, payerView } from '../applications/index.ts'
import {
  attemptsOf,
  cancelPayment,
  findPayment,
  type Payment,
  type PaymentsCtx,
  startAttempt,
} from '../payments/index.ts'
import { viewOf } from './view.ts'

/**
 * The time that the payer's page waits for the provider's first reply. An early refusal is then shown at once; otherwise the waiting page
 * is shown.
 */
const FIRST_WORD_MS = 2500

/** Each attempt may prompt a phone, which need not be the payer's. */
const attemptLimit = { name: 'attempts', quota: 20, windowMs: 60_000 }

/**
 * A hundred pages a second. A mobile network may have one address for all its subscribers, and a waiting page refreshes every three
 * seconds: the limit fits three hundred payers who confirm at the same moment.
 */
const views = { name: 'payer pages', quota: 1000, windowMs: 10_000 }

/** A link shows shop, amount and result to anybody who has it: for this long after the payment has ended. */
const SHOWN_AFTER_END_MS = 30 * 24 * 60 * 60_000

type Refusal = Omit<RefusedForm, 'typed'>

const unknownPayment: Refusal = { field: null, message: 'This payment does not exist' }

/** The payment actions of the payer's page: the token in its address is its only permission. */
export function createCheckout(ctx: PaymentsCtx): CheckoutPort {
  const countUse = createInMemoryLimit(ctx.clock, attemptLimit)
  const countView = createInMemoryLimit(ctx.clock, perAddress(ctx, views))

  async function find(token: string): Promise<{ payment: Payment; shop: PayerView } | null> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null) return null
    const payment = await findPayment(ctx.db.kysely, named.accountId, named.id)
    if (payment === null) return null
    const shop = await payerView(ctx, ctx.db.kysely, payment.accountId, payment.applicationId)
    return { payment, shop }
  }

  async function start(token: string, { method, phone }: RefusedForm['typed']): Promise<Refusal | null> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null) return unknownPayment
    const known = paymentMethods.find((candidate) => candidate === method)
    if (!known) return { field: 'method', message: 'Please choose a payment method' }
    if (countUse(named.id).refused) return { field: null, message: 'Too many attempts. Please wait a minute' }
    try {
      const { answered } = await startAttempt(ctx, named.accountId, named.id, { method: known, phone })
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
      return { field: field === 'method' || field === 'phone' ? field : null, message: error.message }
    }
  }

  /** Null when the link has no payment, or the payment ended too long ago. */
  async function viewBy(token: string): Promise<CheckoutView | null> {
    const found = await find(token)
    if (found === null) return null
    const { payment, shop } = found
    const now = ctx.clock.now()
    if (payment.status !== 'pending' && plusMs(payment.updatedAt, SHOWN_AFTER_END_MS) < now) return null
    const attempts = await attemptsOf(ctx.db.kysely, payment.accountId, payment.id)
    const methods = ctx.providers.offeredIn(shop.mode).methodsIn(payment.amount.currency)
    return viewOf(payment, shop, attempts, methods, now)
  }

  /** The holder of the link can cancel only where the page offers it: the shop allows it, and no attempt is in progress. */
  async function cancel(token: string): Promise<void> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null || !(await viewBy(token))?.canCancel) return
    await cancelPayment(ctx, named.accountId, named.id).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
    })
  }

  return {
    async view(token, address) {
      const { refused, resetsAt } = countView(addressSubject(address))
      return refused ? { waitSeconds: secondsUntil(resetsAt, ctx.clock.now()) } : viewBy(token)
    },

    async submit(token, form) {
      if (form.get('intent') === 'cancel') {
        await cancel(token)
        return null
      }
      const typed = { method: form.get('method') ?? '', phone: form.get('phone') ?? '' }
      const refusal = await start(token, typed)
      return refusal && { typed, ...refusal }
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
