import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Sessions } from '../../scripts/lib/citus/sessions.ts'
import { describeConditions } from '../lib/conditions.ts'
import type { Gateway, Run } from '../lib/gateway.ts'
import type { LoadResult } from '../lib/generator.ts'
import { cpuBetween, cpuUsage, databaseCounters, residentMb, shareOfOthers } from '../lib/meter.ts'
import type { Options } from '../lib/options.ts'
import { fdatasyncsPerSecond } from '../lib/pgbench.ts'
import { bestCount, median, mediansOf } from '../lib/statistics.ts'
import { Workloads } from './workloads.ts'

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
  /** Of bare requests at the same rate: the share of the machine in the figure above. */
  readonly bareP99: number
}

/** The figures of a round, each a rate per second. */
const perSecond = [
  'creates',
  'createsOfFew',
  'createsOfOne',
  'pgbenchCreates',
  'pgbenchRows',
  'tpcb',
  'httpOnly',
  'reads',
  'httpOnlyReads',
] as const
type Rate = (typeof perSecond)[number]

/** The number of clients with which each is best. */
type Clients = Readonly<Record<Exclude<Rate, 'createsOfFew' | 'createsOfOne'>, number>>

/** One rate of each round. Those of pgbench's creates and rows are empty on Citus. */
export interface Figures extends Readonly<Record<Rate, readonly number[]>> {
  readonly settings: string
  readonly conditions: string
  readonly clients: Clients
  /** Processor seconds for one request, medians; NaN where they are not measured. */
  readonly costs: Costs
  /** Processor seconds of PostgreSQL for one create of pgbench. */
  readonly pgbenchPostgres: number
  /** Processor seconds of one bare request. */
  readonly bareRequest: number
  readonly latencies: readonly Latency[]
  /** Undefined in a quick run. */
  readonly perRequest: PerRequest | undefined
  readonly memory: { readonly before: number; readonly after: number }
  readonly fdatasyncs: number | undefined
  /** Responses 201 in the whole run, each of which was found as a row. */
  readonly created: number
}

const shares = [0.5, 0.7, 0.9]
/** An idle session reports its counters within ten seconds. */
const statisticsDelayMs = 11_000

export async function measureCreates({ gateway, options, log }: Run): Promise<Figures> {
  const sessions = await gateway.connectToNodes()
  const { sql } = sessions
  const { merchants, tpcbScale } = options
  const ofPgbench = sessions.citus === null ? ', and as many for pgbench' : ''
  log(`${merchants} merchants${ofPgbench}; pgbench -i at scale ${tpcbScale}`)
  const workloads = await Workloads.prepare(gateway, sessions, options, log)
  const memoryBefore = residentMb(...gateway.pids)
  try {
    const conditions = await describeConditions(sessions, options)
    log('warming up, and looking for the number of clients at which each is best')
    const clients = await bestClients(workloads, options)
    const rounds: Round[] = []
    for (let round = 1; round <= options.rounds; round++) {
      log(`round ${round} of ${options.rounds}`)
      rounds.push(await measureRound(gateway, workloads, clients))
    }
    const rates = summarised(rounds)
    log('open loop, at 50, 70 and 90 % of A, the rate of creates')
    // A checkpoint writes the pages that pgbench changed, so that they do not slow the gateway down.
    for (const node of sessions.nodes) await node.query('checkpoint')
    const latencies = await measureLatencies(workloads, median(rates.creates))
    if (options.perRequest) log('commits and flushes; waiting for the statistics of idle sessions')
    const perRequest = options.perRequest
      ? await measurePerRequest(sessions, () => workloads.creates(clients.creates))
      : undefined
    return {
      settings: await settingsOf(sql),
      conditions,
      ...rates,
      clients,
      latencies,
      perRequest,
      created: await workloads.countCreated(),
      memory: { before: memoryBefore, after: residentMb(...gateway.pids) },
      fdatasyncs: options.fsyncTest ? await fdatasyncsPerSecond(gateway.directory) : undefined,
    }
  } finally {
    workloads.stop()
    await sessions.end()
  }
}

async function bestClients(
  workloads: Workloads,
  { httpConnections, pgClients, batchClients }: Options,
): Promise<Clients> {
  await workloads.creates(32)
  await workloads.creates(64)
  await workloads.httpOnly(64)
  await workloads.reads(64)
  await workloads.httpOnlyReads(64)
  const best = (counts: readonly number[], load: (count: number) => Promise<{ perSecond: number }>) =>
    bestCount(counts, async (count) => (await load(count)).perSecond)
  const { pgbench } = workloads
  return {
    creates: await best(httpConnections, (count) => workloads.creates(count)),
    httpOnly: await best(httpConnections, (count) => workloads.httpOnly(count)),
    reads: await best(httpConnections, (count) => workloads.reads(count)),
    httpOnlyReads: await best(httpConnections, (count) => workloads.httpOnlyReads(count)),
    pgbenchCreates: pgbench ? await best(pgClients, pgbench.creates) : 0,
    pgbenchRows: pgbench ? await bestCount(batchClients, pgbench.rows) : 0,
    tpcb: await bestCount(pgClients, (count) => workloads.tpcb(count)),
  }
}

/** The rates of one round, and the costs of its creates. On Citus pgbench runs no creates. */
type Round = Readonly<Record<Rate, number | undefined>> & {
  readonly costs: Costs
  readonly pgbenchPostgres: number | undefined
  readonly bareRequest: number
}

async function measureRound(gateway: Gateway, workloads: Workloads, clients: Clients): Promise<Round> {
  const [creates, costs] = await withCosts(gateway, () => workloads.creates(clients.creates))
  const { pgbench } = workloads
  const bare = await workloads.httpOnly(clients.httpOnly)
  const inserts = pgbench && (await withCosts(gateway, () => pgbench.creates(clients.pgbenchCreates)))
  return {
    creates: creates.perSecond,
    costs,
    pgbenchCreates: inserts?.[0].perSecond,
    pgbenchPostgres: inserts?.[1].postgres,
    createsOfFew: (await workloads.createsOfFew(clients.creates)).perSecond,
    createsOfOne: (await workloads.createsOfOne(clients.creates)).perSecond,
    pgbenchRows: await pgbench?.rows(clients.pgbenchRows),
    tpcb: await workloads.tpcb(clients.tpcb),
    httpOnly: bare.perSecond,
    bareRequest: bare.cpu,
    reads: (await workloads.reads(clients.reads)).perSecond,
    httpOnlyReads: (await workloads.httpOnlyReads(clients.httpOnlyReads)).perSecond,
  }
}

/** Every rate of each round, and the medians of the costs. */
function summarised(rounds: readonly Round[]) {
  const rates = perSecond.map((name) => [name, rounds.flatMap((round) => round[name] ?? [])] as const)
  return {
    ...(Object.fromEntries(rates) as Record<Rate, number[]>),
    costs: mediansOf(rounds.map(({ costs }) => costs)),
    pgbenchPostgres: median(rounds.flatMap(({ pgbenchPostgres }) => pgbenchPostgres ?? [])),
    bareRequest: median(rounds.map(({ bareRequest }) => bareRequest)),
  }
}

async function measureLatencies(workloads: Workloads, creates: number): Promise<Latency[]> {
  const latencies: Latency[] = []
  for (const share of shares) {
    const rate = Math.max(1, Math.round(creates * share))
    const { p50, p99 } = await workloads.createsAtRate(rate)
    const bare = await workloads.httpOnlyAtRate(rate)
    latencies.push({ share, rate, p50, p99, bareP99: bare.p99 })
  }
  return latencies
}

async function measurePerRequest({ nodes }: Sessions, load: () => Promise<LoadResult>): Promise<PerRequest> {
  await sleep(statisticsDelayMs)
  const before = await databaseCounters(nodes)
  const { answered } = await load()
  await sleep(statisticsDelayMs)
  const after = await databaseCounters(nodes)
  return {
    commits: (after.commits - before.commits) / answered,
    walSyncs: (after.walSyncs - before.walSyncs) / answered,
    walBytes: (after.walBytes - before.walBytes) / answered,
  }
}

/** Processor seconds for one request, or one transaction of pgbench. */
async function withCosts<Result extends LoadResult | { transactions: number }>(
  gateway: Gateway,
  work: () => Promise<Result>,
): Promise<[Result, Costs]> {
  const before = cpuUsage(gateway)
  const result = await work()
  // The postmaster counts sessions of pgbench that have just ended after it has noticed their end.
  await sleep(100)
  const used = cpuBetween(before, cpuUsage(gateway))
  const [generator, requests] =
    'answered' in result ? [result.cpuSeconds, result.answered] : [0, result.transactions]
  return [
    result,
    {
      node: used.gateway / requests,
      postgres: used.postgres / requests,
      generator: generator / requests,
      others: shareOfOthers(used, generator),
    },
  ]
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
