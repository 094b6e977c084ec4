import type { CheckoutView } from '@muripo/contract/checkout'
import { plusMs } from '../../platform/clock.ts'
import { type PayerView, payerView } from '../applications/index.ts'
import {
  type Attempt,
  attemptsOf,
  canLeave,
  closesAt,
  dialInOf,
  findPayment,
  type Payment,
  type PaymentsCtx,
  refundsOf,
} from '../payments/index.ts'
import { createDownWatch } from '../providers/index.ts'
import { methodIn, offeredMethods } from './choice.ts'
import { viewOf } from './view.ts'

/** A link shows shop, amount and result to anybody who has it: for this long after the payment has ended. */
const SHOWN_AFTER_END_MS = 30 * 24 * 60 * 60_000

/** The page for a card has a policy of its own, and is therefore a page of its own. */
export const cardPageOf = (token: string): string => `/pay/${encodeURIComponent(token)}/card`

/** The payment that a link names, which need not exist. */
export type NamedPayment = Pick<Payment, 'accountId' | 'id'>

interface Found {
  readonly payment: Payment
  readonly shop: PayerView
}

/** The payments of the links that payers have, as their pages show them. */
export function createLinkedPayments(ctx: PaymentsCtx) {
  const isDown = createDownWatch(ctx.clock)

  async function find(token: string): Promise<Found | null> {
    const named = ctx.checkoutLinks.read(token)
    if (named === null) return null
    const payment = await findPayment(ctx.db.kysely, named.accountId, named.id)
    if (payment === null) return null
    const shop = await payerView(ctx, ctx.db.kysely, payment.accountId, payment.applicationId)
    return { payment, shop }
  }

  const offerFor = ({ shop }: Found) => ctx.providers.offeredIn(shop.mode, shop.merchantId)

  /** Null when the link has no payment, or the payment ended too long ago. */
  async function view(
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
    const isOpen = payment.status === 'pending' || payment.status === 'authorized'
    if (!isOpen && plusMs(payment.updatedAt, SHOWN_AFTER_END_MS) < now) return null
    const refunds =
      payment.refunded.minor > 0n ? await refundsOf(ctx.db.kysely, payment.accountId, payment.id) : []
    const methods = offeredMethods(offerFor(found), payment.amount, isDown, payment.captureMode)
    const choice = {
      methods,
      cardPage: cardPageOf(token),
      last: methodIn(lastMethod),
      canLeave: (attempt: Attempt) => canLeave(ctx, attempt),
      closesAt: (attempt: Attempt) => closesAt(ctx, attempt),
      dialIn: (attempt: Attempt) => dialInOf(ctx, attempt),
    }
    return { payment, view: viewOf(payment, shop, { attempts, refunds }, choice, now) }
  }

  return { find, offerFor, view }
}
