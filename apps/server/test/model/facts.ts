import type { Entry } from './adversary.ts'
import type { Lane } from './lane.ts'
import type { Word } from './life.ts'
import type { Records, RefundRow } from './records.ts'

export const count = <Row>(rows: readonly Row[], is: (row: Row) => boolean): number => rows.filter(is).length
export const unique = (all: readonly unknown[]): boolean => new Set(all).size === all.length

export const isPaid = ({ payment }: Records): boolean =>
  payment.status === 'completed' || payment.status === 'refunded'
export const isOver = ({ status }: { status: string }): boolean =>
  status === 'completed' || status === 'failed'
export const ofMerchant = ({ refunds }: Records): RefundRow[] =>
  refunds.filter(({ origin }) => origin === 'merchant')
export const ofPayer = ({ refunds }: Records): RefundRow[] =>
  refunds.filter(({ origin }) => origin === 'duplicate')
export const told = ({ events }: Records, type: string): number =>
  count(events, (event) => event.type === type)
/** How much was taken back, in minor units: by the events, and by the reviews. */
export const reversedByEvents = ({ events }: Records): number =>
  events.reduce((sum, { reversed }) => sum + Math.round((reversed ?? 0) * 100), 0)
export const reversedByReviews = ({ anomalies }: Records): number =>
  anomalies.reduce((sum, { kind, amount_minor }) => sum + (kind === 'reversed' ? (amount_minor ?? 0) : 0), 0)
export const has = (entry: Entry | undefined, ...words: Word[]): boolean =>
  words.some((word) => entry?.said.has(word))

interface Call {
  readonly id: string
  readonly key: string
  readonly status: string
}

/**
 * Whether the provider may be taken to have never been asked: it has said so twice, and nothing else that anybody who lived has heard.
 */
export function neverHeard(
  lane: Lane,
  { id, key }: Call,
  entry: Entry | undefined,
  before: readonly Call[],
): boolean {
  const saidSo = (entry?.said.get('not found') ?? 0) + (lane.voice.unheard.get(key) ?? 0)
  const wasPending = before.some((call) => call.id === id && call.status === 'pending')
  const wasHeard = lane.isImmortal && has(entry, 'pending', 'later', 'paid, no amount', 'wrong amount')
  return saidSo >= 2 && !wasPending && !wasHeard
}

/** What it said later, when it had failed already, does not count. */
export const hadFailed = (before: readonly Call[], { id }: Call): boolean =>
  before.some((call) => call.id === id && call.status === 'failed')
