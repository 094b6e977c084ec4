import { idSegment } from './check.ts'
import type {
  CapturePaymentParams,
  CreatePaymentParams,
  ListPaymentsParams,
  Payment,
} from './generated/types.ts'
import { List } from './list.ts'
import { type CreateOptions, send, type Target } from './transport.ts'

export class Payments {
  readonly #target: Target

  constructor(target: Target) {
    this.#target = target
  }

  /** Creates a payment. Send your customer to its `payment_url`. */
  async create(params: CreatePaymentParams, options: CreateOptions = {}): Promise<Payment> {
    return send(this.#target, {
      method: 'POST',
      path: '/payments',
      body: params,
      options,
    })
  }

  /**
   * Captures an authorised payment, which was created with `capture: 'manual'`, once: all of it, or the given amount.
   * A partial capture releases the remaining amount. If the response is still `authorized`, the capture is in progress.
   */
  async capture(
    id: string,
    params: CapturePaymentParams = {},
    options: CreateOptions = {},
  ): Promise<Payment> {
    return send(this.#target, {
      method: 'POST',
      path: `/payments/${idSegment(id)}/capture`,
      body: params,
      options,
    })
  }

  /**
   * Cancels the payment. No new attempts are accepted. The payment fails immediately, or when the attempt in
   * progress fails; if that attempt succeeds, the payment completes. An authorised payment is voided: no money is taken.
   * Any other payment, such as one that was cancelled before, is refused with `payment_not_cancellable`.
   */
  async cancel(id: string): Promise<Payment> {
    return send(this.#target, {
      method: 'POST',
      path: `/payments/${idSegment(id)}/cancel`,
      recoverResponse: async ({ code }) => {
        if (code !== 'payment_not_cancellable') return null
        const payment = await this.retrieve(id)
        return payment.cancel_requested_at === null ? null : payment
      },
    })
  }

  /** Payments of the key's application, newest first. */
  list(params: ListPaymentsParams = {}): List<Payment> {
    return new List(this.#target, '/payments', params)
  }

  /** Returns the current state of the payment. */
  async retrieve(id: string): Promise<Payment> {
    return send(this.#target, { method: 'GET', path: `/payments/${idSegment(id)}` })
  }
}
