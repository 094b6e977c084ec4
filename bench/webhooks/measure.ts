import { setTimeout as sleep } from 'node:timers/promises'
import { callOk } from '@muripo/rig/call'
import { uuidOf } from '@muripo/testing/typed-ids'
import type pg from 'pg'
import { Agent } from 'undici'
import { ofOneNode } from '../../scripts/lib/citus/sessions.ts'
import type { Run } from '../lib/gateway.ts'
import { cpuBetween, cpuUsage, shareOfOthers } from '../lib/meter.ts'
import { seedMerchants } from '../lib/seed.ts'
import { median, mediansOf } from '../lib/statistics.ts'
import { type Receiver, startReceiver } from './receiver.ts'

export interface WebhookFigures {
  /** Per second, one of each round: POSTs without a gateway, events written many at a time, and deliveries. */
  readonly posts: readonly number[]
  readonly inserts: readonly number[]
  readonly deliveries: readonly number[]
  /** Milliseconds from the commit of an event to its first delivery, at half the rate of deliveries. */
  readonly waits: readonly number[]
  /** The events a second of that half. */
  readonly halfLoad: number
  readonly cpu: { readonly gateway: number; readonly postgres: number }
  readonly others: number
}

const endpoints = 10
const connections = 64
const insertBatch = 200
/** The number of events that the writer keeps in front of the relay. */
const ahead = 3000
const sessions = 4

/** @throws when an event is not delivered: such a run has no figure */
export async function measureWebhooks({ gateway, options, log }: Run): Promise<WebhookFigures> {
  const { seconds, rounds } = options
  const sql = await gateway.connect()
  const writers = await Promise.all(Array.from({ length: sessions }, () => gateway.connect()))
  const receiver = await startReceiver()
  try {
    log(`${endpoints} endpoints of as many merchants`)
    for (const key of await seedMerchants(gateway, ofOneNode(sql), endpoints))
      await callOk('POST', `${gateway.url}/api/v1/webhooks`, {
        bearer: key,
        body: { url: receiver.url, events: ['payment.completed'] },
      })
    const post = () => postsPerSecond(receiver, seconds)
    const insert = () => insertsPerSecond(sql, seconds)
    const deliver = () => deliveriesPerSecond(sql, receiver, seconds)

    log('warming up')
    await deliver()
    const posts: number[] = []
    const inserts: number[] = []
    const deliveries: number[] = []
    const waits: number[] = []
    const cpu: { gateway: number; postgres: number }[] = []
    const first = cpuUsage(gateway)
    for (let round = 1; round <= rounds; round += 1) {
      log(`round ${round} of ${rounds}`)
      posts.push(await post())
      inserts.push(await insert())
      const before = cpuUsage(gateway)
      const { rate, count } = await deliver()
      const used = cpuBetween(before, cpuUsage(gateway))
      deliveries.push(rate)
      cpu.push({ gateway: used.gateway / count, postgres: used.postgres / count })
      await untilDelivered(sql)
      waits.push(...(await waitsAt(Math.max(1, rate / 2), writers, receiver, seconds)))
      await untilDelivered(sql)
    }
    const others = shareOfOthers(cpuBetween(first, cpuUsage(gateway)))
    return {
      posts,
      inserts,
      deliveries,
      waits,
      halfLoad: median(deliveries) / 2,
      cpu: mediansOf(cpu),
      others,
    }
  } finally {
    await receiver.stop()
    await Promise.all([sql, ...writers].map((client) => client.end()))
  }
}

const event = JSON.stringify({
  id: 'pay_01kagvt1s2fxrb2tkyqj6kz0zn',
  object: 'payment',
  status: 'completed',
  status_reason: null,
  amount: 12.5,
  amount_refunded: 0,
  currency: 'USD',
  description: 'Order 1001',
  reference: 'A-1001',
  method: 'ecocash',
  customer: { email: 'customer@example.com', name: 'A Customer', phone: '+263771234567' },
  payment_url: 'https://pay.example.com/pay/AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGhIjKl',
  success_url: 'https://shop.example.com/thanks',
  cancel_url: null,
  metadata: {},
  created_at: '2026-11-20T09:30:00.000Z',
  expires_at: '2026-11-21T09:30:00.000Z',
})

/** Events of all endpoints in turn, as the commits of payments write them. */
const insertEvents = `with created as (insert into events (account_id, id, application_id, type, subject_id, sequence, data, created_at)
  select w.account_id, gen.id, w.application_id, 'payment.completed', gen.id, 1, $1::jsonb, now()
  from (select uuidv7() as id, (n + $3::int) % ${endpoints} as nth from generate_series(1, $2::int) as n) as gen
  join (select account_id, application_id, row_number() over (order by id) - 1 as nth from webhook_endpoints) as w using (nth)
  returning account_id, id)
  insert into events_to_relay (account_id, event_id) select account_id, id from created returning event_id as id`

let turn = 0
const write = (sql: pg.Client, count: number) => {
  turn += 1
  return sql.query<{ id: string }>({ name: 'events', text: insertEvents, values: [event, count, turn] })
}

/** The same requests from a loop without rows and signatures. */
async function postsPerSecond(receiver: Receiver, seconds: number): Promise<number> {
  const agent = new Agent({ pipelining: 1, connections })
  const { origin, pathname } = new URL(receiver.url)
  const body = `{"id":"evt_01kagvt1s2fxrb2tkyqj6kz0zn","type":"payment.completed","created_at":"2026-11-20T09:30:00.000Z","sequence":1,"data":${event}}`
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'bench',
    'webhook-id': 'evt_01kagvt1s2fxrb2tkyqj6kz0zn',
    'webhook-timestamp': '1763631000',
    'webhook-signature': `v1,${'A'.repeat(44)}`,
  }
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  let count = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < endsAt) {
        const response = await agent.request({ origin, path: pathname, method: 'POST', headers, body })
        await response.body.dump()
        count += 1
      }
    }),
  )
  const rate = (count * 1000) / (performance.now() - startedAt)
  await agent.close()
  return rate
}

/** The same events, written to a separate table of the same form. */
async function insertsPerSecond(sql: pg.Client, seconds: number): Promise<number> {
  await sql.query('create temporary table like_events (like events including all)')
  const text = insertEvents.replace('into events', 'into like_events')
  const startedAt = performance.now()
  let count = 0
  while (performance.now() < startedAt + seconds * 1000) {
    await sql.query(text, [event, insertBatch, 0])
    count += insertBatch
  }
  const rate = (count * 1000) / (performance.now() - startedAt)
  await sql.query('drop table like_events')
  return rate
}

/** The writer stays ahead of the relay, so that the relay always has events to deliver. */
async function deliveriesPerSecond(
  sql: pg.Client,
  receiver: Receiver,
  seconds: number,
): Promise<{ rate: number; count: number }> {
  const before = await receiver.count()
  let written = 0
  const startedAt = performance.now()
  while (performance.now() < startedAt + seconds * 1000) {
    const done = (await receiver.count()) - before
    if (written - done < ahead) {
      await write(sql, 500)
      written += 500
    } else await sleep(20)
  }
  const count = (await receiver.count()) - before
  const rate = (count * 1000) / (performance.now() - startedAt)
  await untilDelivered(sql)
  const all = (await receiver.count()) - before
  if (all !== written) throw new Error(`of ${written} events ${all} were delivered`)
  await receiver.arrivals()
  return { rate, count: all }
}

/** Each event has a commit of its own, evenly distributed in time. */
async function waitsAt(
  rate: number,
  writers: readonly pg.Client[],
  receiver: Receiver,
  seconds: number,
): Promise<number[]> {
  const committed = new Map<string, number>()
  const everyMs = (1000 * writers.length) / rate
  const startedAt = performance.now()
  await Promise.all(
    writers.map(async (sql, nth) => {
      for (
        let due = startedAt + (nth * everyMs) / writers.length;
        due < startedAt + seconds * 1000;
        due += everyMs
      ) {
        const early = due - performance.now()
        if (early > 1) await sleep(early)
        const { rows } = await write(sql, 1)
        committed.set(rows[0]?.id ?? '', performance.timeOrigin + performance.now())
      }
    }),
  )
  await untilDelivered(writers[0] as pg.Client)
  const arrivals = await receiver.arrivals()
  const waits = [...arrivals].flatMap(([id, at]) => {
    const since = committed.get(uuidOf(id))
    return since === undefined ? [] : [Math.max(0, at - since)]
  })
  if (waits.length !== committed.size) throw new Error(`of ${committed.size} events ${waits.length} came`)
  return waits
}

/** Waits until nothing is left to deliver. */
async function untilDelivered(sql: pg.Client): Promise<void> {
  for (let left = 1; left > 0; await sleep(50)) {
    const { rows } = await sql.query<{ left: string }>(
      `select (select count(*) from events_to_relay) + (select count(*) from webhook_deliveries where next_attempt_at is not null) as left`,
    )
    left = Number(rows[0]?.left)
  }
}
