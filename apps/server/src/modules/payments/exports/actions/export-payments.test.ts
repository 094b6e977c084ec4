import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Problem } from '@muripo/contract/errors'
import { ROW_COUNT_HEADER } from '@muripo/contract/payment-exports'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, makeApp, makeCaller } from '../../../../../test/app.ts'
import { insertManyPayments } from '../../../../../test/many-payments.ts'
import { skipOnCitus } from '../../../../../test/on-citus.ts'
import { makeWorld, type World } from '../../../../../test/world.ts'
import { mount } from '../../../../platform/http/route.ts'
import { createHttp } from '../../../../platform/http/server.ts'
import { sessionAuth } from '../../../identity/index.ts'
import { makePaid, makePayment } from '../../factory.ts'
import { dashboardPaymentRoutes } from '../../routes.ts'
import { Exports } from '../running-exports.ts'

const MANY = 50_000

let world: World
let app: FastifyInstance
let url: string
let crowded: Caller
/** The number of queries: one for each page of a file. */
let queries = 0
const leaving: AbortController[] = []

beforeAll(async () => {
  world = await makeWorld()
  crowded = await makeCaller(world.ctx)
  const client = await world.ctx.db.pool.connect()
  await insertManyPayments(client, crowded, MANY)
  client.release(true)
  world.ctx.reads.pool.on('acquire', () => {
    queries += 1
  })
})
afterAll(() => world.ctx.close())

beforeEach(async () => {
  world.errors.length = 0
  app = await makeApp(world.ctx)
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  for (const controller of leaving.splice(0)) controller.abort()
  await app.close()
})

interface Download {
  readonly response: Response
  readonly reader: ReadableStreamDefaultReader<Uint8Array>
  leave(): void
}

async function begin(caller: Caller, query = '', at = url): Promise<Download> {
  const controller = new AbortController()
  leaving.push(controller)
  const response = await fetch(`${at}/v1/payments/export${query}`, {
    headers: caller.withSession,
    signal: controller.signal,
  })
  if (!response.body) throw new Error('an answer has a body')
  return { response, reader: response.body.getReader(), leave: () => controller.abort() }
}

async function rest({ reader }: Download): Promise<{ text: string; pieces: number }> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  let pieces = 0
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return { text, pieces }
    pieces += 1
    text += decoder.decode(value, { stream: true })
  }
}

/** Waits until there are no queries, as happens once a client stops reading. */
async function quiet(): Promise<void> {
  for (let before = -1; before !== queries; await sleep(100)) before = queries
}

const idsIn = (text: string): string[] => text.match(/pay_[0-9a-z]{26}/g) ?? []

describe('[PAY-04] an export', () => {
  test('contains the filtered payments, newest first, and their number', async () => {
    const caller = await makeCaller(world.ctx)
    const lid = await makePayment(world.ctx, caller.owner, { description: 'Lid', amount: 3 })
    const paid = await makePaid(world.ctx, caller.owner, world.provider, { description: 'Basket' })
    const all = await begin(caller)
    expect(all.response.status).toBe(200)
    expect(all.response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(all.response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="muripo-payments-[a-z0-9-]+-all\.csv"$/,
    )
    expect(all.response.headers.get(ROW_COUNT_HEADER)).toBe('2')
    const { text } = await rest(all)
    expect(text.startsWith('\ufeff"Date","UTC offset","Payment ID",')).toBe(true)
    expect(idsIn(text)).toEqual([paid.id, lid.id])

    const some = await begin(caller, '?status=Completed')
    expect(some.response.headers.get(ROW_COUNT_HEADER)).toBe('1')
    expect(idsIn((await rest(some)).text)).toEqual([paid.id])
    const none = await begin(caller, '?status=failed')
    expect(none.response.headers.get(ROW_COUNT_HEADER)).toBe('0')
    expect((await rest(none)).text.split('\r\n')).toHaveLength(2)
  })

  test('with more rows than are counted omits the number', async () => {
    const download = await begin(crowded, '?minAmount=0.02')
    expect(download.response.headers.get(ROW_COUNT_HEADER)).toBeNull()
    expect(idsIn((await rest(download)).text).length).toBeGreaterThanOrEqual(MANY - 1)
  })

  test('accepts no page, and no unknown filter', async () => {
    for (const query of [
      '?limit=5',
      `?cursor=${(await makePayment(world.ctx, crowded.owner)).id}`,
      '?form=x',
    ]) {
      const { response } = await begin(crowded, query)
      expect(response.status).toBe(422)
    }
  })

  test('of many payments is sent in pieces, each payment once, also while others are created', async () => {
    const download = await begin(crowded)
    expect(Number(download.response.headers.get(ROW_COUNT_HEADER))).toBeGreaterThanOrEqual(MANY)
    const first = await download.reader.read()
    const late = await makePayment(world.ctx, crowded.owner)
    const { text, pieces } = await rest(download)
    const ids = idsIn(new TextDecoder().decode(first.value) + text)
    expect(ids.length).toBe(Number(download.response.headers.get(ROW_COUNT_HEADER)))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect(ids).not.toContain(late.id)
    expect(pieces).toBeGreaterThan(20)
  })

  test('reads no further than its reader, buffers no more than a few pages, and continues with it', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    collect()
    const before = process.memoryUsage()
    const queriesBefore = queries
    const download = await begin(crowded)
    await quiet()
    expect(queries - queriesBefore).toBeLessThan(60)
    collect()
    const after = process.memoryUsage()
    const heldBytes = after.heapUsed + after.external - before.heapUsed - before.external
    // The file has more than 10 MB.
    expect(heldBytes).toBeLessThan(6_000_000)
    const queriesThen = queries
    for (let bytes = 0; bytes < 8_000_000; ) bytes += (await download.reader.read()).value?.length ?? Infinity
    expect(queries).toBeGreaterThan(queriesThen)
  })

  test('ends on the server when its reader leaves', async () => {
    const download = await begin(crowded)
    await download.reader.read()
    download.leave()
    await expect
      .poll(() => new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count))))
      .toBe(0)
    const queriesThen = queries
    await sleep(300)
    expect(queries).toBe(queriesThen)
    expect(world.errors).toEqual([])
  })

  test('runs twice at once for one merchant; a third is refused until one has ended', async () => {
    const [one, two] = [await begin(crowded), await begin(crowded)]
    expect([one.response.status, two.response.status]).toEqual([200, 200])
    const third = await begin(crowded)
    expect(third.response.status).toBe(429)
    expect(third.response.headers.get('retry-after')).toBe('10')
    const problem = Problem.parse(JSON.parse((await rest(third)).text))
    expect(problem.code).toBe('export_busy')
    expect(problem.message).toBe('Two exports are already running. Please wait for one to end, or cancel it')
    expect((await begin(await makeCaller(world.ctx))).response.status).toBe(200)
    one.leave()
    await expect.poll(async () => (await begin(crowded)).response.status).toBe(200)
  })

  test('releases its permit when it is abandoned before it begins', async () => {
    for (let times = 0; times < 6; times += 1) {
      const controller = new AbortController()
      const exporting = fetch(`${url}/v1/payments/export`, {
        headers: crowded.withSession,
        signal: controller.signal,
      })
      await sleep(times)
      controller.abort()
      await exporting.catch(() => undefined)
    }
    await expect.poll(async () => (await begin(crowded)).response.status).toBe(200)
  })

  test(
    'is aborted by an error in the middle, so that no reader takes it for complete',
    skipOnCitus('without the view of its group a statement finds the table of all nodes'),
    async () => {
      const download = await begin(crowded)
      await download.reader.read()
      await quiet()
      await world.ctx.db.pool.query('alter table payments rename to payments_away')
      try {
        await expect(rest(download)).rejects.toThrow()
      } finally {
        await world.ctx.db.pool.query('alter table payments_away rename to payments')
      }
      expect(world.errors).toEqual(['an export broke off'])
    },
  )

  test(
    'releases its permit after an immediate error, which is answered like any other',
    skipOnCitus('without the view of its group a statement finds the table of all nodes'),
    async () => {
      await world.ctx.db.pool.query('alter table payments rename to payments_away')
      try {
        for (let times = 0; times < 3; times += 1) {
          expect((await begin(crowded)).response.status).toBe(500)
        }
      } finally {
        await world.ctx.db.pool.query('alter table payments_away rename to payments')
      }
      expect((await begin(crowded)).response.status).toBe(200)
    },
  )

  test('ends when its reader stops reading', async () => {
    const ctx = { ...world.ctx, exports: new Exports() }
    const impatient = createHttp(ctx.config, ctx.log)
    mount(impatient, '/v1', sessionAuth(ctx), dashboardPaymentRoutes(ctx, { exportIdleMs: 200 }))
    const at = await impatient.listen({ host: '127.0.0.1', port: 0 })
    const givenUp = once(impatient.server, 'connection').then(([socket]) => once(socket as Socket, 'close'))
    const download = begin(crowded, '', at)
    // On a slow machine the connection may end before the client has read the beginning.
    download.catch(() => undefined)
    await givenUp
    await expect(download.then(rest)).rejects.toThrow()
    await impatient.close()
  })

  test('does not delay a stop', async () => {
    const ctx = { ...world.ctx, exports: new Exports() }
    const stopping = await makeApp(ctx)
    const at = await stopping.listen({ host: '127.0.0.1', port: 0 })
    const download = await begin(crowded, '', at)
    ctx.exports.close()
    expect((await begin(crowded, '', at)).response.status).toBe(503)
    await expect(rest(download)).rejects.toThrow()
    await stopping.close()
  })
})
