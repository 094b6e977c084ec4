import { uuidOf } from '../../src/platform/ids.ts'
import type { Entry } from './adversary.ts'
import type { AnomalyRow, Records, RefundRow } from './records.ts'
import type { Scenario } from './scenario.ts'
import type { ReplyKind } from './sequence.ts'

export const count = <Row>(rows: readonly Row[], is: (row: Row) => boolean): number => rows.filter(is).length
export const unique = (all: readonly unknown[]): boolean => new Set(all).size === all.length

/** The amount that is taken from the payer of a paid payment. */
export const paidMinor = ({ payment }: Records): number => payment.captured_minor ?? payment.amount_minor
export const isPaid = ({ payment }: Records): boolean =>
  payment.status === 'completed' || payment.status === 'refunded'
export const hasEnded = ({ status }: { status: string }): boolean =>
  status === 'completed' || status === 'failed'
export const ofMerchant = ({ refunds }: Records): RefundRow[] =>
  refunds.filter(({ origin }) => origin === 'merchant')
export const ofPayer = ({ refunds }: Records): RefundRow[] =>
  refunds.filter(({ origin }) => origin === 'duplicate')
/** A refund whose amount came back was paid before. */
export const wasPaid = ({ status, bounced_at }: RefundRow): boolean =>
  status === 'completed' || bounced_at !== null
export const isUnclaimed = ({ status, unclaimed_at, bounced_at }: RefundRow): boolean =>
  status === 'failed' && unclaimed_at !== null && bounced_at === null
export const emitted = ({ events }: Records, type: string): number =>
  count(events, (event) => event.type === type)
/** The reversed amount in minor units: the sum of the events, and the sum of the anomalies. */
export const reversedByEvents = ({ events }: Records): number =>
  events.reduce(
    (sum, { type, reversed }) => sum + (type === 'payment.reversed' ? Math.round((reversed ?? 0) * 100) : 0),
    0,
  )
/** Reviews of reversals of the charge that paid the payment. */
export const reversals = ({ anomalies, attempts }: Records): AnomalyRow[] =>
  anomalies.filter(
    ({ kind, attempt_id }) =>
      kind === 'reversed' &&
      attempts.some(({ id, status }) => status === 'completed' && uuidOf(id) === attempt_id),
  )
/** The booked reversals and returns of that charge. */
export const bookedOfCharge = ({ anomalies, attempts }: Records): AnomalyRow[] =>
  anomalies.filter(
    ({ booked_minor, refund_id, attempt_id }) =>
      booked_minor !== null &&
      refund_id === null &&
      attempts.some(({ id, status }) => status === 'completed' && uuidOf(id) === attempt_id),
  )
export const reversedByReviews = (now: Records): number =>
  reversals(now).reduce((sum, { amount_minor }) => sum + (amount_minor ?? 0), 0)
export const has = (entry: Entry | undefined, ...replyKinds: ReplyKind[]): boolean =>
  replyKinds.some((replyKind) => entry?.replies.has(replyKind))

interface Call {
  readonly id: string
  readonly key: string
  readonly status: string
}

/**
 * Whether the call may be treated as never received: the provider has reported so twice, and no process that survived has received any
 * other reply.
 */
export function neverReceived(
  scenario: Scenario,
  { id, key }: Call,
  entry: Entry | undefined,
  before: readonly Call[],
): boolean {
  const notFoundReplies =
    (entry?.replies.get('not found') ?? 0) + (scenario.script.notFoundReplies.get(key) ?? 0)
  const wasPending = before.some((call) => call.id === id && call.status === 'pending')
  const wasAcknowledged =
    scenario.neverCrashes && has(entry, 'pending', 'later', 'paid, no amount', 'wrong amount')
  return notFoundReplies >= 2 && !wasPending && !wasAcknowledged
}

/** Replies after the failure do not count. */
export const hadFailed = (before: readonly Call[], { id }: Call): boolean =>
  before.some((call) => call.id === id && call.status === 'failed')
