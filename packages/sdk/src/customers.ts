import { idSegment } from './check.ts'
import type { Customer, ListCustomersParams } from './generated/types.ts'
import { List } from './list.ts'
import { send, type Target } from './transport.ts'

export class Customers {
  readonly #target: Target

  constructor(target: Target) {
    this.#target = target
  }

  /** The customers of your payments, the newest first. */
  list(params: ListCustomersParams = {}): List<Customer> {
    return new List(this.#target, '/customers', params)
  }

  /** One customer, by the `customer.id` of a payment. */
  async retrieve(id: string): Promise<Customer> {
    return send(this.#target, { method: 'GET', path: `/customers/${idSegment(id)}` })
  }
}
