import type {
  CapturePaymentParams,
  CreatePaymentParams,
  ListPaymentsParams,
  Payment,
} from './generated/types.ts'
import { List } from './list.ts'
import { send, type Target } from './transport.ts'

export interface CreateOptions {
  /**
   * The same key with the same params returns the same response for 30 days. Pass your own key, such as an order
   * number, if your program may repeat a request after a crash; otherwise the SDK generates a key for each call.
   */
  readonly idempotencyKey?: string | undefined
}

export class Payments {
  readonly #target: Target

  constructor(target: Target) {
    this.#target = target
  }

  /** Creates a payment. Send your customer to its `payment_url`. */
  create(params: CreatePaymentParams, { idempotencyKey }: CreateOptions = {}): Promise<Payment> {
    return send(this.#target, {
      method: 'POST',
      path: '/payments',
      body: params,
      idempotencyKey: idempotencyKey ?? crypto.randomUUID(),
    })
  }

  /**
   * Captures an authorised payment, which was created with `capture: 'manual'`, once: all of it, or the given amount.
   * A partial capture releases the remaining amount. If the response is still `authorized`, the capture is in progress.
   */
  capture(
    id: string,
    params: CapturePaymentParams = {},
    { idempotencyKey }: CreateOptions = {},
  ): Promise<Payment> {
    return send(this.#target, {
      method: 'POST',
      path: `/payments/${encodeURIComponent(id)}/capture`,
      body: params,
      idempotencyKey: idempotencyKey ?? crypto.randomUUID(),
    })
  }

  /**
   * Cancels the payment. No new attempts are accepted. The payment fails immediately, or when the attempt in
   * progress fails; if that attempt succeeds, the payment completes. An authorised payment is voided: no money is taken.
   * Any other payment, such as one that was cancelled before, is refused with `payment_not_cancellable`.
   */
  cancel(id: string): Promise<Payment> {
    return send(this.#target, {
      method: 'POST',
      path: `/payments/${encodeURIComponent(id)}/cancel`,
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
  retrieve(id: string): Promise<Payment> {
    return send(this.#target, { method: 'GET', path: `/payments/${encodeURIComponent(id)}` })
  }
}
