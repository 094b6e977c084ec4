import type { WebhookId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { createBatcher } from '../../../platform/db/batcher.ts'
import { startSweeper } from '../../../platform/jobs/sweeper.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { markDisabled, markFailing, markRecovered } from '../actions/mark-endpoint.ts'
import {
  dueEndpoints,
  giveBack,
  type Leased,
  relayEvents,
  type Settled,
  settle,
  takeDue,
} from '../store-queue.ts'
import { Lanes } from './lanes.ts'
import { createReceivers } from './receivers.ts'
import { LEASE_MS } from './schedule.ts'
import { notSent, type Sent, send } from './send.ts'

/** With less left of a lease than this nothing is sent any more. */
const SEND_BEFORE_MS = 20_000
/** An event waits at most so long until a relay that has nothing to do sees it. */
const EVENT_PAUSE_MS = 40
const MOST_EVENTS = 200
/** How late a try may be that was put off, or that another process left behind. */
const DUE_PAUSE_MS = 500
const STOP_MS = 3000
const SETTLE_TRIES = 5
const SETTLE_PAUSE_MS = 200

export interface Relay {
  /** Takes nothing more, waits a little for answers, and gives the rest back. */
  stop(): Promise<void>
}

/**
 * Turns new events into deliveries and sends them. What is to be done stands in rows, so that several processes share the work, and
 * whatever one leaves behind when it dies is sent by another once its lease is over: at least once, under the same id.
 * @param ctx with a database of its own, so that what is sent waits for nobody's calls
 */
export function startRelay(ctx: Ctx, outbound: Outbound, onRound: () => void = () => undefined): Relay {
  const { db, clock, log } = ctx
  const receiverOf = createReceivers(ctx)
  const record = createBatcher<Settled, void>({
    mostCalls: 200,
    mostFlights: 2,
    write(settled) {
      const written = settle(db, settled)
      return settled.map((each) => written.catch(() => settleAlone(each)))
    },
  })
  /** A row that the database refuses spoils no other, and what the database forgets for a moment is not sent again for it. */
  async function settleAlone(settled: Settled): Promise<void> {
    for (let left = SETTLE_TRIES; ; left -= 1) {
      await pause(SETTLE_PAUSE_MS)
      try {
        return await settle(db, [settled])
      } catch (error) {
        if (left === 1) throw error
      }
    }
  }
  const records = new Set<Promise<unknown>>()
  const interrupted: Leased[] = []
  let stopping = false

  const lanes = new Lanes<Leased>(async (leased) => {
    // One that waited for too long may be with another process by now.
    if (clock.now().getTime() > leased.lease.getTime() - SEND_BEFORE_MS) return 'bad'
    try {
      const receiver = await receiverOf(leased.merchantId, leased.endpointId)
      if (receiver === null || receiver.deleted || receiver.status === 'disabled') {
        keep(record(notSent(leased)))
        return 'good'
      }
      const sent = await send(ctx, outbound, leased, receiver)
      if (stopping && sent.settled.tried?.responseStatus === null) {
        // It may be our own stop that cut it off, which is no fault of the receiver.
        interrupted.push(leased)
        return 'bad'
      }
      keep(write(sent, receiver))
      return sent.verdict === 'good' ? 'good' : 'bad'
    } catch (error) {
      // Its lease runs out, and it goes again.
      log.error({ err: error, eventId: leased.event.id }, 'a delivery could not be sent')
      return 'bad'
    } finally {
      if (lanes.isHungry(leased.endpointId)) refill()
    }
  })

  function keep(written: Promise<unknown>): void {
    const kept = written
      .catch((error: unknown) =>
        log.error({ err: error }, 'a delivery was sent and could not be written down'),
      )
      .finally(() => records.delete(kept))
    records.add(kept)
  }

  /** What it means for the endpoint comes first: a delivery that is given up is not looked at again. */
  async function write(
    { settled, verdict }: Sent,
    receiver: Parameters<typeof markFailing>[1],
  ): Promise<void> {
    if (verdict === 'given_up') await markFailing(ctx, receiver)
    if (verdict === 'gone') await markDisabled(ctx, receiver)
    if (verdict === 'good' && receiver.status === 'failing') await markRecovered(ctx, receiver)
    await record(settled)
  }

  function push(leased: readonly Leased[]): void {
    for (const each of leased) lanes.push(each.endpointId, each)
    lanes.pump()
  }

  const leaseFrom = (now: Date): Date => plusMs(now, LEASE_MS)

  async function relayNew(): Promise<void> {
    for (let more = true; more && !stopping; ) {
      const now = clock.now()
      const relayed = await relayEvents(db, MOST_EVENTS, lanes.busy(), now, leaseFrom(now))
      markMore(relayed.waiting)
      push(relayed.leased)
      more = relayed.events === MOST_EVENTS
    }
  }

  function markMore(endpoints: Iterable<WebhookId>): void {
    for (const endpointId of endpoints) lanes.lane(endpointId).hasMore = true
    refill()
  }

  let refilling: Promise<void> | null = null
  function refill(): void {
    if (refilling || stopping || lanes.room().size === 0) return
    refilling = takeMore()
      .catch((error: unknown) => log.error({ err: error }, 'deliveries could not be taken'))
      .finally(() => {
        refilling = null
      })
  }

  async function takeMore(): Promise<void> {
    for (let room = lanes.room(); room.size > 0 && !stopping; room = lanes.room()) {
      const now = clock.now()
      const taken = await takeDue(db, room, now, leaseFrom(now))
      const counts = Map.groupBy(taken, ({ endpointId }) => endpointId)
      for (const [endpointId, most] of room) {
        lanes.lane(endpointId).hasMore = (counts.get(endpointId)?.length ?? 0) >= most
      }
      push(taken)
    }
  }

  const sweepers = [
    startSweeper('relay-events', EVENT_PAUSE_MS, relayNew, log, onRound),
    startSweeper(
      'due-deliveries',
      DUE_PAUSE_MS,
      async () => markMore(await dueEndpoints(db, clock.now())),
      log,
    ),
  ]

  return {
    async stop() {
      await Promise.all(sweepers.map((sweeper) => sweeper.stop()))
      stopping = true
      await refilling
      const unsent = lanes.close()
      const deadline = performance.now() + STOP_MS
      while (lanes.inFlight > 0 && performance.now() < deadline) await pause(20)
      await outbound.close()
      while (lanes.inFlight > 0) await pause(5)
      await Promise.all(records)
      await giveBack(db, [...unsent, ...interrupted], clock.now())
    },
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
