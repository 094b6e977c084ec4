import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { CallableEndpoint } from '../endpoints/store-endpoints.ts'
import { createDeliveryCounts } from './delivery-counts.ts'
import { createEndpointCache, type EndpointCache } from './endpoint-cache.ts'
import type { Result } from './endpoint-queues.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { LEASE_MS } from './schedule.ts'
import { type Sent, sendDelivery } from './send.ts'
import type { LeasedDelivery } from './store-queue.ts'

/** A delivery whose lease ends sooner than this is not sent any more. */
const SEND_BEFORE_MS = 20_000
/** An endpoint that answers within this time can take more concurrent requests. */
const FAST_MS = 2000

/** Sends leased deliveries, and has their outcomes recorded. */
export class DeliverySender {
  readonly counts = createDeliveryCounts()
  private readonly ctx: Ctx
  private readonly outbound: Outbound
  private readonly endpoints: EndpointCache
  private readonly recorder: Recorder
  private readonly interrupted: LeasedDelivery[] = []
  private isStopping = false

  constructor(ctx: Ctx, outbound: Outbound) {
    this.ctx = ctx
    this.outbound = outbound
    this.endpoints = createEndpointCache(ctx)
    this.recorder = createRecorder(ctx)
  }

  /** The endpoint of a delivery; null when it accepts none. */
  async endpointOf({ accountId, endpointId }: LeasedDelivery): Promise<CallableEndpoint | null> {
    const endpoint = await this.endpoints.find(accountId, endpointId)
    return endpoint === null || endpoint.deletedAt !== null || endpoint.status === 'disabled'
      ? null
      : endpoint
  }

  recordNotSent(leased: LeasedDelivery): void {
    this.recorder.notSent(leased)
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
      return await this.record(
        leased,
        endpoint,
        await sendDelivery(this.ctx, this.outbound, leased, endpoint),
      )
    } catch (error) {
      // The lease expires, and the delivery is sent again.
      log.error({ err: error, eventId: leased.event.id }, 'a delivery could not be sent')
      return 'failed'
    }
  }

  private async record(leased: LeasedDelivery, endpoint: CallableEndpoint, sent: Sent): Promise<Result> {
    const { attempt } = sent.outcome
    if (this.isStopping && attempt?.responseStatus === null) {
      // This process's own stop may have interrupted the request, which is no failure of the endpoint.
      this.interrupted.push(leased)
      return 'failed'
    }
    this.counts.note(endpoint, sent.verdict)
    const written = this.recorder.sent(sent, endpoint)
    if (!endpoint.isProven) {
      // The next delivery waits, because this answer may have proven or disabled the endpoint.
      await written
      this.endpoints.expire(endpoint.id)
    }
    if (sent.verdict !== 'succeeded') return 'failed'
    return (attempt?.durationMs ?? 0) < FAST_MS ? 'fast' : 'slow'
  }

  /** From now on, a request without an answer counts as interrupted. */
  stop(): void {
    this.isStopping = true
  }

  /** The interrupted deliveries, when every other outcome is recorded or can no longer be. */
  async drained(): Promise<readonly LeasedDelivery[]> {
    await this.recorder.drained()
    return this.interrupted
  }
}
