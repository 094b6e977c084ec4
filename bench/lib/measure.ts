import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Gateway } from './gateway.ts'
import { startHttpOnly } from './http-only.ts'
import { type LoadResult, startGenerator } from './load.ts'
import { databaseCounters, machineCpu, postgresCpu, processCpu, residentMb } from './meter.ts'
import { fewMerchants, type Options } from './options.ts'
import { fdatasyncsPerSecond, usePgbench } from './pgbench.ts'
import { recordCreate, rowsOfBatch } from './recording.ts'
import * as request from './request.ts'
import { call, seedMerchants, seedPgbenchMerchants } from './seed.ts'
import { median } from './statistics.ts'

export interface Costs {
  readonly node: number
  readonly postgres: number
  readonly generator: number
  /** Processor time of other processes, as a share of the machine. */
  readonly others: number
}

export interface PerRequest {
  readonly commits: number
  readonly walSyncs: number
  readonly walBytes: number
}

export interface Latency {
  readonly share: number
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

export interface Figures {
  readonly settings: string
  /** Per second, one of each round. */
  readonly a: readonly number[]
  /** Few merchants in turn, and one amount. */
  readonly fewMerchants: readonly number[]
  readonly oneMerchant: readonly number[]
  readonly p1: readonly number[]
  /** Rows per second of the same SQL with many rows in a transaction. */
  readonly pb: readonly number[]
  readonly p0: readonly number[]
  readonly h: readonly number[]
  /** Reads of one payment, and the same without a database. */
  readonly reads: readonly number[]
  readonly hReads: readonly number[]
  /** Where each was best. */
  readonly clients: Readonly<Record<'a' | 'p1' | 'pb' | 'p0' | 'h' | 'r' | 'hr', number>>
  /** Processor seconds for one request, medians. */
  readonly costs: Costs
  readonly p1Postgres: number
  readonly latencies: readonly Latency[]
  /** Undefined in a quick run. */
  readonly perRequest: PerRequest | undefined
  readonly memory: { readonly before: number; readonly after: number }
  readonly fdatasyncs: number | undefined
  /** Answers 201 in the whole run, each of which was found as a row. */
  readonly created: number
}

const tpcb = 'bench_tpcb'
const shares = [0.5, 0.7, 0.9]
/** An idle session reports its counters within ten seconds. */
const statisticsDelayMs = 11_000

export async function measure(
  gateway: Gateway,
  options: Options,
  log: (line: string) => void,
): Promise<Figures> {
  const { seconds, rounds, merchants } = options
  const sql = await gateway.connect()
  const generator = startGenerator()
  log(`${merchants} merchants, and as many for pgbench; pgbench -i at scale ${options.tpcbScale}`)
  const keys = await seedMerchants(gateway, sql, merchants)
  const few = keys.slice(0, fewMerchants)
  const { script, batchScript, answer } = await recordCreate(gateway, sql, keys[0] ?? '', merchants)
  await seedPgbenchMerchants(sql, merchants)
  const pgbench = usePgbench(gateway.database, gateway.directory)
  const [runCreates, runBatches] = [pgbench.prepare('create', script), pgbench.prepare('batch', batchScript)]
  await sql.query(`create database ${tpcb}`)
  await pgbench.initialise(options.tpcbScale, tpcb)
  const httpOnly = await startHttpOnly(answer)
  const memoryBefore = residentMb(gateway.pid)
  const rowsBefore = await countPayments(sql)
  let created = 0
  let inserted = 0

  async function creates(connections: number, from?: readonly string[]): Promise<LoadResult> {
    const load = { port: gateway.port, keys: from ?? keys, isVaried: from === undefined }
    const result = await generator.run({ ...load, connections, seconds })
    created += result.answered
    return result
  }
  const http = (connections: number) => generator.run({ port: httpOnly.port, keys, connections, seconds })
  const readable = await onePaymentEach(gateway.url, few)
  const read = (port: number, connections: number) =>
    generator.run({ port, keys: few, payments: readable, connections, seconds })
  created += readable.length
  async function p1(clients: number): Promise<{ perSecond: number; transactions: number }> {
    const round = await runCreates(clients, seconds)
    inserted += round.transactions
    return round
  }
  async function rowsInBatches(clients: number): Promise<number> {
    const round = await runBatches(clients, seconds)
    inserted += round.transactions * rowsOfBatch
    return round.perSecond * rowsOfBatch
  }

  async function measurePerRequest(connections: number): Promise<PerRequest> {
    log('commits and flushes; waiting for the statistics of idle sessions')
    await sleep(statisticsDelayMs)
    const before = await databaseCounters(sql)
    const { answered } = await creates(connections)
    await sleep(statisticsDelayMs)
    const after = await databaseCounters(sql)
    return {
      commits: (after.commits - before.commits) / answered,
      walSyncs: (after.walSyncs - before.walSyncs) / answered,
      walBytes: (after.walBytes - before.walBytes) / answered,
    }
  }

  try {
    log('warming up, and looking for the number of clients at which each is best')
    await creates(32)
    await creates(64)
    await http(64)
    await read(gateway.port, 64)
    await read(httpOnly.port, 64)
    const clients = {
      a: await best(options.httpConnections, async (count) => (await creates(count)).perSecond),
      h: await best(options.httpConnections, async (count) => (await http(count)).perSecond),
      r: await best(options.httpConnections, async (count) => (await read(gateway.port, count)).perSecond),
      hr: await best(options.httpConnections, async (count) => (await read(httpOnly.port, count)).perSecond),
      p1: await best(options.pgClients, async (count) => (await p1(count)).perSecond),
      pb: await best(options.batchClients, rowsInBatches),
      p0: await best(options.pgClients, (count) => pgbench.tpcb(count, seconds, tpcb)),
    }

    const a: number[] = []
    const ofFew: number[] = []
    const oneMerchant: number[] = []
    const p1s: number[] = []
    const pb: number[] = []
    const p0s: number[] = []
    const h: number[] = []
    const [reads, hReads]: [number[], number[]] = [[], []]
    const costs: Costs[] = []
    const p1Postgres: number[] = []
    for (let round = 1; round <= rounds; round++) {
      log(`round ${round} of ${rounds}`)
      const [result, cost] = await withCosts(gateway, () => creates(clients.a))
      a.push(result.perSecond)
      costs.push(cost)
      const [transacted, { postgres }] = await withCosts(gateway, () => p1(clients.p1))
      p1s.push(transacted.perSecond)
      p1Postgres.push(postgres)
      ofFew.push((await creates(clients.a, few)).perSecond)
      oneMerchant.push((await creates(clients.a, keys.slice(0, 1))).perSecond)
      pb.push(await rowsInBatches(clients.pb))
      p0s.push(await pgbench.tpcb(clients.p0, seconds, tpcb))
      h.push((await http(clients.h)).perSecond)
      reads.push((await read(gateway.port, clients.r)).perSecond)
      hReads.push((await read(httpOnly.port, clients.hr)).perSecond)
    }

    log('open loop, at 50, 70 and 90 % of A')
    // A checkpoint writes the pages that pgbench changed, so that they do not slow the gateway down.
    await sql.query('checkpoint')
    const latencies: Latency[] = []
    for (const share of shares) {
      const rate = Math.max(1, Math.round(median(a) * share))
      const { p50, p99, answered } = await generator.run({
        port: gateway.port,
        keys,
        isVaried: true,
        connections: 256,
        seconds: Math.max(seconds, options.openLoopSeconds),
        rate,
      })
      created += answered
      latencies.push({ share, rate, p50, p99 })
    }

    const perRequest = options.perRequest ? await measurePerRequest(clients.a) : undefined

    const rows = (await countPayments(sql)) - rowsBefore
    if (rows !== created + inserted)
      throw new Error(`${created} answers and ${inserted} rows of pgbench made ${rows} payments`)
    return {
      settings: await settingsOf(sql),
      a,
      fewMerchants: ofFew,
      oneMerchant,
      p1: p1s,
      pb,
      p0: p0s,
      h,
      reads,
      hReads,
      clients,
      costs: {
        node: median(costs.map(({ node }) => node)),
        postgres: median(costs.map(({ postgres }) => postgres)),
        generator: median(costs.map(({ generator: cost }) => cost)),
        others: median(costs.map(({ others }) => others)),
      },
      p1Postgres: median(p1Postgres),
      latencies,
      perRequest,
      memory: { before: memoryBefore, after: residentMb(gateway.pid) },
      fdatasyncs: options.fsyncTest ? await fdatasyncsPerSecond(gateway.directory) : undefined,
      created,
    }
  } finally {
    httpOnly.stop()
    generator.stop()
    await sql.end()
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

async function best(
  counts: readonly number[],
  perSecond: (count: number) => Promise<number>,
): Promise<number> {
  let [most, found] = [0, counts[0] ?? 1]
  for (const count of counts) {
    const figure = await perSecond(count)
    if (figure > most) [most, found] = [figure, count]
  }
  return found
}

/** Processor seconds for one request, or one transaction of pgbench. */
async function withCosts<Result extends LoadResult | { transactions: number }>(
  gateway: Gateway,
  work: () => Promise<Result>,
): Promise<[Result, Costs]> {
  const ours = () =>
    [processCpu(gateway.pid), postgresCpu(gateway.postmasterPid), processCpu(process.pid)] as const
  const [node, postgres, self] = ours()
  const machine = machineCpu()
  const result = await work()
  // Sessions of pgbench that have just ended are counted when the postmaster has noticed.
  await sleep(100)
  const generator = 'answered' in result ? result.cpuSeconds : 0
  const [nodeAfter, postgresAfter, selfAfter] = ours()
  const used = machineCpu()
  const others =
    used.busy - machine.busy - generator - (nodeAfter - node + postgresAfter - postgres + selfAfter - self)
  const requests = 'answered' in result ? result.answered : result.transactions
  return [
    result,
    {
      node: (nodeAfter - node) / requests,
      postgres: (postgresAfter - postgres) / requests,
      generator: generator / requests,
      others: Math.max(0, others) / (used.all - machine.all),
    },
  ]
}

async function countPayments(sql: pg.Client): Promise<number> {
  const { rows } = await sql.query<{ count: number }>('select count(*)::int as count from payments')
  return rows[0]?.count ?? 0
}

async function settingsOf(sql: pg.Client): Promise<string> {
  const names = ['server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers']
  const { rows } = await sql.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as name',
    [names],
  )
  return rows
    .map(({ name, value }) => (name === 'server_version' ? `PostgreSQL ${value}` : `${name} ${value}`))
    .join(' · ')
}
