import type { Ctx } from '../../../platform/ctx.ts'
import { createBatcher } from '../../../platform/db/batcher.ts'
import {
  countUnproven,
  markDisabled,
  markFailing,
  markProven,
  markRecovered,
} from '../actions/mark-endpoint.ts'
import type { Receiver } from '../store-endpoints.ts'
import { type Leased, type Settled, settle } from '../store-queue.ts'
import { notSent, type Sent } from './send.ts'

const MOST_ROWS = 200
const MAX_RUNNING = 2
/** More than a process has leased at once. */
const MOST_WAITING = 10_000
const ATTEMPTS = 5
const PAUSE_MS = 200

/** Writes down what came of deliveries, many in one statement; whoever sends does not wait for it. */
export interface Recorder {
  /** Resolves once it is written down, or given up. */
  sent(sent: Sent, receiver: Receiver): Promise<void>
  notSent(leased: Leased): void
  /** Once all is written, or given up. */
  drained(): Promise<unknown>
}

export function createRecorder(ctx: Ctx): Recorder {
  const { db, log } = ctx
  const running = new Set<Promise<unknown>>()
  const record = createBatcher<Settled, void>({
    maxCalls: MOST_ROWS,
    maxRunning: MAX_RUNNING,
    mostWaiting: MOST_WAITING,
    write(settled) {
      const written = settle(db, settled)
      return settled.map((each) => written.catch(() => recordAlone(each)))
    },
  })

  /** A row that the database refuses spoils no other, and what was sent is not sent again because the database is away for a moment. */
  async function recordAlone(settled: Settled): Promise<void> {
    for (let left = ATTEMPTS; ; left -= 1) {
      await pause(PAUSE_MS)
      try {
        return await settle(db, [settled])
      } catch (error) {
        if (left === 1) throw error
      }
    }
  }

  /** What it means for the endpoint comes first: a delivery that is given up is not looked at again. */
  async function write({ settled, verdict }: Sent, receiver: Receiver): Promise<void> {
    if (!receiver.isProven) await (verdict === 'good' ? markProven : countUnproven)(ctx, receiver)
    if (verdict === 'given_up') await markFailing(ctx, receiver)
    if (verdict === 'gone') await markDisabled(ctx, receiver)
    if (verdict === 'good' && receiver.status === 'failing') await markRecovered(ctx, receiver)
    await record(settled)
  }

  function keep(written: Promise<void>): Promise<void> {
    const kept = written
      // Its lease runs out, and it goes again.
      .catch((error: unknown) =>
        log.error({ err: error }, 'a delivery was sent and could not be written down'),
      )
      .finally(() => running.delete(kept))
    running.add(kept)
    return kept
  }

  return {
    sent: (sent, receiver) => keep(write(sent, receiver)),
    notSent: (leased) => void keep(record(notSent(leased))),
    drained: () => Promise.all(running),
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
