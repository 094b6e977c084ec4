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

/** Throws when a limit is used up; `after` follows "Please wait 20 seconds before …". */
export function refuseSpent(standings: readonly Standing[], now: Date, after = 'you try again'): void {
  const ends = standings.filter(({ refused }) => refused).map(({ resetsAt }) => resetsAt.getTime())
  if (ends.length > 0) throw tooSoon(new Date(Math.max(...ends)), now, after, limitHeaders(standings, now))
}

export function tooSoon(
  until: Date,
  now: Date,
  after: string,
  headers: Readonly<Record<string, string>> = {},
): AppError {
  const seconds = Math.max(1, secondsUntil(until, now))
  return new AppError('rate_limited', {
    detail: `Please wait ${inWords(seconds * SECOND_MS)} before ${after}`,
    headers: { ...headers, 'retry-after': String(seconds) },
  })
}

export const secondsUntil = (at: Date, now: Date): number =>
  Math.max(0, Math.ceil((at.getTime() - now.getTime()) / SECOND_MS))

function inWords(ms: number): string {
  if (ms <= 90 * SECOND_MS) return count(ms / SECOND_MS, 'second')
  return ms <= 90 * MINUTE_MS
    ? count(Math.ceil(ms / MINUTE_MS), 'minute')
    : count(Math.ceil(ms / HOUR_MS), 'hour')
}

const count = (n: number, unit: string): string => `${n} ${unit}${n === 1 ? '' : 's'}`
