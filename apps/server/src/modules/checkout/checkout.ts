import type { CardStep, CheckoutStatus, CheckoutView, RefusedForm } from '@muripo/contract/checkout'
import { addressSubject, perAddress, secondsUntil } from '../../platform/limits/admit.ts'
import { createInMemoryLimit, type Limit } from '../../platform/limits/limits.ts'
import type { PaymentsCtx } from '../payments/index.ts'
import type { PayerBrowser } from '../providers/index.ts'
import {
  checkOpenAttempt,
  chooseResult,
  payerActions,
  proceedWithFields,
  simulatedAttempt,
} from './payer-actions.ts'
import { type PayerCtx, payerCtx } from './payer-context.ts'
import { startFromForm } from './start-from-form.ts'
import { statusOf } from './status.ts'
import { cardStepOf } from './step.ts'

/**
 * A mobile network may have one address for all its subscribers: in ten seconds a thousand payers may open the page, send its form, and see
 * the result.
 */
const VIEWS: Limit = { name: 'payer pages', quota: 3000, windowMs: 10_000 }

/** The actions of the payer's page, and of the addresses below it. The token in the address is its only permission. */
export interface Checkout {
  /**
   * @param address the reader's network address
   * @param lastMethod the method of the payer's last payment in this browser
   * @returns the seconds to wait when the limit of the address is used up; null for a token without a payment
   */
  view(
    token: string,
    address: string,
    lastMethod?: string,
  ): Promise<CheckoutView | { readonly waitSeconds: number } | null>
  /**
   * Handles a form of the page. `intent=cancel` cancels the payment if possible, `intent=leave` ends the open attempt if possible,
   * `intent=resume` makes a code for another phone, `intent=check` looks the open attempt up, and `intent=resend` prompts the same phone again if the earlier prompt can no longer be paid.
   * Any other form starts an attempt by `method` with the payer's `phone`, if the method needs one.
   * @returns null when the page shows the result
   */
  submit(
    token: string,
    form: { get(name: string): string | null },
    address?: string,
  ): Promise<RefusedForm | null>
  /**
   * @param typed the code of a payment as its payer typed it
   * @param address the payer's network address
   */
  resume(typed: string, address: string): Promise<{ readonly token: string } | 'unknown' | 'too-many'>
  /** Whether a token is of a payment's address. */
  recognises(token: string): boolean
  /** The reason why a page is not shown, before any query; null when it is. A view is counted by `view`, and an unknown token here. */
  refuseView(token: string, address: string): 'unknown' | { readonly waitSeconds: number } | null
  /** Null for a token without a payment. */
  status(token: string): Promise<CheckoutStatus | null>
  /** Looks the open attempt up, because its payer has returned from the provider's page. The return itself proves nothing. */
  checkOnReturn(token: string): Promise<void>
  /** The page for the card of the open attempt; null when the attempt waits for no card. */
  cardPage(token: string): Promise<{ readonly view: CheckoutView; readonly step: CardStep } | null>
  /** Continues the open attempt, because its payer has filled in the fields of the provider. */
  proceed(token: string, browser: PayerBrowser): Promise<void>
  /** The view of a payment whose payer chooses the result of a simulated charge; null when the open attempt is no such charge. */
  simulated(token: string): Promise<CheckoutView | null>
  /** Ends the simulated charge with the chosen result. */
  choose(token: string, choice: string, browser: PayerBrowser): Promise<void>
}

/** The payment actions of the payer's page: the token in its address is its only permission. */
export function createCheckout(payments: PaymentsCtx): Checkout {
  const ctx = payerCtx(payments)
  const countView = createInMemoryLimit(ctx.clock, perAddress(ctx, VIEWS))
  return {
    recognises: (token) => ctx.checkoutLinks.read(token) !== null,

    refuseView(token, address) {
      const isUnknown = ctx.checkoutLinks.read(token) === null
      const { refused, resetsAt } = countView(addressSubject(address), isUnknown ? 1 : 0)
      if (refused) return { waitSeconds: secondsUntil(resetsAt, ctx.clock.now()) }
      return isUnknown ? 'unknown' : null
    },

    async view(token, address, lastMethod) {
      const { refused, resetsAt } = countView(addressSubject(address))
      if (refused) return { waitSeconds: secondsUntil(resetsAt, ctx.clock.now()) }
      const view = (await ctx.linked.view(token, lastMethod))?.view
      return view ? { ...view, resumeCode: await resumeCodeOf(ctx, token, view) } : null
    },

    async submit(token, form, address) {
      const action = payerActions.get(form.get('intent') ?? '')
      if (action) {
        await action(ctx, token, address)
        return null
      }
      const typed = { method: form.get('method') ?? '', phone: form.get('phone') ?? '' }
      const entered = { ...typed, confirmed: form.get('confirmed') ?? '' }
      const refusal = await startFromForm(ctx, token, entered, address)
      return refusal && { typed, ...refusal }
    },

    async status(token) {
      const shown = await ctx.linked.view(token)
      return shown && statusOf(shown.payment.status, shown.view)
    },

    resume: ctx.resumption.find,

    async checkOnReturn(token) {
      await checkOpenAttempt(ctx, token)
    },

    async cardPage(token) {
      const shown = await ctx.linked.view(token)
      if (shown?.view.stage !== 'action') return null
      const open = await ctx.payerCalls.openAttempt(shown.payment)
      const step = open && cardStepOf(open, ctx.clock.now())
      return step && { view: shown.view, step }
    },

    proceed: (token, browser) => proceedWithFields(ctx, token, browser),

    async simulated(token) {
      const open = await simulatedAttempt(ctx, token)
      return open && ((await ctx.linked.view(token))?.view ?? null)
    },

    choose: (token, choice, browser) => chooseResult(ctx, token, choice, browser),
  }
}

async function resumeCodeOf(ctx: PayerCtx, token: string, { stage }: CheckoutView): Promise<string | null> {
  const named = ctx.checkoutLinks.read(token)
  if (named === null || (stage !== 'waiting' && stage !== 'action')) return null
  return ctx.resumption.codeOf(named)
}
