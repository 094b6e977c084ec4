import { randomBytes, randomUUID } from 'node:crypto'
import { openJournal } from '../journal.ts'
import { createSchedule } from '../schedule.ts'
import type { CardBehaviour } from './behaviour.ts'
import { type CardEntry, type GatewayCode, gatewayCodes } from './cards.ts'
import {
  type CardTransaction,
  isPaid,
  isVoidable,
  isVoided,
  newSession,
  type Order,
  type OrderInput,
  refundedOf,
  type VoidableTransaction,
} from './orders.ts'

/** The results of a call of the merchant, by the word of a behaviour. */
const results = {
  completed: { result: 'SUCCESS', gatewayCode: 'APPROVED' },
  pending: { result: 'PENDING', gatewayCode: 'SUBMITTED' },
  declined: { result: 'FAILURE', gatewayCode: 'DECLINED' },
} as const

interface BankDeps {
  readonly folder: string | null
  readonly keep: number
  readonly speed: number
  readonly now: () => number
  readonly notify: (order: Order, transaction: CardTransaction) => Promise<void>
}

const DAY_MS = 24 * 60 * 60_000

const idOf = ({ id }: Order) => id

function openOrders({ folder, keep, speed, now }: BankDeps, onDue: (order: Order) => void) {
  const journal = openJournal<Order>({ folder, file: 'mastercard.jsonl', keep, idOf })
  // The reply to the call that planned the change precedes it.
  const schedule = createSchedule(journal, { idOf, speed, now, onDue: (order) => setImmediate(onDue, order) })
  return { journal, schedule }
}

/** The life of orders at the gateway: payments, authorisations with their captures, voids, refunds and chargebacks. */
export class Bank {
  private readonly deps: BankDeps
  private readonly orders: ReturnType<typeof openOrders>

  constructor(deps: BankDeps) {
    this.deps = deps
    this.orders = openOrders(deps, (order) => this.applyPlanned(order))
  }

  get(id: string): Order | null {
    return this.orders.journal.get(id)
  }

  all(): Order[] {
    return this.orders.journal.all()
  }

  bySession(session: string): Order | null {
    return this.all().find((order) => order.session === session) ?? null
  }

  save(order: Order): void {
    this.orders.schedule.save(order)
  }

  resume(): void {
    this.orders.schedule.resume()
  }

  stop(): void {
    this.orders.schedule.stop()
  }

  /** Opens a session for the order. */
  open(input: OrderInput, lifeMs: number, behaviour: CardBehaviour, session = newSession()): Order {
    const order: Order = {
      ...input,
      session,
      successIndicator: randomBytes(8).toString('hex'),
      createdAt: this.deps.now(),
      expiresAt: this.orders.schedule.timeAfter(lifeMs),
      transactions: [],
      challenged: null,
      planned: null,
      behaviour,
      lookups: 0,
      requests: 1,
    }
    if (behaviour.pay && !order.isHosted) this.plan(order, behaviour.pay.code, behaviour.pay.afterMs)
    this.save(order)
    this.orders.schedule.start(order)
    return order
  }

  pay(order: Order, code: GatewayCode, card: CardEntry | null, id: string = randomUUID()): CardTransaction {
    const result = gatewayCodes[code]
    const type = order.operation === 'AUTHORIZE' ? 'AUTHORIZATION' : 'PAYMENT'
    const transaction = this.add(order, { id, type, minor: order.minor, result, gatewayCode: code }, card)
    const late = order.behaviour.lateSuccessAfterMs
    if (result !== 'SUCCESS' && late !== undefined) this.plan(order, 'APPROVED', late)
    this.save(order)
    void this.deps.notify(order, transaction)
    this.orders.schedule.start(order)
    return transaction
  }

  /** Begins the authentication of the card in a session. */
  initiate(order: Order, id: string, { masked, isEnrolled }: CardEntry): CardTransaction {
    const known = order.transactions.find((each) => each.id === id)
    const begun =
      known ?? this.add(order, { id, type: 'AUTHENTICATION', minor: 0, ...results.completed }, null)
    begun.masked = masked
    begun.authenticationStatus = isEnrolled ? 'AUTHENTICATION_AVAILABLE' : 'AUTHENTICATION_NOT_SUPPORTED'
    this.save(order)
    return begun
  }

  /** The card's bank asks the payer of a session. */
  challengeSession(order: Order, authentication: CardTransaction, card: CardEntry): void {
    order.challenged = card
    Object.assign(authentication, { authenticationStatus: 'AUTHENTICATION_PENDING', ...results.pending })
    this.save(order)
  }

  /** The card's bank asks the payer. */
  challenge(order: Order, card: CardEntry): void {
    order.challenged = card
    const authentication = this.add(
      order,
      { id: randomUUID(), type: 'AUTHENTICATION', minor: 0, result: 'PENDING', gatewayCode: 'PENDING' },
      card,
    )
    authentication.authenticationStatus = 'AUTHENTICATION_PENDING'
    this.save(order)
  }

  /** The payer answers the bank. */
  answer(order: Order, isApproved: boolean): CardTransaction | null {
    const card = order.challenged
    const authentication = order.transactions.findLast(({ type }) => type === 'AUTHENTICATION')
    if (card === null || authentication === undefined) return null
    order.challenged = null
    authentication.authenticationStatus = isApproved ? 'AUTHENTICATION_SUCCESSFUL' : 'AUTHENTICATION_FAILED'
    authentication.result = isApproved ? 'SUCCESS' : 'FAILURE'
    authentication.gatewayCode = isApproved ? 'APPROVED' : 'DECLINED'
    if (isApproved && !order.isHosted) return this.pay(order, card.code, card)
    this.save(order)
    void this.deps.notify(order, authentication)
    return authentication
  }

  refund(order: Order, id: string, minor: number): CardTransaction {
    const { refund = 'completed', refundAfterMs } = order.behaviour
    const transaction = this.add(order, { id, type: 'REFUND', minor, ...results[refund] })
    if (refund === 'pending' && refundAfterMs !== undefined) this.plan(order, 'APPROVED', refundAfterMs, id)
    this.save(order)
    this.orders.schedule.start(order)
    if (refund !== 'pending') void this.deps.notify(order, transaction)
    return transaction
  }

  capture(order: Order, id: string, minor: number): CardTransaction {
    const { capture = 'completed' } = order.behaviour
    return this.done(order, this.add(order, { id, type: 'CAPTURE', minor, ...results[capture] }))
  }

  /** The transaction that a void can still cancel: before its settlement, and before anything else has used it. */
  voidable(order: Order, id: string): VoidableTransaction | null {
    const target = order.transactions.find((each) => each.id === id)
    if (target === undefined || !isVoidable(target)) return null
    const { settledAfterMs = DAY_MS } = order.behaviour
    const isSettled = this.deps.now() >= target.at + settledAfterMs / this.deps.speed
    const isRefunded = target.type !== 'REFUND' && refundedOf(order) > 0
    const isUsed = target.type === 'AUTHORIZATION' ? isPaid(order) : isSettled || isRefunded
    return target.result !== 'SUCCESS' || isVoided(order, id) || isUsed ? null : target
  }

  void(order: Order, id: string, { id: target, type, minor }: VoidableTransaction): CardTransaction {
    const { void: word = 'completed' } = order.behaviour
    return this.done(order, this.add(order, { id, type: `VOID_${type}`, target, minor, ...results[word] }))
  }

  /** The cardholder disputes a payment; its bank takes the amount back. */
  chargeBack(order: Order, minor: number): void {
    const type = 'CHARGEBACK'
    const transaction = this.add(order, {
      id: randomUUID(),
      type,
      minor,
      result: 'SUCCESS',
      gatewayCode: 'APPROVED',
    })
    this.save(order)
    void this.deps.notify(order, transaction)
  }

  private plan(order: Order, code: GatewayCode, afterMs: number, refund?: string): void {
    const at = this.orders.schedule.timeAfter(afterMs)
    order.planned = { code, at, ...(refund !== undefined && { refund }) }
  }

  private applyPlanned(order: Order): void {
    const { planned } = order
    if (planned === null) return
    order.planned = null
    const refund = order.transactions.find(({ id }) => id === planned.refund)
    if (refund === undefined) {
      this.pay(order, planned.code, null)
      return
    }
    Object.assign(refund, { result: 'SUCCESS', gatewayCode: 'APPROVED' })
    this.done(order, refund)
  }

  private add(
    order: Order,
    transaction: Pick<CardTransaction, 'id' | 'type' | 'minor' | 'result' | 'gatewayCode'> &
      Partial<Pick<CardTransaction, 'target'>>,
    card: CardEntry | null = null,
  ): CardTransaction {
    const added: CardTransaction = {
      target: null,
      ...transaction,
      masked: card?.masked ?? null,
      csc: card?.csc ?? null,
      receipt: String(parseInt(randomBytes(5).toString('hex'), 16))
        .padStart(12, '6')
        .slice(-12),
      at: this.deps.now(),
      authenticationStatus: null,
      requests: 1,
    }
    order.transactions.push(added)
    return added
  }

  private done(order: Order, transaction: CardTransaction): CardTransaction {
    this.save(order)
    void this.deps.notify(order, transaction)
    return transaction
  }
}
