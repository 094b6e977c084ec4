import { setTimeout as startTimeout } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { ProviderError } from '../connector.ts'
import { OUT_OF_BUDGET } from '../http-client.ts'
import {
  type Bucket,
  type CallClass,
  type CallCounts,
  callClasses,
  capacityOf,
  grant,
  levelAt,
  roomAt,
  waitMs,
} from './bucket.ts'
import { pauseCalls, readBucket, writeBucket } from './store-budgets.ts'

/** The time that a call waits in this process for its turn. A payer and a callback wait longer than what is due again soon. */
const queueTimeoutMs: CallCounts = {
  charge: 5000,
  refund: 5000,
  callback: 45_000,
  schedule: 5000,
  watch: 5000,
}
const LEAST_PAUSE_MS = 20
const MOST_PAUSE_MS = 1000
/** The provider has answered a part of the call, and the time of the whole call is limited. */
const FURTHER_REQUEST_TIMEOUT_MS = 5000
/** A call that the budget has not served is made again after this time. */
const RETRY_AFTER_MS = 3000

interface Waiting {
  readonly of: CallClass
  /** The call has sent a request. */
  readonly hasBegun: boolean
  readonly go: () => void
  readonly refuse: (retryAfterMs: number) => void
}

/** The calls of a process that wait for the budget of one provider. */
export interface CallQueue {
  /** Resolves when the call may be made. @throws ProviderError, with the time after which the call may be repeated */
  enter(of: CallClass): Promise<void>
  /** The same for a further request of a call that has sent one. */
  enterAgain(of: CallClass): Promise<void>
  /** The scheduled look-ups that may be started now. */
  room(): number
  /** The provider has asked for a pause. */
  pause(forMs: number): Promise<void>
}

/** The time between two readings of the bucket. A test lets it run with the clock of its database. */
export interface Timer {
  now(): number
  sleep(ms: number): Promise<unknown>
}

const realTimer: Timer = { now: () => performance.now(), sleep: (ms) => setTimeout(ms) }

/** Shares a provider's calls with the other processes, through the bucket in the database. */
export function createCallQueue(
  { db, log, timer = realTimer }: { readonly db: Database; readonly log: Log; readonly timer?: Timer },
  provider: string,
  callsPerMinute: number,
): CallQueue {
  const waiting = new Set<Waiting>()
  /** The bucket at the last grant, by this process's own timer. */
  let seen: { readonly bucket: Bucket; readonly now: number; readonly at: number } | null = null
  let isServing = false

  const countOf = (of: CallClass): number => [...waiting].filter((each) => each.of === of).length
  const demand = (): CallCounts =>
    Object.fromEntries(callClasses.map((of) => [of, countOf(of)])) as Record<CallClass, number>

  /** @returns the time after which the next call may have its turn */
  async function serveOnce(): Promise<number> {
    const stored = await readBucket(db, provider, capacityOf(callsPerMinute))
    const { granted, bucket } = grant(stored.bucket, callsPerMinute, demand(), stored.now)
    if (
      callClasses.some((of) => granted[of] > 0) &&
      !(await writeBucket(db, provider, bucket, stored.version))
    )
      return LEAST_PAUSE_MS
    seen = { bucket, now: stored.now, at: timer.now() }
    // A call that has begun ends before another one begins.
    const inOrder = [...waiting].sort((a, b) => Number(b.hasBegun) - Number(a.hasBegun))
    for (const of of callClasses)
      for (const each of inOrder.filter((one) => one.of === of).slice(0, granted[of])) each.go()
    const next = callClasses.find((of) => countOf(of) > 0)
    return next === undefined ? 0 : waitMs(bucket, callsPerMinute, next, stored.now)
  }

  async function serve(): Promise<void> {
    if (isServing) return
    isServing = true
    try {
      while (waiting.size > 0) {
        const pause = await serveOnce()
        if (waiting.size > 0) await timer.sleep(Math.min(Math.max(pause, LEAST_PAUSE_MS), MOST_PAUSE_MS))
      }
    } catch (error) {
      log.error({ err: error, provider }, 'the budget of a provider cannot be read; its calls wait')
      for (const each of waiting) each.refuse(RETRY_AFTER_MS)
    } finally {
      isServing = false
    }
  }

  const wait = (of: CallClass, timeoutMs: number, hasBegun: boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timeout)
        waiting.delete(call)
      }
      const call: Waiting = {
        of,
        hasBegun,
        go: () => {
          end()
          resolve()
        },
        refuse: (retryAfterMs) => {
          end()
          reject(outOfBudget(provider, retryAfterMs, !hasBegun))
        },
      }
      const timeout = startTimeout(() => call.refuse(RETRY_AFTER_MS), timeoutMs)
      waiting.add(call)
      // Calls of the same moment share one statement.
      setImmediate(() => void serve())
    })

  return {
    enter: (of) => wait(of, queueTimeoutMs[of], false),
    enterAgain: (of) => wait(of, FURTHER_REQUEST_TIMEOUT_MS, true),
    room() {
      if (seen === null) return roomAt(capacityOf(callsPerMinute), 'schedule', callsPerMinute)
      const now = seen.now + timer.now() - seen.at
      if (now < seen.bucket.pausedUntil) return 0
      const level = levelAt(seen.bucket, callsPerMinute, now)
      return Math.max(0, roomAt(level, 'schedule', callsPerMinute) - waiting.size)
    },
    async pause(forMs) {
      if (seen) {
        const pausedUntil = seen.now + timer.now() - seen.at + forMs
        seen = { ...seen, bucket: { ...seen.bucket, pausedUntil } }
      }
      await pauseCalls(db, provider, forMs)
    },
  }
}

const outOfBudget = (provider: string, retryAfterMs: number, neverSent: boolean) =>
  new ProviderError('unavailable', `the calls that ${provider} allows are used up`, {
    providerCode: OUT_OF_BUDGET,
    neverSent,
    retryAfterMs,
  })
