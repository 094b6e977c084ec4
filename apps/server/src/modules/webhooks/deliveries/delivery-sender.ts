import { setTimeout as pause } from 'node:timers/promises'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { createBatcher } from '../../../platform/db/batcher.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import {
  countUnproven,
  markDisabled,
  markFailing,
  markProven,
  markRecovered,
} from '../endpoints/actions/mark-endpoint.ts'
import type { CallableEndpoint } from '../endpoints/store-endpoints.ts'
import { createDeliveryCounts } from '../metrics.ts'
import { createEndpointCache, type EndpointCache } from './endpoint-cache.ts'
import type { Result } from './endpoint-queues.ts'
import { notSent, type Sent, sendDelivery } from './send.ts'
import { type DeliveryOutcome, LEASE_MS, type LeasedDelivery, recordOutcomes } from './store-queue.ts'

/** A delivery whose lease ends sooner than this is not sent any more. */
const SEND_BEFORE_MS = 20_000
/** An endpoint that answers within this time can take more concurrent requests. */
const FAST_MS = 2000

const MOST_ROWS = 200
const MAX_RUNNING = 2
/** More than a process leases at once. */
const MOST_WAITING = 10_000
/** More outcomes in memory keep the places of their requests, so that a slow database slows deliveries down. */
const MOST_WRITING = 1000
const ATTEMPTS = 5
const PAUSE_MS = 200

/** Sends leased deliveries and records their outcomes. */
export class DeliverySender {
  readonly counts = createDeliveryCounts()
  private readonly ctx: Ctx
  private readonly outbound: Outbound
  private readonly endpoints: EndpointCache
  private readonly writeOutcome: (outcome: DeliveryOutcome) => Promise<void>
  private readonly writing = new Set<Promise<void>>()
  private readonly interrupted: LeasedDelivery[] = []
  private isStopping = false

  constructor(ctx: Ctx, outbound: Outbound) {
    this.ctx = ctx
    this.outbound = outbound
    this.endpoints = createEndpointCache(ctx)
    this.writeOutcome = createOutcomeWriter(ctx.db)
  }

  /** The endpoint of a delivery; null when it accepts none. */
  async endpointOf({ accountId, endpointId }: LeasedDelivery): Promise<CallableEndpoint | null> {
    const endpoint = await this.endpoints.find(accountId, endpointId)
    return endpoint === null || endpoint.deletedAt !== null || endpoint.status === 'disabled'
      ? null
      : endpoint
  }

  async send(leased: LeasedDelivery): Promise<Result> {
    const { clock, log } = this.ctx
    // A delivery that waited for too long may be leased by another process by now.
    if (clock.now() > plusMs(leased.takenAt, LEASE_MS - SEND_BEFORE_MS)) return 'failed'
    try {
      const endpoint = await this.endpointOf(leased)
      if (endpoint === null) {
        this.recordNotSent(leased)
        return 'slow'
      }
      const sent = await sendDelivery(this.ctx, this.outbound, leased, endpoint)
      return await this.record(leased, endpoint, sent)
    } catch (error) {
      // The lease expires, and the delivery is sent again.
      log.error({ err: error, eventId: leased.event.id }, 'a delivery could not be sent')
      return 'failed'
    }
  }

  /** Records that the endpoint accepts no deliveries. */
  recordNotSent(leased: LeasedDelivery): void {
    void this.track(this.writeOutcome(notSent(leased)))
  }

  private async record(leased: LeasedDelivery, endpoint: CallableEndpoint, sent: Sent): Promise<Result> {
    const { attempt } = sent.outcome
    if (this.isStopping && attempt?.responseStatus === null) {
      // This process's own stop may have interrupted the request, which is no failure of the endpoint.
      this.interrupted.push(leased)
      return 'failed'
    }
    this.counts.note(endpoint, sent.verdict)
    const written = this.track(this.write(sent, endpoint))
    if (!endpoint.isProven) {
      // The next delivery waits, because this answer may have proven or disabled the endpoint.
      await written
      this.endpoints.expire(endpoint.id)
    } else if (this.writing.size > MOST_WRITING) await written
    if (sent.verdict !== 'succeeded') return 'failed'
    return (attempt?.durationMs ?? 0) < FAST_MS ? 'fast' : 'slow'
  }

  /** Updates the endpoint before the delivery, because no process looks at a failed delivery again. */
  private async write({ outcome, verdict }: Sent, endpoint: CallableEndpoint): Promise<void> {
    const { ctx } = this
    if (!endpoint.isProven) await (verdict === 'succeeded' ? markProven : countUnproven)(ctx, endpoint)
    if (verdict === 'exhausted') await markFailing(ctx, endpoint)
    if (verdict === 'gone') await markDisabled(ctx, endpoint)
    if (verdict === 'succeeded' && endpoint.status === 'failing') await markRecovered(ctx, endpoint)
    await this.writeOutcome(outcome)
  }

  /** Resolves when the outcome is recorded, or can no longer be. */
  private track(written: Promise<void>): Promise<void> {
    const tracked = written
      // The lease expires, and the delivery is sent again.
      .catch((error: unknown) =>
        this.ctx.log.error({ err: error }, 'the outcome of a delivery could not be recorded'),
      )
      .finally(() => this.writing.delete(tracked))
    this.writing.add(tracked)
    return tracked
  }

  /** From now on, a request without an answer counts as interrupted. */
  stop(): void {
    this.isStopping = true
  }

  /** The interrupted deliveries, when every other outcome is recorded or can no longer be. */
  async drained(): Promise<readonly LeasedDelivery[]> {
    await Promise.all(this.writing)
    return this.interrupted
  }
}

/** Writes outcomes, many in one statement. */
function createOutcomeWriter(db: Database): (outcome: DeliveryOutcome) => Promise<void> {
  return createBatcher<DeliveryOutcome, void>({
    name: 'delivery-outcomes',
    maxCalls: MOST_ROWS,
    maxRunning: MAX_RUNNING,
    mostWaiting: MOST_WAITING,
    write(outcomes) {
      const written = recordOutcomes(db, outcomes)
      return outcomes.map((each) => written.catch(() => retryAlone(db, each)))
    },
  })
}

/** Retries each row alone: a refused row fails no other, and a short outage of the database repeats no delivery. */
async function retryAlone(db: Database, outcome: DeliveryOutcome): Promise<void> {
  for (let left = ATTEMPTS; ; left -= 1) {
    await pause(PAUSE_MS)
    try {
      return await recordOutcomes(db, [outcome])
    } catch (error) {
      if (left === 1) throw error
    }
  }
}
