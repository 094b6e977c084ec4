import type { CustomerId, Id } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import type { PaymentMethod, PaymentStatus, StatusReason } from '@muripo/contract/payments'
import type { EventType } from '@muripo/contract/webhook-enums'
import type { Actor } from '../../../platform/audit/actor.ts'
import type { AuditEntry } from '../../../platform/audit/audit.ts'
import { invariant } from '../../../platform/errors.ts'
import type { KeyOwner } from '../../applications/index.ts'
import type { NewAdjustment, Transfer } from '../../ledger/index.ts'
import type { Customer } from './customer.ts'
import type { Attempt, Payment, Refund } from './payment.ts'
import type { Anomaly, WholeState } from './state.ts'
import type { Termination } from './tables.ts'
import type {
  AnomalyChange,
  AttemptChange,
  NewInstruction,
  NewRefund,
  OpenedAttempt,
  RefundChange,
} from './written-rows.ts'

export interface PaymentChange {
  readonly status?: PaymentStatus
  readonly statusReason?: StatusReason | null
  readonly method?: PaymentMethod
  readonly providerReference?: string | null
  readonly customerPhone?: string
  readonly customerId?: CustomerId
  readonly captured?: Money
  readonly captureBefore?: Date
  readonly fee?: Money
  readonly refunded?: Money
  readonly refundPending?: Money
  readonly reversed?: Money
  readonly lastEvent?: number
  readonly completedAt?: Date
  readonly termination?: Termination
}

/** The payment after a change. */
export function changedPayment(payment: Payment, change: PaymentChange, at: Date): Payment {
  const { customerPhone: phone, customerId: id, ...others } = change
  const customer = {
    ...payment.customer,
    ...(phone !== undefined && { phone }),
    ...(id !== undefined && { id }),
  }
  return { ...payment, ...others, customer, updatedAt: at, version: payment.version + 1 }
}

/** The changes of one decision about a payment. All of them are committed, or none. */
export interface Effects {
  /** An empty change raises the version of the payment, on which a decision from an earlier reading is refused. */
  readonly change?: PaymentChange
  readonly attempt?: { readonly before: Attempt; readonly change: AttemptChange }
  readonly opened?: OpenedAttempt
  readonly refund?: { readonly before: Refund; readonly change: RefundChange }
  readonly openedRefund?: NewRefund
  readonly instruction?: NewInstruction
  /** The payer, and the id of the attempt that names them. */
  readonly payer?: { readonly customer: Customer; readonly firstSeen: Id<string> }
  readonly transfers?: readonly Transfer[]
  readonly adjustments?: readonly NewAdjustment[]
  readonly openedAnomalies?: readonly Anomaly[]
  readonly changedAnomalies?: readonly { readonly before: Anomaly; readonly change: AnomalyChange }[]
  /** Events that report the payment as the effects leave it. */
  readonly events?: readonly PaymentEvent[]
  readonly audited?: readonly { readonly actor: Actor; readonly entry: AuditEntry }[]
  /** The key that has to be active when the effects are written. */
  readonly caller?: KeyOwner
  /** Logged as errors after the commit: an operator has to know. */
  readonly alarms?: readonly Alarm[]
}

export interface PaymentEvent {
  readonly type: EventType
  readonly besides?: object
}

export interface Alarm {
  readonly facts: object
  readonly message: string
}

export const nothing: Effects = {}

export const alarm = (facts: object, message: string): Pick<Effects, 'alarms'> => ({
  alarms: [{ facts, message }],
})

/** The effects of a decision, and of another one that was made from the state after it. */
export function both(first: Effects, second: Effects): Effects {
  const lists = {
    transfers: joined(first.transfers, second.transfers),
    adjustments: joined(first.adjustments, second.adjustments),
    openedAnomalies: joined(first.openedAnomalies, second.openedAnomalies),
    changedAnomalies: joined(first.changedAnomalies, second.changedAnomalies),
    events: joined(first.events, second.events),
    audited: joined(first.audited, second.audited),
    alarms: joined(first.alarms, second.alarms),
  }
  const change = first.change && second.change ? { ...first.change, ...second.change } : undefined
  const attempt = moved(first.attempt, second.attempt)
  const refund = moved(first.refund, second.refund)
  invariant(!(first.openedRefund && second.openedRefund), 'a decision opens one refund')
  const defined = Object.entries(lists).filter(([, list]) => list.length > 0)
  return {
    ...first,
    ...second,
    ...(change && { change }),
    ...(attempt && { attempt }),
    ...(refund && { refund }),
    ...Object.fromEntries(defined),
  }
}

const joined = <Item>(first: readonly Item[] = [], second: readonly Item[] = []): readonly Item[] => [
  ...first,
  ...second,
]

/** Two changes of one row. */
function moved<Row extends Attempt | Refund, Change extends object>(
  first: { readonly before: Row; readonly change: Change } | undefined,
  second: { readonly before: Row; readonly change: Change } | undefined,
): { readonly before: Row; readonly change: Change } | undefined {
  if (!first || !second) return first ?? second
  invariant(first.before.id === second.before.id, 'a decision changes one call')
  return { before: first.before, change: { ...first.change, ...second.change } }
}

/** The effects of several decisions, each made from the state that the ones before it leave. */
export function inTurn<State extends WholeState>(
  state: State,
  ...decisions: readonly ((state: State) => Effects)[]
): Effects {
  return decisions.reduce((effects, decide) => both(effects, decide(stateAfter(state, effects))), nothing)
}

/**
 * The payment as the effects leave it; null when its row stays as it is. The version of a payment orders all that a decision reads, except
 * leases and what concerns one attempt alone, which has a version of its own.
 */
export function paymentAfter(payment: Payment, effects: Effects, at: Date): Payment | null {
  const events = effects.events?.length ?? 0
  const change = events > 0 ? { ...effects.change, lastEvent: payment.lastEvent + events } : effects.change
  if (change) return changedPayment(payment, change, at)
  const { refund, openedRefund, instruction, adjustments, openedAnomalies, changedAnomalies } = effects
  const isTouched =
    refund ?? openedRefund ?? instruction ?? adjustments ?? openedAnomalies ?? changedAnomalies
  return isTouched ? { ...payment, version: payment.version + 1 } : null
}

/** The state as the effects leave it. */
export function stateAfter<State extends WholeState>(state: State, effects: Effects): State {
  const { payment, at } = state
  const { attempt, refund, openedRefund, adjustments = [] } = effects
  const attemptNow = attempt && changedAttempt(attempt.before, attempt.change, at)
  const refundNow = refund && changedRefund(refund.before, refund.change, at)
  const refunds = state.refunds.map((each) => (each.id === refundNow?.id ? refundNow : each))
  const changed = new Map(effects.changedAnomalies?.map(({ before, change }) => [before.id, change]))
  return {
    ...state,
    payment: paymentAfter(payment, effects, at) ?? payment,
    attempts: state.attempts.map((each) => (each.id === attemptNow?.id ? attemptNow : each)),
    refunds: openedRefund ? [openedRefund, ...refunds] : refunds,
    anomalies: [
      ...state.anomalies.map((each) => ({ ...each, ...changed.get(each.id) })),
      ...(effects.openedAnomalies ?? []),
    ],
    differences: [
      ...state.differences,
      ...adjustments.map(({ entry }) => ({
        cause: entry.causeId ?? '',
        debit: entry.debit,
        credit: entry.credit,
        minor: entry.amount.minor,
      })),
    ],
  }
}

/** The attempt after a change. */
export function changedAttempt(attempt: Attempt, change: AttemptChange, at: Date): Attempt {
  const { nextCheckAt, heldBecause, ...shown } = change
  return { ...attempt, ...shown, updatedAt: at, version: attempt.version + 1 }
}

/** The refund after a change. */
export const changedRefund = (refund: Refund, change: RefundChange, at: Date): Refund => ({
  ...refund,
  ...change,
  updatedAt: at,
})
