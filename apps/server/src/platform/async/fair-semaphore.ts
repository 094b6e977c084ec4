import { reasonOf } from '@muripo/locales/errors'
import { AppError } from '../errors.ts'
import { createTurns } from './turns.ts'

interface FairLimits {
  readonly permits: number
  readonly waiting: number
  /** The number for one subject at a time, running and waiting. */
  readonly perSubject: number
}

/**
 * A semaphore that gives its permits to the waiting subjects in turn, so that the waiting time of a subject depends on the number of
 * subjects and not on the number of another subject's requests. A subject with too many requests gets 429, and every subject gets 503 when
 * all places are taken.
 */
export function createFairSemaphore(limits: FairLimits) {
  const waiting = createTurns<() => void>()
  const held = new Map<string, number>()
  let running = 0

  function count(subject: string, change: 1 | -1): void {
    const next = (held.get(subject) ?? 0) + change
    if (next === 0) held.delete(subject)
    else held.set(subject, next)
  }

  const wait = (subject: string): Promise<void> =>
    new Promise((resolve) => void waiting.add([subject], resolve))

  /** Passes the permit on, so that a new request cannot overtake the waiting ones. */
  function release(): void {
    const resume = waiting.take()
    if (resume) resume()
    else running -= 1
  }

  return async function run<T>(subject: string, work: () => Promise<T>): Promise<T> {
    if ((held.get(subject) ?? 0) >= limits.perSubject) throw tooMany()
    if (running >= limits.permits && waiting.size >= limits.waiting) throw busy()
    count(subject, 1)
    try {
      if (running < limits.permits) running += 1
      else await wait(subject)
      try {
        return await work()
      } finally {
        release()
      }
    } finally {
      count(subject, -1)
    }
  }
}

const RETRY_SECONDS = '5'
const busy = () => new AppError('service_unavailable', { headers: { 'retry-after': RETRY_SECONDS } })
const tooMany = () =>
  new AppError('rate_limited', {
    reason: reasonOf('networkBusy'),
    headers: { 'retry-after': RETRY_SECONDS },
  })
