import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../../../platform/ctx.ts'
import { createBatcher } from '../../../platform/db/batcher.ts'
import {
  countUnproven,
  markDisabled,
  markFailing,
  markProven,
  markRecovered,
} from '../endpoints/actions/mark-endpoint.ts'
import type { CallableEndpoint } from '../endpoints/store-endpoints.ts'
import { notSent, type Sent } from './send.ts'
import { type DeliveryOutcome, type LeasedDelivery, recordOutcomes } from './store-queue.ts'

const MOST_ROWS = 200
const MAX_RUNNING = 2
/** More than a process leases at once. */
const MOST_WAITING = 10_000
const ATTEMPTS = 5
const PAUSE_MS = 200

/** Records outcomes of deliveries, many in one statement. The sender does not wait for it. */
export interface Recorder {
  /** Resolves when the outcome is recorded, or can no longer be. */
  sent(sent: Sent, endpoint: CallableEndpoint): Promise<void>
  notSent(leased: LeasedDelivery): void
  /** Resolves when every outcome is recorded, or can no longer be. */
  drained(): Promise<unknown>
}

export function createRecorder(ctx: Ctx): Recorder {
  const { db, log } = ctx
  const running = new Set<Promise<unknown>>()
  const record = createBatcher<DeliveryOutcome, void>({
    name: 'delivery-outcomes',
    maxCalls: MOST_ROWS,
    maxRunning: MAX_RUNNING,
    mostWaiting: MOST_WAITING,
    write(outcomes) {
      const written = recordOutcomes(db, outcomes)
      return outcomes.map((each) => written.catch(() => recordAlone(each)))
    },
  })

  /** Retries each row alone: a refused row fails no other, and a short outage of the database repeats no delivery. */
  async function recordAlone(outcome: DeliveryOutcome): Promise<void> {
    for (let left = ATTEMPTS; ; left -= 1) {
      await pause(PAUSE_MS)
      try {
        return await recordOutcomes(db, [outcome])
      } catch (error) {
        if (left === 1) throw error
      }
    }
  }

  /** The endpoint is updated first, because no process looks at a failed delivery again. */
  async function write({ outcome, verdict }: Sent, endpoint: CallableEndpoint): Promise<void> {
    if (!endpoint.isProven) await (verdict === 'succeeded' ? markProven : countUnproven)(ctx, endpoint)
    if (verdict === 'exhausted') await markFailing(ctx, endpoint)
    if (verdict === 'gone') await markDisabled(ctx, endpoint)
    if (verdict === 'succeeded' && endpoint.status === 'failing') await markRecovered(ctx, endpoint)
    await record(outcome)
  }

  function keep(written: Promise<void>): Promise<void> {
    const stored = written
      // The lease expires, and the delivery is sent again.
      .catch((error: unknown) => log.error({ err: error }, 'the outcome of a delivery could not be recorded'))
      .finally(() => running.delete(stored))
    running.add(stored)
    return stored
  }

  return {
    sent: (sent, endpoint) => keep(write(sent, endpoint)),
    notSent: (leased) => void keep(record(notSent(leased))),
    drained: () => Promise.all(running),
  }
}
