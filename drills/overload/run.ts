import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentId } from '@muripo/contract/ids'
import { openShop } from '@muripo/rig/merchant'
import { certificateFor } from '@muripo/testing/certificate'
import type pg from 'pg'
import { uuidOf } from '../../apps/server/src/platform/ids.ts'
import { type ProxyProcess, startProxy } from '../../apps/server/test/proxy-process.ts'
import { type Gateway, startGateway } from '../../bench/lib/gateway.ts'
import { type Load, type LoadResult, startGenerator } from '../../bench/lib/generator.ts'
import { cpuBetween, cpuUsage, shareOfOthers } from '../../bench/lib/meter.ts'
import { median, mediansOf } from '../../bench/lib/statistics.ts'
import { startWallet } from '../../bench/lives/wallet.ts'
import { logProgress } from '../lib/report.ts'
import { type Answers, Visits } from './visitors.ts'

interface OverloadOptions {
  readonly rounds: number
  readonly seconds: number
  readonly factor: number
  readonly connections: number
  /** Whether HAProxy with the example of `deploy/proxies` is in front of the gateway. */
  readonly hasProxy: boolean
}

/** Medians of the rounds. */
export interface OverloadReport {
  /** Creates a second when each connection sends its next request after the response to the last one. */
  readonly capacity: number
  /** Creates a second that succeeded under the overload, and their share of the capacity before and after it. */
  readonly goodput: number
  readonly share: number
  /** Processor time of the gateway and of PostgreSQL for each create that succeeded, in µs: the second includes the refusals. */
  readonly costAtCapacity: number
  readonly costUnderOverload: number
  /** The shares of the machine under the overload. */
  readonly processors: Processors
  readonly p50: number
  readonly p99: number
  readonly refusals: Answers
  readonly visits: Visits['answers']
  readonly paid: number
  readonly findings: readonly string[]
}

interface Processors {
  readonly gateway: number
  readonly postgres: number
  readonly clients: number
  readonly others: number
}

interface Round extends LoadResult {
  readonly cost: number
  readonly shares: Processors
}

const CAPACITY_SECONDS = 3
const CAPACITY_CONNECTIONS = 256
const COMPLETED_WITHIN_MS = 30_000

/** Offers a multiple of the measured capacity, whether or not it is answered, and compares the acknowledged payments with the database. */
export async function overload(options: OverloadOptions): Promise<OverloadReport> {
  const wallet = await startWallet()
  const gateway = await startGateway(wallet.environment)
  const proxy = options.hasProxy ? await startHaproxy(gateway.port, options.connections) : null
  const generator = startGenerator()
  const sql = await gateway.connect()
  try {
    const { port } = proxy ?? gateway
    const { url } = gateway
    const { tokens, application } = await openShop(url)
    const { applicationKey } = application
    const load = { ports: [port], keys: [applicationKey], isVaried: true, isOverload: true }
    const atCapacity = { ...load, connections: CAPACITY_CONNECTIONS, seconds: CAPACITY_SECONDS }
    const measure = (given: Load) => measureRound(gateway, () => generator.run(given))
    // Compiles the code and fills the caches.
    const warmUp = await measure(atCapacity)

    // Visits continue through all rounds, so that their share of the processor is the same in each.
    const visits = new Visits(`http://127.0.0.1:${port}`, applicationKey, tokens.authToken)
    const rounds = await measureRounds(options, {
      atCapacity: () => measure(atCapacity),
      overloaded: (rate) =>
        measure({ ...load, connections: options.connections, seconds: options.seconds, rate }),
    })
    await visits.close()

    const measured = [...rounds.served, ...rounds.overloaded]
    const refusals = refusalsOf(measured)
    return {
      ...summarised(rounds),
      refusals,
      visits: visits.answers,
      paid: visits.paid.length,
      findings: [
        ...(await compareRows(sql, sumOf([warmUp, ...measured], successes), visits)),
        ...unexpected({ create: refusals, ...visits.answers }),
      ],
    }
  } finally {
    generator.stop()
    await sql.end()
    await proxy?.stop()
    await gateway.stop()
    await wallet.stop()
  }
}

interface Rounds {
  /** At the capacity of the gateway. */
  readonly served: readonly Round[]
  readonly overloaded: readonly Round[]
  /** The goodput of each overload as a share of the capacity before and after it. */
  readonly shares: readonly number[]
}

/** Measures the capacity before and after each overload, because other programs on the machine change it. */
async function measureRounds(
  { rounds, factor }: OverloadOptions,
  measure: {
    readonly atCapacity: () => Promise<Round>
    readonly overloaded: (rate: number) => Promise<Round>
  },
): Promise<Rounds> {
  let before = await measure.atCapacity()
  const served = [before]
  const overloaded: Round[] = []
  const shares: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const rate = Math.round(before.perSecond * factor)
    const result = await measure.overloaded(rate)
    const after = await measure.atCapacity()
    overloaded.push(result)
    served.push(after)
    shares.push(result.perSecond / ((before.perSecond + after.perSecond) / 2))
    const figures = [before.perSecond, after.perSecond, rate, result.perSecond].map(Math.round)
    logProgress(
      `capacity ${figures[0]} and ${figures[1]} creates a second, ${figures[2]} offered, ${figures[3]} served`,
    )
    before = after
  }
  return { served, overloaded, shares }
}

/** Connections beside those of the load: of the visits and of the proxy's checks. */
const OTHER_CONNECTIONS = 500

/** Starts HAProxy with the example of deploy/proxies. The load has one address and no TLS, so the limit of an address is raised. */
async function startHaproxy(gatewayPort: number, connections: number): Promise<ProxyProcess> {
  const most = connections + OTHER_CONNECTIONS
  const adapt = (configuration: string) =>
    configuration
      .replace(/ ssl crt \S+ alpn \S+/, '')
      .replace(/sc0_conn_cur gt \d+/, `sc0_conn_cur gt ${most}`)
      .replace(/maxconn 200$/m, `maxconn ${most}`)
      .replaceAll(/^\tserver b .*\n/gm, '')
  return startProxy('haproxy', await certificateFor('localhost'), [gatewayPort, gatewayPort], { adapt })
}

/** One round with its cost, and the share of each program in the processor time of the machine. */
async function measureRound(
  gateway: Pick<Gateway, 'pids' | 'postmasterPids'>,
  run: () => Promise<LoadResult>,
): Promise<Round> {
  const before = cpuUsage(gateway)
  const result = await run()
  const used = cpuBetween(before, cpuUsage(gateway))
  return {
    ...result,
    cost: ((used.gateway + used.postgres) * 1e6) / successes(result),
    shares: {
      gateway: used.gateway / used.all,
      postgres: used.postgres / used.all,
      clients: result.cpuSeconds / used.all,
      others: shareOfOthers(used, result.cpuSeconds),
    },
  }
}

function summarised({ served, overloaded, shares: goodputShares }: Rounds) {
  const medianOf = (all: readonly Round[], figure: (round: Round) => number) => median(all.map(figure))
  return {
    share: median(goodputShares),
    capacity: medianOf(served, ({ perSecond }) => perSecond),
    goodput: medianOf(overloaded, ({ perSecond }) => perSecond),
    costAtCapacity: medianOf(served, ({ cost }) => cost),
    costUnderOverload: medianOf(overloaded, ({ cost }) => cost),
    processors: mediansOf(overloaded.map(({ shares }) => shares)),
    p50: medianOf(overloaded, ({ p50 }) => p50),
    p99: medianOf(overloaded, ({ p99 }) => p99),
  }
}

/** Differences between the acknowledged payments and the rows. */
async function compareRows(sql: pg.Client, created: number, visits: Visits): Promise<string[]> {
  const count = async (condition: string, values: unknown[] = []): Promise<number> => {
    const { rows } = await sql.query(`select count(*)::int as count from payments where ${condition}`, values)
    return rows[0].count
  }
  const findings: string[] = []
  const acknowledged = created + (visits.answers.order['201'] ?? 0)
  const rows = await count('true')
  if (rows !== acknowledged) findings.push(`${acknowledged} payments were acknowledged, and ${rows} exist`)
  const paid = visits.paid.map((id) => uuidOf(id as PaymentId))
  const open = () => count(`id = any($1) and status <> 'completed'`, [paid])
  const giveUpAt = performance.now() + COMPLETED_WITHIN_MS
  while ((await open()) > 0 && performance.now() < giveUpAt) await sleep(200)
  if ((await open()) > 0) findings.push(`${await open()} of ${paid.length} payments are not completed`)
  return findings
}

function refusalsOf(rounds: readonly Round[]): Answers {
  const refusals: Answers = {}
  for (const round of rounds)
    for (const [status, times] of Object.entries(round.refusals))
      refusals[status] = (refusals[status] ?? 0) + times
  return refusals
}

/** Answers that are neither a success nor the refusal of an overloaded gateway. */
const unexpected = (answersOf: Readonly<Record<string, Answers>>): string[] =>
  Object.entries(answersOf).flatMap(([kind, answers]) =>
    Object.entries(answers)
      .filter(([status]) => !/^([23]..|429|503)$/.test(status))
      .map(([status, times]) => `${kind}: ${times} times ${status}`),
  )

const sumOf = (rounds: readonly Round[], figure: (round: Round) => number): number =>
  rounds.reduce((sum, round) => sum + figure(round), 0)

const successes = ({ answered, refusals }: LoadResult): number =>
  answered - Object.values(refusals).reduce((sum, each) => sum + each, 0)
