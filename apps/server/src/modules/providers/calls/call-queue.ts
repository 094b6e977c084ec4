import { setTimeout as sleep } from 'node:timers/promises'
import { createTurns, type Turns } from '../../../platform/async/turns.ts'
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
  filled,
  grant,
  roomIn,
  waitMs,
} from './bucket.ts'
import { TURN_WAIT_MS } from './deadlines.ts'
import { createExhaustion } from './exhaustion.ts'
import { pauseCalls, readBucket, writeBucket } from './store-budgets.ts'

const LEAST_PAUSE_MS = 20
const MOST_PAUSE_MS = 1000
/** A call that the budget has not served is made again after this time. */
const RETRY_AFTER_MS = 3000
/** A reading of the bucket is out of date after this time: other processes and the database's clock change it. */
const READING_MS = 5000

/** A call that waits for the budget. */
export interface Caller {
  readonly of: CallClass
  /** The subjects of its turns, from the widest: the merchant, the payer's network or the kind of the call, and the call. */
  readonly subjects: readonly [string, string, string]
  /** The time that it waits at most. */
  readonly mostMs?: number
}

interface Waiting {
  readonly go: () => void
  readonly refuse: () => void
}

/** The calls of a process that wait for the budget of one provider. */
export interface CallQueue {
  /** Resolves when the call may be made. @throws ProviderError, with the time after which the call may be repeated */
  enter(caller: Caller): Promise<void>
  /** The same for a further request of a call that has sent one. */
  enterAgain(caller: Caller, mostMs: number): Promise<void>
  /** The scheduled look-ups that may be started now. */
  room(): number
  /** The provider has asked for a pause. */
  pause(forMs: number): Promise<void>
  /** The time for which calls of this process have waited since its start. */
  waitedMs(): number
}

/** The time between two readings of the bucket. A test lets it run with the clock of its database. */
export interface Timer {
  now(): number
  sleep(ms: number): Promise<unknown>
  /** Starts the time-out of a waiting call, and returns a function that ends it. */
  limit?(ms: number, refuse: () => void): () => void
}

const realTimer: Timer = { now: () => performance.now(), sleep }

function startTimeout(ms: number, refuse: () => void): () => void {
  const timeout = setTimeout(refuse, ms)
  return () => clearTimeout(timeout)
}

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

type ByClass = Readonly<Record<CallClass, Turns<Waiting>>>

const turnsByClass = (): ByClass => ({
  charge: createTurns(),
  confirmation: createTurns(),
  schedule: createTurns(),
  watch: createTurns(),
})

class SharedQueue implements CallQueue {
  private readonly db: Database
  private readonly log: Log
  private readonly timer: Timer
  private readonly provider: string
  private readonly callsPerMinute: number
  private readonly waiting = new Set<Waiting>()
  private readonly first = turnsByClass()
  /** Calls that have begun end before others begin. */
  private readonly further = turnsByClass()
  private readonly exhaustion = createExhaustion()
  /** The bucket at the last reading, by this process's own timer. */
  private seen: { readonly bucket: Bucket; readonly now: number; readonly at: number } | null = null
  private isServing = false

  constructor({ db, log, timer = realTimer }: Dependencies, provider: string, callsPerMinute: number) {
    this.db = db
    this.log = log
    this.timer = timer
    this.provider = provider
    this.callsPerMinute = callsPerMinute
  }

  enter(caller: Caller): Promise<void> {
    return this.wait(this.first, caller, caller.mostMs ?? TURN_WAIT_MS, true)
  }

  enterAgain(caller: Caller, mostMs: number): Promise<void> {
    return this.wait(this.further, caller, Math.min(mostMs, TURN_WAIT_MS), false)
  }

  room(): number {
    const { seen, callsPerMinute } = this
    const roomOf = (bucket: Bucket | ReturnType<typeof capacityOf>) =>
      roomIn(bucket, 'schedule', callsPerMinute)
    if (seen === null) return roomOf(capacityOf(callsPerMinute))
    const now = seen.now + this.timer.now() - seen.at
    if (this.timer.now() - seen.at > READING_MS) this.startServing()
    if (now < seen.bucket.pausedUntil) return 0
    const { charge, ...others } = this.demand()
    const waiting = Object.values(others).reduce((sum, each) => sum + each, 0)
    return Math.max(0, roomOf(filled(seen.bucket, callsPerMinute, now)) - waiting)
  }

  async pause(forMs: number): Promise<void> {
    const { seen } = this
    if (seen) {
      const pausedUntil = seen.now + this.timer.now() - seen.at + forMs
      this.seen = { ...seen, bucket: { ...seen.bucket, pausedUntil } }
    }
    await pauseCalls(this.db, this.provider, forMs)
  }

  waitedMs(): number {
    return this.exhaustion.waitedMs
  }

  private wait(
    turns: ByClass,
    { of, subjects }: Caller,
    timeoutMs: number,
    neverSent: boolean,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        endTimeout()
        this.waiting.delete(call)
        remove()
      }
      const call: Waiting = {
        go: () => {
          end()
          resolve()
        },
        refuse: () => {
          end()
          reject(outOfBudget(this.provider, neverSent))
        },
      }
      const endTimeout = (this.timer.limit ?? startTimeout)(timeoutMs, call.refuse)
      const remove = turns[of].add(subjects, call)
      this.waiting.add(call)
      this.startServing()
    })
  }

  /** Calls of the same moment share one statement. */
  private startServing(): void {
    setImmediate(() => void this.serve())
  }

  private async serve(): Promise<void> {
    if (this.isServing) return
    this.isServing = true
    try {
      do {
        const pause = await this.serveOnce()
        if (this.waiting.size > 0)
          await this.timer.sleep(Math.min(Math.max(pause, LEAST_PAUSE_MS), MOST_PAUSE_MS))
      } while (this.waiting.size > 0)
    } catch (error) {
      const { log, provider } = this
      log.error({ err: error, provider }, 'the budget of a provider cannot be read; its calls wait')
      for (const each of this.waiting) each.refuse()
    } finally {
      this.isServing = false
    }
  }

  /** @returns the time after which the next call may have its turn */
  private async serveOnce(): Promise<number> {
    const { db, provider, callsPerMinute } = this
    const stored = await readBucket(db, provider, callsPerMinute)
    const { granted, bucket } = grant(stored.bucket, callsPerMinute, this.demand(), stored.now)
    if (
      callClasses.some((of) => granted[of] > 0) &&
      !(await writeBucket(db, provider, bucket, stored.version))
    )
      return LEAST_PAUSE_MS
    this.seen = { bucket, now: stored.now, at: this.timer.now() }
    for (const of of callClasses)
      for (let nth = 0; nth < granted[of]; nth += 1) (this.further[of].take() ?? this.first[of].take())?.go()
    this.reportWait()
    const demand = this.demand()
    const waits = callClasses
      .filter((of) => demand[of] > 0)
      .map((of) => waitMs(bucket, callsPerMinute, of, stored.now))
    return waits.length === 0 ? 0 : Math.min(...waits)
  }

  private reportWait(): void {
    const { log, provider } = this
    const forMs = this.exhaustion.note(this.waiting.size > 0, this.timer.now())
    if (forMs === null) return
    const waiting = this.demand()
    log.warn(
      { provider, seconds: Math.round(forMs / 1000), waiting },
      'the budget of a provider is used up: calls have waited for it without a break',
    )
  }

  /** The waiting calls of each class. */
  private demand(): CallCounts {
    const countOf = (of: CallClass) => this.first[of].size + this.further[of].size
    return Object.fromEntries(callClasses.map((of) => [of, countOf(of)])) as Record<CallClass, number>
  }
}

const outOfBudget = (provider: string, neverSent: boolean) =>
  new ProviderError('unavailable', `the calls that ${provider} allows are used up`, {
    providerCode: OUT_OF_BUDGET,
    neverSent,
    retryAfterMs: RETRY_AFTER_MS,
  })
