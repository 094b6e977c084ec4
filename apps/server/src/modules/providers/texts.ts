import type { PaymentMethod } from '@muripo/contract/payments'
import type { DeclineReason, Outcome } from './connector.ts'

/** No limit is documented for the free texts; texts of this length fit a line of a phone's prompt. */
const TEXT_MAX_LENGTH = 100

/**
 * A free text in an alphabet that every gateway and phone supports: letters without accents, digits, spaces, commas, full stops and
 * hyphens, none of the last three twice in a row. Text that resembles markup or a query makes a firewall refuse the request.
 */
export function plainText(text: string, fallback: string): string {
  const plain = text
    .slice(0, 4 * TEXT_MAX_LENGTH)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 ,.-]/g, ' ')
    .replace(/([ ,.-])\1+/g, '$1')
    .trim()
    .slice(0, TEXT_MAX_LENGTH)
    .trim()
  return /[A-Za-z0-9]/.test(plain) ? plain : fallback
}

/** The order matters: the words for a wrong PIN and for a limit also occur in sentences about cancelling and blocking. */
const reasons: readonly (readonly [RegExp, DeclineReason])[] = [
  [/insufficient|not enough|low balance/i, 'insufficient_funds'],
  [
    /(wrong|invalid|incorrect|bad)[\s\w]*\bpin\b|\bpin\b[\s\w]*(wrong|invalid|incorrect|mismatch)/i,
    'wrong_pin',
  ],
  [/limit/i, 'limit_exceeded'],
  [/barred|suspended|blocked/i, 'barred'],
  [/expired|timed?[\s-]?out|no response|not respond/i, 'expired'],
  [/cancel|(declined|rejected) by (the )?(subscriber|customer|user|payer)/i, 'user_cancelled'],
]

/** Replies have up to 256 KiB, and the time of the patterns grows with the square of the length. */
const SENTENCE_MAX_LENGTH = 500

/** The reason in a provider's sentence; null when it contains no known reason. */
export function namedReason(sentence: string | null): DeclineReason | null {
  const start = sentence?.slice(0, SENTENCE_MAX_LENGTH) ?? ''
  return reasons.find(([pattern]) => pattern.test(start))?.[1] ?? null
}

/** A long run of digits can be a phone number or a PIN; the stored status needs neither. */
export const redact = (text: string): string =>
  text
    .slice(0, SENTENCE_MAX_LENGTH)
    .replaceAll(/\d{4,}/g, '****')
    .slice(0, 160)

/** A status as the tables of the connectors name it: in capitals, with single spaces. */
export const statusName = (status: string | null): string =>
  status
    ?.trim()
    .replaceAll(/[\s_]+/g, ' ')
    .toUpperCase() ?? ''

/** The entry of a table for a text from outside; undefined for a text without an entry of its own, such as `constructor`. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, text: string): T | undefined =>
  Object.hasOwn(table, text) ? table[text] : undefined

/** The outcome of a status. An unmapped status is pending. */
export const outcomeOf = (outcomes: Readonly<Record<string, Outcome>>, status: string | null): Outcome =>
  entryOf(outcomes, statusName(status)) ?? 'pending'

const methodWords: readonly (readonly [RegExp, PaymentMethod])[] = [
  [/ecocash/i, 'ecocash'],
  [/one ?money/i, 'onemoney'],
  [/innbucks/i, 'innbucks'],
  [/visa|master ?card/i, 'visa'],
]

/** The method that a provider names in words; null for another one. */
export const methodNamed = (text: string | null | undefined): PaymentMethod | null =>
  methodWords.find(([word]) => word.test(text ?? ''))?.[1] ?? null
