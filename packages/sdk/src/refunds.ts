import { idSegment } from './check.ts'
import type { CreateRefundParams, ListRefundsParams, Refund } from './generated/types.ts'
import { List } from './list.ts'
import { type CreateOptions, send, type Target } from './transport.ts'

export class Refunds {
  readonly #target: Target

  constructor(target: Target) {
    this.#target = target
  }

  /** Refunds a payment: the remaining amount, or the given amount. */
  async create(params: CreateRefundParams, options: CreateOptions = {}): Promise<Refund> {
    return send(this.#target, {
      method: 'POST',
      path: '/refunds',
      body: params,
      options,
    })
  }

  /** Refunds, newest first. */
  list(params: ListRefundsParams = {}): List<Refund> {
    return new List(this.#target, '/refunds', params)
  }

  /** Returns the current state of the refund. */
  async retrieve(id: string): Promise<Refund> {
    return send(this.#target, { method: 'GET', path: `/refunds/${idSegment(id)}` })
  }
}
