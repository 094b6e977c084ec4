import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Sessions } from '../../scripts/lib/citus/sessions.ts'
import { bestCount } from '../lib/best-count.ts'
import { describeConditions } from '../lib/conditions.ts'
import type { Gateway } from '../lib/gateway.ts'
import type { LoadResult } from '../lib/generator.ts'
import { databaseCounters, machineCpu, postgresCpu, processCpu, residentMb } from '../lib/meter.ts'
import type { Options } from '../lib/options.ts'
import { fdatasyncsPerSecond } from '../lib/pgbench.ts'
import { median } from '../lib/statistics.ts'
import { prepareWorkloads, type Workloads } from './workloads.ts'

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
  readonly conditions: string
  /** Per second, one of each round. */
  readonly a: readonly number[]
  /** Few merchants in turn, and one amount. */
  readonly fewMerchants: readonly number[]
  readonly oneMerchant: readonly number[]
  readonly p1: readonly number[]
  /** Rows per second of the same SQL with many rows in a transaction. Both are empty on Citus. */
  readonly pb: readonly number[]
  readonly p0: readonly number[]
  readonly h: readonly number[]
  /** Reads of one payment, and the same without a database. */
  readonly reads: readonly number[]
  readonly hReads: readonly number[]
  /** Where each was best. */
  readonly clients: Readonly<Record<'a' | 'p1' | 'pb' | 'p0' | 'h' | 'r' | 'hr', number>>
  /** Processor seconds for one request, medians; NaN where they are not measured. */
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

const shares = [0.5, 0.7, 0.9]
/** An idle session reports its counters within ten seconds. */
const statisticsDelayMs = 11_000

export async function measure(
  gateway: Gateway,
  options: Options,
  log: (line: string) => void,
): Promise<Figures> {
  const sessions = await gateway.connectToNodes()
  const { sql } = sessions
  const { merchants, tpcbScale } = options
  const ofPgbench = sessions.citus === null ? ', and as many for pgbench' : ''
  log(`${merchants} merchants${ofPgbench}; pgbench -i at scale ${tpcbScale}`)
  const workloads = await prepareWorkloads(gateway, sessions, options, log)
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
    log('open loop, at 50, 70 and 90 % of A')
    // A checkpoint writes the pages that pgbench changed, so that they do not slow the gateway down.
    for (const node of sessions.nodes) await node.query('checkpoint')
    const latencies = await measureLatencies(workloads, median(rates.a))
    if (options.perRequest) log('commits and flushes; waiting for the statistics of idle sessions')
    const perRequest = options.perRequest
      ? await measurePerRequest(sessions, () => workloads.creates(clients.a))
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
): Promise<Figures['clients']> {
  await workloads.creates(32)
  await workloads.creates(64)
  await workloads.http(64)
  await workloads.reads(64)
  await workloads.readsWithoutDatabase(64)
  const rate =
    (load: (count: number) => Promise<{ readonly perSecond: number }>) =>
    async (count: number): Promise<number> =>
      (await load(count)).perSecond
  return {
    a: await bestCount(httpConnections, rate(workloads.creates)),
    h: await bestCount(httpConnections, rate(workloads.http)),
    r: await bestCount(httpConnections, rate(workloads.reads)),
    hr: await bestCount(httpConnections, rate(workloads.readsWithoutDatabase)),
    p1: workloads.pgbench ? await bestCount(pgClients, rate(workloads.pgbench.creates)) : 0,
    pb: workloads.pgbench ? await bestCount(batchClients, workloads.pgbench.batches) : 0,
    p0: await bestCount(pgClients, workloads.pgbenchTpcb),
  }
}

/** Figures per second of one round, and the costs of its creates. On Citus pgbench runs no creates. */
type Round = Readonly<Record<(typeof perSecond)[number], number | undefined>> & {
  readonly costs: Costs
  readonly p1Postgres: number | undefined
}
const perSecond = ['a', 'fewMerchants', 'oneMerchant', 'p1', 'pb', 'p0', 'h', 'reads', 'hReads'] as const

async function measureRound(
  gateway: Gateway,
  workloads: Workloads,
  clients: Figures['clients'],
): Promise<Round> {
  const [creates, costs] = await withCosts(gateway, () => workloads.creates(clients.a))
  const { pgbench } = workloads
  const p1 = pgbench && (await withCosts(gateway, () => pgbench.creates(clients.p1)))
  return {
    a: creates.perSecond,
    costs,
    p1: p1?.[0].perSecond,
    p1Postgres: p1?.[1].postgres,
    fewMerchants: (await workloads.createsOfFew(clients.a)).perSecond,
    oneMerchant: (await workloads.createsOfOne(clients.a)).perSecond,
    pb: await pgbench?.batches(clients.pb),
    p0: await workloads.pgbenchTpcb(clients.p0),
    h: (await workloads.http(clients.h)).perSecond,
    reads: (await workloads.reads(clients.r)).perSecond,
    hReads: (await workloads.readsWithoutDatabase(clients.hr)).perSecond,
  }
}

/** Every rate of each round, and the medians of the costs. */
function summarised(rounds: readonly Round[]) {
  const rates = perSecond.map((name) => [name, rounds.flatMap((round) => round[name] ?? [])] as const)
  const cost = (name: keyof Costs) => median(rounds.map(({ costs }) => costs[name]))
  return {
    ...(Object.fromEntries(rates) as Record<(typeof perSecond)[number], number[]>),
    costs: {
      node: cost('node'),
      postgres: cost('postgres'),
      generator: cost('generator'),
      others: cost('others'),
    },
    p1Postgres: median(rounds.flatMap(({ p1Postgres }) => p1Postgres ?? [])),
  }
}

async function measureLatencies(workloads: Workloads, a: number): Promise<Latency[]> {
  const latencies: Latency[] = []
  for (const share of shares) {
    const rate = Math.max(1, Math.round(a * share))
    const { p50, p99 } = await workloads.createsAtRate(rate)
    latencies.push({ share, rate, p50, p99 })
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
  const ours = () =>
    [processCpu(...gateway.pids), postgresCpu(...gateway.postmasterPids), processCpu(process.pid)] as const
  const [node, postgres, self] = ours()
  const machine = machineCpu()
  const result = await work()
  // Sessions of pgbench that have just ended are counted when the postmaster has noticed.
  await sleep(100)
  const generator = 'answered' in result ? result.cpuSeconds : 0
  const [nodeAfter, postgresAfter, selfAfter] = ours()
  const used = machineCpu()
  const ofDatabase = postgresAfter - postgres
  const others =
    used.busy - machine.busy - generator - (nodeAfter - node + (ofDatabase || 0) + selfAfter - self)
  const requests = 'answered' in result ? result.answered : result.transactions
  return [
    result,
    {
      node: (nodeAfter - node) / requests,
      postgres: ofDatabase / requests,
      generator: generator / requests,
      others: Math.max(0, others) / (used.all - machine.all),
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
