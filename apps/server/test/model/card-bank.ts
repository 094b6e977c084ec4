import type { Money } from '@muripo/contract/money'
import { authorised, paid, pending, refused } from '../../src/modules/payments/factory.ts'
import type { CaptureOrder, Reply } from '../../src/modules/providers/index.ts'

/** The authorisation of one charge at the bank of its card. The bank carries out one instruction, however often it receives it. */
export class CardBank {
  state: 'open' | 'authorised' | 'captured' | 'released' = 'open'
  captured: Money | null = null
  /** The number of captures and voids that were carried out. */
  calls = 0
  readonly #amount: Money

  constructor(amount: Money) {
    this.#amount = amount
  }

  /** The payer authorises the amount, or has done so, and the order is carried out. */
  accept(order: CaptureOrder): void {
    if (this.state === 'open') this.state = 'authorised'
    if (this.state !== 'authorised' || order.kind === 'await') return
    this.calls += 1
    this.state = order.kind === 'capture' ? 'captured' : 'released'
    if (order.kind === 'capture') this.captured = order.amount
  }

  /** The bank refuses the card, or its capture. A void cannot be refused. */
  refuse(order: CaptureOrder): void {
    if (this.state === 'open' || (this.state === 'authorised' && order.kind === 'capture'))
      this.state = 'released'
    else this.accept(order)
  }

  reply(): Reply {
    if (this.captured) return paid(this.captured)
    if (this.state === 'authorised') return authorised(this.#amount)
    return this.state === 'released' ? refused('declined') : pending()
  }
}
