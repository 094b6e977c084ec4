import type pg from 'pg'
import type { Gateway } from './gateway.ts'
import { startHttpOnly } from './http-only.ts'
import { type LoadResult, startGenerator } from './load.ts'
import { insertHistory } from './many-payments.ts'
import { fewMerchants, type Options } from './options.ts'
import { usePgbench } from './pgbench.ts'
import { recordCreate, rowsOfBatch } from './recording.ts'
import * as request from './request.ts'
import { call, seedMerchants, seedPgbenchMerchants } from './seed.ts'

const tpcb = 'bench_tpcb'

/** The loads of a benchmark of creates, each for one round, and the payments that they made. */
export type Workloads = Awaited<ReturnType<typeof prepareWorkloads>>

export async function prepareWorkloads(
  gateway: Gateway,
  sql: pg.Client,
  { seconds, merchants, payments, tpcbScale, openLoopSeconds }: Options,
  log: (line: string) => void,
) {
  const keys = await seedMerchants(gateway, sql, merchants)
  if (payments > 0) await insertHistory(gateway, sql, payments, log)
  const few = keys.slice(0, fewMerchants)
  const { script, batchScript, answer } = await recordCreate(gateway, sql, keys[0] ?? '', merchants)
  await seedPgbenchMerchants(sql, merchants)
  const pgbench = usePgbench(gateway.database, gateway.directory)
  const [runCreates, runBatches] = [pgbench.prepare('create', script), pgbench.prepare('batch', batchScript)]
  await sql.query(`create database ${tpcb}`)
  await pgbench.initialise(tpcbScale, tpcb)
  const httpOnly = await startHttpOnly(answer)
  const generator = startGenerator()
  const rowsBefore = await countPayments(sql)
  const readable = await onePaymentEach(gateway.url, few)
  let created = readable.length
  let inserted = 0

  async function counted(load: Promise<LoadResult>): Promise<LoadResult> {
    const result = await load
    created += result.answered
    return result
  }
  const creates = (connections: number, from?: readonly string[]) =>
    counted(
      generator.run({
        ports: gateway.ports,
        keys: from ?? keys,
        isVaried: from === undefined,
        connections,
        seconds,
      }),
    )
  const reads = (ports: readonly number[], connections: number) =>
    generator.run({ ports, keys: few, payments: readable, connections, seconds })

  return {
    creates: (connections: number) => creates(connections),
    /** Few merchants in turn, and one amount. */
    createsOfFew: (connections: number) => creates(connections, few),
    createsOfOne: (connections: number) => creates(connections, keys.slice(0, 1)),
    /** Creates at a fixed rate, whether or not they are answered. */
    createsAtRate: (rate: number) =>
      counted(
        generator.run({
          ports: gateway.ports,
          keys,
          isVaried: true,
          connections: 256,
          seconds: Math.max(seconds, openLoopSeconds),
          rate,
        }),
      ),
    http: (connections: number) => generator.run({ ports: [httpOnly.port], keys, connections, seconds }),
    reads: (connections: number) => reads(gateway.ports, connections),
    readsWithoutDatabase: (connections: number) => reads([httpOnly.port], connections),
    async pgbenchCreates(clients: number) {
      const round = await runCreates(clients, seconds)
      inserted += round.transactions
      return round
    },
    /** @returns rows per second */
    async pgbenchBatches(clients: number): Promise<number> {
      const round = await runBatches(clients, seconds)
      inserted += round.transactions * rowsOfBatch
      return round.perSecond * rowsOfBatch
    },
    pgbenchTpcb: (clients: number) => pgbench.tpcb(clients, seconds, tpcb),
    /** @returns the answers 201 so far; throws unless each is a row */
    async countCreated(): Promise<number> {
      const rows = (await countPayments(sql)) - rowsBefore
      if (rows !== created + inserted)
        throw new Error(`${created} answers and ${inserted} rows of pgbench made ${rows} payments`)
      return created
    },
    stop() {
      httpOnly.stop()
      generator.stop()
    },
  }
}

/** A payment of each key's, by its id. */
function onePaymentEach(url: string, keys: readonly string[]): Promise<string[]> {
  return Promise.all(
    keys.map(async (token) => {
      const { id } = await call<{ id: string }>(url, request.path, {
        token,
        body: JSON.parse(request.body) as object,
      })
      return id
    }),
  )
}

async function countPayments(sql: pg.Client): Promise<number> {
  const { rows } = await sql.query<{ count: number }>('select count(*)::int as count from payments')
  return rows[0]?.count ?? 0
}
