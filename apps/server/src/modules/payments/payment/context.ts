import type { feeForPayment } from '@muripo/contract/pricing'
import type { Links } from '../../../platform/crypto/links.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Providers } from '../../providers/index.ts'
import type { PaymentCounts } from './payment-counts.ts'

/** The dependencies of decisions about a payment and of their writer. */
export interface PaymentCtx extends Ctx {
  readonly providers: Providers
  /** The price list. */
  readonly feeFor: typeof feeForPayment
  /** Links to the payer's page. */
  readonly checkoutLinks: Links<'pay'>
  /** Counters of this process, for its metrics. */
  readonly counts: PaymentCounts
}
