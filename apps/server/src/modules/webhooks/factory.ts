import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type EventId, PaymentId } from '@muripo/contract/ids'
import { type EventType, eventTypes } from '@muripo/contract/webhook-enums'
import { systemActor } from '../../platform/audit/actor.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { createDatabase, indexPlansOnly } from '../../platform/db/database.ts'
import { simulateTime } from '../../platform/db/simulated-time.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { anyTargets } from '../../platform/outbound/targets.ts'
import { type Relay, startRelay } from './deliveries/relay.ts'
import { createEndpoint } from './endpoints/actions/create-endpoint.ts'
import { type Endpoint, proveEndpoint } from './endpoints/store-endpoints.ts'
import { type EventOwner, recordEvent } from './events/store-events.ts'

/** A request that a test endpoint received. */
export interface Received {
  readonly id: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Each event once, in the order of its first arrival. */
  ids(): string[]
  answer: (reply: ServerResponse, received: Received) => void
  close(): Promise<void>
}

/** A merchant's server on a socket. */
export async function makeReceiver(
  answer: Receiver['answer'] = (reply) => reply.writeHead(204).end(),
): Promise<Receiver> {
  const server = createServer(async (request, reply) => {
    let body = ''
    try {
      for await (const chunk of request) body += chunk
    } catch {
      // The request is incomplete.
      return
    }
    const got = { id: String(request.headers['webhook-id']), headers: request.headers, body }
    receiver.received.push(got)
    receiver.answer(reply, got)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received: [],
    ids: () => [...new Set(receiver.received.map(({ id }) => id))],
    answer,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

/** An endpoint that has answered before; `makeNewEndpoint` makes one that has not. */
export async function makeEndpoint(
  ctx: Ctx,
  owner: EventOwner,
  url: string,
  events: readonly EventType[] = eventTypes,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const made = await makeNewEndpoint(ctx, owner, url, events)
  await proveEndpoint(ctx.db.kysely, made.endpoint, ctx.clock.now())
  return made
}

export const makeNewEndpoint = (
  ctx: Ctx,
  owner: EventOwner,
  url: string,
  events: readonly EventType[] = eventTypes,
): Promise<{ endpoint: Endpoint; secret: string }> =>
  createEndpoint(
    { ...ctx, targets: anyTargets() },
    systemActor('test'),
    { accountId: owner.accountId, applicationId: owner.applicationId },
    { url, events: [...events] },
  )

export const makeEvent = (
  ctx: Ctx,
  { accountId, applicationId }: EventOwner,
  type: EventType = 'payment.completed',
  data: object = { object: 'payment', amount: 12.5, description: 'Röyksopp "1001" \\ €' },
): Promise<EventId> =>
  ctx.db.tx((tx) =>
    recordEvent(ctx, tx, accountId, {
      type,
      applicationId,
      subject: ctx.ids.next(PaymentId),
      sequence: 1,
      data,
    }),
  )

/** Creates events, twenty at a time: more concurrent transactions would wait for a database session. */
export async function makeEvents(ctx: Ctx, owner: EventOwner, count: number): Promise<EventId[]> {
  const events: EventId[] = []
  while (events.length < count) {
    const batch = Array.from({ length: Math.min(20, count - events.length) }, () => makeEvent(ctx, owner))
    events.push(...(await Promise.all(batch)))
  }
  return events
}

export interface MadeRelay extends Relay {
  /** Stops like a killed process: no lease is released, and no row is written. */
  kill(): Promise<void>
}

/** A relay with sessions of its own, as each process has one. */
export function makeRelay(
  ctx: Ctx & { readonly databaseUrl: string },
  { timeoutMs = 15_000, targets = anyTargets() } = {},
): MadeRelay {
  const db = simulateTime(
    createDatabase(ctx.databaseUrl, { maxConnections: 4, planSettings: indexPlansOnly }),
    ctx.clock,
  )
  const relay = startRelay({ ...ctx, db }, createOutbound(targets, { timeoutMs }))
  return {
    counts: relay.counts,
    async stop() {
      await relay.stop()
      await db.close()
    },
    async kill() {
      await db.close()
      await relay.stop()
    },
  }
}
