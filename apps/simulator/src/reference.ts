import type { Transaction } from './ledger.ts'

const HARARE_OFFSET_MS = 2 * 3_600_000

/** A time in Harare as an ISO text without a time zone. */
export const inHarare = (at: number): string => new Date(at + HARARE_OFFSET_MS).toISOString().slice(0, -1)

/**
 * The reference in the subscriber's message: MP261120.0915.A00042, in Harare's time; RF… for a refund. Unique
 * by its counter.
 */
export function makeReference(kind: Transaction['kind'], sequence: number, now: number): string {
  const [date = '', time = ''] = inHarare(now).split('T')
  const day = date.slice(2).replaceAll('-', '')
  const minute = time.slice(0, 5).replace(':', '')
  const letter = String.fromCharCode(65 + (Math.floor(sequence / 100_000) % 26))
  return `${kind === 'refund' ? 'RF' : 'MP'}${day}.${minute}.${letter}${String(sequence % 100_000).padStart(5, '0')}`
}
