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
export const has = (entry: Entry | undefined, ...words: Word[]): boolean =>
  words.some((word) => entry?.said.has(word))

/** Whether the provider may be taken to have never been asked. */
export const neverHeard = (lane: Lane, key: string, entry: Entry | undefined): boolean =>
  (entry?.said.get('not found') ?? 0) + (lane.voice.unheard.get(key) ?? 0) >= 2
