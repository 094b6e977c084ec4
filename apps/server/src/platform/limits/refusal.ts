import { reasonOf } from '@muripo/locales/errors'
import { AppError } from '../errors.ts'
import type { Standing } from './limits.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The fields of the IETF draft: the caller's quota, and the remaining part of it. */
export function limitHeaders(standings: readonly Standing[], now: Date): Record<string, string> {
  const list = (parameters: (standing: Standing) => string) =>
    standings.map((each) => `"${each.limit.name}";${parameters(each)}`).join(', ')
  return {
    'ratelimit-policy': list(({ limit }) => `q=${limit.quota};w=${limit.windowMs / SECOND_MS}`),
    ratelimit: list(({ remaining, resetsAt }) => `r=${remaining};t=${secondsUntil(resetsAt, now)}`),
  }
}

/** The texts of waits by the end of their English sentence. */
const waits = {
  'you try again': 'waitToTry',
  'you ask for another code': 'waitForCode',
  'you enter another code': 'waitToEnterCode',
  'you change your password again': 'waitToChangePassword',
  'you change your account again': 'waitToChangeAccount',
  'you send another message': 'waitToWrite',
} as const
export type Occasion = keyof typeof waits

/** Throws when a limit is used up; `after` follows "Please wait 20 seconds before …". */
export function refuseSpent(
  standings: readonly Standing[],
  now: Date,
  after: Occasion = 'you try again',
): void {
  const ends = standings.filter(({ refused }) => refused).map(({ resetsAt }) => resetsAt.getTime())
  if (ends.length > 0) throw tooSoon(new Date(Math.max(...ends)), now, after, limitHeaders(standings, now))
}

export function tooSoon(
  until: Date,
  now: Date,
  after: Occasion,
  headers: Readonly<Record<string, string>> = {},
): AppError {
  const seconds = Math.max(1, secondsUntil(until, now))
  return new AppError('rate_limited', {
    reason: reasonOf(waits[after], inWords(seconds * SECOND_MS)),
    headers: { ...headers, 'retry-after': String(seconds) },
  })
}

export const secondsUntil = (at: Date, now: Date): number =>
  Math.max(0, Math.ceil((at.getTime() - now.getTime()) / SECOND_MS))

function inWords(ms: number) {
  if (ms <= 90 * SECOND_MS) return { count: ms / SECOND_MS, unit: 'second' }
  return ms <= 90 * MINUTE_MS
    ? { count: Math.ceil(ms / MINUTE_MS), unit: 'minute' }
    : { count: Math.ceil(ms / HOUR_MS), unit: 'hour' }
}
