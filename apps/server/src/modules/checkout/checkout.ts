import type { CardPageView, CheckoutPort, CheckoutStatus, CheckoutView } from '@muripo/contract/checkout'
import type { Grouped } from '../../platform/db/shard-groups.ts'
import { addressSubject, perAddress, secondsUntil } from '../../platform/limits/admit.ts'
import { createInMemoryLimit, type Limit } from '../../platform/limits/limits.ts'
import type { PaymentsCtx } from '../payments/index.ts'
import type { PayerBrowser } from '../providers/index.ts'
import { checkOpenAttempt, payerActions, proceedWithFields } from './payer-actions.ts'
import { type PayerCtx, payerCtx } from './payer-context.ts'
import { startFromForm } from './start-from-form.ts'
import { statusOf } from './status.ts'
import { cardStepOf } from './step.ts'

/**
 * A mobile network may have one address for all its subscribers: in ten seconds a thousand payers may open the page, send its form, and see
 * the result.
 */
const VIEWS: Limit = { name: 'payer pages', quota: 3000, windowMs: 10_000 }

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

/** The checkout of each group, chosen by the account in the token. */
export function checkoutOf(ctx: Pick<PaymentsCtx, 'checkoutLinks'>, groups: Grouped<Checkout>): Checkout {
  const [first, ...others] = groups.all
  if (others.length === 0) return first
  const of = (token: string): Checkout => {
    const named = ctx.checkoutLinks.read(token)
    return named === null ? first : groups.of(named.accountId)
  }
  return {
    view: (token, ...others) => of(token).view(token, ...others),
    submit: (token, ...others) => of(token).submit(token, ...others),
    resume: first.resume,
    status: (token) => of(token).status(token),
    checkOnReturn: (token) => of(token).checkOnReturn(token),
    cardPage: (token) => of(token).cardPage(token),
    proceed: (token, browser) => of(token).proceed(token, browser),
  }
}

/** The payment actions of the payer's page: the token in its address is its only permission. */
export function createCheckout(payments: PaymentsCtx): Checkout {
  const ctx = payerCtx(payments)
  const countView = createInMemoryLimit(ctx.clock, perAddress(ctx, VIEWS))
  return {
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
  }
}

async function resumeCodeOf(ctx: PayerCtx, token: string, { stage }: CheckoutView): Promise<string | null> {
  const named = ctx.checkoutLinks.read(token)
  if (named === null || (stage !== 'waiting' && stage !== 'action')) return null
  return ctx.resumption.codeOf(named)
}
