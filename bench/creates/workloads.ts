import type pg from 'pg'
import { type Sessions, sumOfGroups } from '../../scripts/lib/citus/sessions.ts'
import type { Gateway } from '../lib/gateway.ts'
import { type LoadResult, startGenerator } from '../lib/generator.ts'
import { insertHistory } from '../lib/many-payments.ts'
import { fewMerchants, type Options } from '../lib/options.ts'
import { type PgbenchRun, usePgbench } from '../lib/pgbench.ts'
import * as request from '../lib/request.ts'
import { call, seedMerchants, seedPgbenchMerchants } from '../lib/seed.ts'
import { startHttpOnly } from './http-only.ts'
import { createPayment, recordCreate, rowsOfBatch } from './recording.ts'

/** The loads of a benchmark of creates, each for one round, and the payments that they made. */
export type Workloads = Awaited<ReturnType<typeof prepareWorkloads>>

export async function prepareWorkloads(
  gateway: Gateway,
  sessions: Sessions,
  { seconds, merchants, payments, tpcbScale, openLoopSeconds }: Options,
  log: (line: string) => void,
) {
  const { sql } = sessions
  const keys = await seedMerchants(gateway, sessions, merchants)
  if (payments > 0) await insertHistory(gateway, sql, payments, log)
  const few = keys.slice(0, fewMerchants)
  const answer = await createPayment(gateway, keys[0] ?? '', request.newKey())
  const pgbench = usePgbench(gateway.database, gateway.directory)
  // The scripts write rows as one database does, not through the sessions of a shard group.
  const scripts =
    sessions.citus === null ? await prepareScripts(gateway, sql, keys[0] ?? '', merchants) : null
  const tpcb = await pgbench.initialise(tpcbScale, sql)
  const httpOnly = await startHttpOnly(JSON.stringify(answer))
  const generator = startGenerator()
  const rowsBefore = await countPayments(sessions)
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
    /** The SQL of creates in pgbench; null on Citus. */
    pgbench: scripts && {
      async creates(clients: number) {
        const round = await scripts.creates(clients, seconds)
        inserted += round.transactions
        return round
      },
      /** @returns rows per second */
      async batches(clients: number): Promise<number> {
        const round = await scripts.batches(clients, seconds)
        inserted += round.transactions * rowsOfBatch
        return round.perSecond * rowsOfBatch
      },
    },
    pgbenchTpcb: (clients: number) => pgbench.tpcb(clients, seconds, tpcb),
    /** @returns the answers 201 so far; throws unless each is a row */
    async countCreated(): Promise<number> {
      const rows = (await countPayments(sessions)) - rowsBefore
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

async function prepareScripts(
  gateway: Gateway,
  sql: pg.Client,
  token: string,
  merchants: number,
): Promise<Readonly<Record<'creates' | 'batches', PgbenchRun>>> {
  const { script, batchScript } = await recordCreate(gateway, sql, token, merchants)
  await seedPgbenchMerchants(sql, merchants)
  const { prepare } = usePgbench(gateway.database, gateway.directory)
  return { creates: prepare('create', script), batches: prepare('batch', batchScript) }
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

async function countPayments(sessions: Sessions): Promise<number> {
  return (await sumOfGroups<{ count: number }>(sessions, 'select count(*)::int as count from payments')).count
}
