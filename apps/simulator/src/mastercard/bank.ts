import { randomBytes, randomUUID } from 'node:crypto'
import { type Journal, openJournal } from '../journal.ts'
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
  readonly folder: string
  readonly keep: number
  readonly speed: number
  readonly now: () => number
  readonly notify: (order: Order, transaction: CardTransaction) => Promise<void>
}

const DAY_MS = 24 * 60 * 60_000

/** The life of orders at the gateway: payments, authorisations with their captures, voids, refunds and chargebacks. */
export function createBank({ folder, keep, speed, now, notify }: BankDeps) {
  const orders: Journal<Order> = openJournal<Order>({
    folder,
    file: 'mastercard.jsonl',
    keep,
    idOf: ({ id }) => id,
    isRecord: ({ id, session }) => typeof id === 'string' && typeof session === 'string',
  })
  const timers = new Map<string, NodeJS.Timeout>()

  function cancel(id: string): void {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }

  function save(order: Order): void {
    for (const { id } of orders.save(order)) cancel(id)
  }

  function schedule(order: Order): void {
    cancel(order.id)
    if (order.planned === null) return
    const wait = Math.max(0, order.planned.at - now())
    timers.set(
      order.id,
      setTimeout(() => due(order), wait),
    )
  }

  function due(order: Order): void {
    const { planned } = order
    order.planned = null
    if (planned === null) return
    const refund = order.transactions.find(({ id }) => id === planned.refund)
    if (refund === undefined) {
      pay(order, planned.code, null)
      return
    }
    Object.assign(refund, { result: 'SUCCESS', gatewayCode: 'APPROVED' })
    save(order)
    void notify(order, refund)
  }

  function plan(order: Order, code: GatewayCode, afterMs: number, refund?: string): void {
    order.planned = { code, at: now() + afterMs / speed, ...(refund !== undefined && { refund }) }
  }

  function add(
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
      at: now(),
      authenticationStatus: null,
    }
    order.transactions.push(added)
    return added
  }

  function pay(
    order: Order,
    code: GatewayCode,
    card: CardEntry | null,
    id: string = randomUUID(),
  ): CardTransaction {
    const result = gatewayCodes[code]
    const type = order.operation === 'AUTHORIZE' ? 'AUTHORIZATION' : 'PAYMENT'
    const transaction = add(order, { id, type, minor: order.minor, result, gatewayCode: code }, card)
    const late = order.behaviour.lateSuccessAfterMs
    if (result !== 'SUCCESS' && late !== undefined) plan(order, 'APPROVED', late)
    save(order)
    void notify(order, transaction)
    schedule(order)
    return transaction
  }

  function done(order: Order, transaction: CardTransaction): CardTransaction {
    save(order)
    void notify(order, transaction)
    return transaction
  }

  return {
    get: orders.get,
    all: orders.all,
    bySession: (session: string): Order | null =>
      orders.all().find((order) => order.session === session) ?? null,
    save,

    /** Opens a session for the order. */
    open(input: OrderInput, lifeMs: number, behaviour: CardBehaviour, session = newSession()): Order {
      const order: Order = {
        ...input,
        session,
        successIndicator: randomBytes(8).toString('hex'),
        createdAt: now(),
        expiresAt: now() + lifeMs / speed,
        transactions: [],
        challenged: null,
        planned: null,
        behaviour,
        lookups: 0,
        notificationsSent: 0,
      }
      if (behaviour.pay && !order.isHosted) plan(order, behaviour.pay.code, behaviour.pay.afterMs)
      save(order)
      schedule(order)
      return order
    },

    pay,

    /** Begins the authentication of the card in a session. */
    initiate(order: Order, id: string, { masked, isEnrolled }: CardEntry): CardTransaction {
      const known = order.transactions.find((each) => each.id === id)
      const begun = known ?? add(order, { id, type: 'AUTHENTICATION', minor: 0, ...results.completed }, null)
      begun.masked = masked
      begun.authenticationStatus = isEnrolled ? 'AUTHENTICATION_AVAILABLE' : 'AUTHENTICATION_NOT_SUPPORTED'
      save(order)
      return begun
    },

    /** The card's bank asks the payer of a session. */
    challengeSession(order: Order, authentication: CardTransaction, card: CardEntry): void {
      order.challenged = card
      Object.assign(authentication, { authenticationStatus: 'AUTHENTICATION_PENDING', ...results.pending })
      save(order)
    },

    /** The card's bank asks the payer. */
    challenge(order: Order, card: CardEntry): void {
      order.challenged = card
      const authentication = add(
        order,
        { id: randomUUID(), type: 'AUTHENTICATION', minor: 0, result: 'PENDING', gatewayCode: 'PENDING' },
        card,
      )
      authentication.authenticationStatus = 'AUTHENTICATION_PENDING'
      save(order)
    },

    /** The payer answers the bank. */
    answer(order: Order, isApproved: boolean): CardTransaction | null {
      const card = order.challenged
      const authentication = order.transactions.findLast(({ type }) => type === 'AUTHENTICATION')
      if (card === null || authentication === undefined) return null
      order.challenged = null
      authentication.authenticationStatus = isApproved ? 'AUTHENTICATION_SUCCESSFUL' : 'AUTHENTICATION_FAILED'
      authentication.result = isApproved ? 'SUCCESS' : 'FAILURE'
      authentication.gatewayCode = isApproved ? 'APPROVED' : 'DECLINED'
      if (isApproved && !order.isHosted) return pay(order, card.code, card)
      save(order)
      void notify(order, authentication)
      return authentication
    },

    refund(order: Order, id: string, minor: number): CardTransaction {
      const { refund = 'completed', refundAfterMs } = order.behaviour
      const transaction = add(order, { id, type: 'REFUND', minor, ...results[refund] })
      if (refund === 'pending' && refundAfterMs !== undefined) plan(order, 'APPROVED', refundAfterMs, id)
      save(order)
      schedule(order)
      if (refund !== 'pending') void notify(order, transaction)
      return transaction
    },

    capture(order: Order, id: string, minor: number): CardTransaction {
      const { capture = 'completed' } = order.behaviour
      return done(order, add(order, { id, type: 'CAPTURE', minor, ...results[capture] }))
    },

    /** The transaction that a void can still cancel: before its settlement, and before anything else has used it. */
    voidable(order: Order, id: string): VoidableTransaction | null {
      const target = order.transactions.find((each) => each.id === id)
      if (target === undefined || !isVoidable(target)) return null
      const { settledAfterMs = DAY_MS } = order.behaviour
      const isSettled = now() >= target.at + settledAfterMs / speed
      const isUsed = target.type === 'AUTHORIZATION' ? isPaid(order) : isSettled || refundedOf(order) > 0
      return target.result !== 'SUCCESS' || isVoided(order, id) || isUsed ? null : target
    },

    void(order: Order, id: string, { id: target, type, minor }: VoidableTransaction): CardTransaction {
      const { void: word = 'completed' } = order.behaviour
      return done(order, add(order, { id, type: `VOID_${type}`, target, minor, ...results[word] }))
    },

    /** The cardholder disputes a payment; its bank takes the amount back. */
    chargeBack(order: Order, minor: number): void {
      const type = 'CHARGEBACK'
      const transaction = add(order, {
        id: randomUUID(),
        type,
        minor,
        result: 'SUCCESS',
        gatewayCode: 'APPROVED',
      })
      save(order)
      void notify(order, transaction)
    },

    /** After a restart: what fell due meanwhile falls now. */
    resume(): void {
      for (const order of orders.all()) schedule(order)
    },

    stop(): void {
      for (const id of timers.keys()) cancel(id)
      orders.close()
    },
  }
}
export type Bank = ReturnType<typeof createBank>
