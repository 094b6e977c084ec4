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

/** The time that a call waits in this process for its turn. The look-up of a callback waits longest, because its retry is the latest. */
const queueTimeoutMs: CallCounts = {
  charge: 5000,
  refund: 5000,
  callback: 45_000,
  schedule: 5000,
  watch: 5000,
}
const LEAST_PAUSE_MS = 20
const MOST_PAUSE_MS = 1000
/** The same for a further request of a call: shorter, because the time of the whole call is limited. */
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

interface Dependencies {
  readonly db: Database
  readonly log: Log
  readonly timer?: Timer
}

/** Shares a provider's calls with the other processes, through the bucket in the database. */
export const createCallQueue = (
  dependencies: Dependencies,
  provider: string,
  callsPerMinute: number,
): CallQueue => new SharedQueue(dependencies, provider, callsPerMinute)

class SharedQueue implements CallQueue {
  private readonly db: Database
  private readonly log: Log
  private readonly timer: Timer
  private readonly provider: string
  private readonly callsPerMinute: number
  private readonly waiting = new Set<Waiting>()
  /** The bucket at the last grant, by this process's own timer. */
  private seen: { readonly bucket: Bucket; readonly now: number; readonly at: number } | null = null
  private isServing = false

  constructor({ db, log, timer = realTimer }: Dependencies, provider: string, callsPerMinute: number) {
    this.db = db
    this.log = log
    this.timer = timer
    this.provider = provider
    this.callsPerMinute = callsPerMinute
  }

  enter(of: CallClass): Promise<void> {
    return this.wait(of, queueTimeoutMs[of], false)
  }

  enterAgain(of: CallClass): Promise<void> {
    return this.wait(of, FURTHER_REQUEST_TIMEOUT_MS, true)
  }

  room(): number {
    const { seen, callsPerMinute } = this
    if (seen === null) return roomAt(capacityOf(callsPerMinute), 'schedule', callsPerMinute)
    const now = seen.now + this.timer.now() - seen.at
    if (now < seen.bucket.pausedUntil) return 0
    const level = levelAt(seen.bucket, callsPerMinute, now)
    return Math.max(0, roomAt(level, 'schedule', callsPerMinute) - this.waiting.size)
  }

  async pause(forMs: number): Promise<void> {
    const { seen } = this
    if (seen) {
      const pausedUntil = seen.now + this.timer.now() - seen.at + forMs
      this.seen = { ...seen, bucket: { ...seen.bucket, pausedUntil } }
    }
    await pauseCalls(this.db, this.provider, forMs)
  }

  private wait(of: CallClass, timeoutMs: number, hasBegun: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timeout)
        this.waiting.delete(call)
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
          reject(outOfBudget(this.provider, retryAfterMs, !hasBegun))
        },
      }
      const timeout = startTimeout(() => call.refuse(RETRY_AFTER_MS), timeoutMs)
      this.waiting.add(call)
      // Calls of the same moment share one statement.
      setImmediate(() => void this.serve())
    })
  }

  private async serve(): Promise<void> {
    if (this.isServing) return
    this.isServing = true
    try {
      while (this.waiting.size > 0) {
        const pause = await this.serveOnce()
        if (this.waiting.size > 0)
          await this.timer.sleep(Math.min(Math.max(pause, LEAST_PAUSE_MS), MOST_PAUSE_MS))
      }
    } catch (error) {
      const { log, provider } = this
      log.error({ err: error, provider }, 'the budget of a provider cannot be read; its calls wait')
      for (const each of this.waiting) each.refuse(RETRY_AFTER_MS)
    } finally {
      this.isServing = false
    }
  }

  /** @returns the time after which the next call may have its turn */
  private async serveOnce(): Promise<number> {
    const { db, provider, callsPerMinute, waiting } = this
    const stored = await readBucket(db, provider, capacityOf(callsPerMinute))
    const { granted, bucket } = grant(stored.bucket, callsPerMinute, this.demand(), stored.now)
    if (
      callClasses.some((of) => granted[of] > 0) &&
      !(await writeBucket(db, provider, bucket, stored.version))
    )
      return LEAST_PAUSE_MS
    this.seen = { bucket, now: stored.now, at: this.timer.now() }
    // A call that has begun ends before another one begins.
    const inOrder = [...waiting].sort((a, b) => Number(b.hasBegun) - Number(a.hasBegun))
    for (const of of callClasses)
      for (const each of inOrder.filter((one) => one.of === of).slice(0, granted[of])) each.go()
    const demand = this.demand()
    const next = callClasses.find((of) => demand[of] > 0)
    return next === undefined ? 0 : waitMs(bucket, callsPerMinute, next, stored.now)
  }

  /** The waiting calls of each class. */
  private demand(): CallCounts {
    const countOf = (of: CallClass) => [...this.waiting].filter((each) => each.of === of).length
    return Object.fromEntries(callClasses.map((of) => [of, countOf(of)])) as Record<CallClass, number>
  }
}

const outOfBudget = (provider: string, retryAfterMs: number, neverSent: boolean) =>
  new ProviderError('unavailable', `the calls that ${provider} allows are used up`, {
    providerCode: OUT_OF_BUDGET,
    neverSent,
    retryAfterMs,
  })
