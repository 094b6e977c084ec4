import { setTimeout as sleep } from 'node:timers/promises'
import { type Chance, chanceOf } from '@muripo/rig/chance'
import { percentile } from '../../bench/lib/statistics.ts'
import type { Finding } from '../lib/compare.ts'
import { databaseAt } from '../lib/database.ts'
import { conclude, inspect } from '../lib/inspect.ts'
import { countFindings, type DrillReport, logProgress } from '../lib/report.ts'
import { longestGap } from '../lib/shop.ts'
import { countTraffic, type RecordSources, startSystem, stopSystem } from '../lib/system.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type Fault, faultOf, type Kind, kindsInTurn } from './faults.ts'

interface FailoverOptions {
  readonly times: number
  /** Null for every kind but `disk-full` in turn. */
  readonly kind: Kind | null
  readonly seed: number
  readonly customers: number
}

const RECOVERY_TIMEOUT_MS = 60_000

/** Takes the leader away repeatedly while customers pay, and compares all records. */
export async function failover(directory: string, options: FailoverOptions): Promise<DrillReport> {
  const cluster = await startCluster(directory, { hasSmallDisks: options.kind === 'disk-full' })
  try {
    const environment = {
      DATABASE_URL: cluster.url('muripo_serving'),
      MIGRATE_DATABASE_URL: cluster.url('muripo_owner'),
    }
    const system = await startSystem(directory, { ...options, environment })
    try {
      const sources = { ...system, database: databaseAt(() => cluster.url('superuser')) }
      return await failOverAll(cluster, sources, options)
    } finally {
      await stopSystem(system)
    }
  } finally {
    await cluster.stop()
  }
}

async function failOverAll(
  cluster: Cluster,
  sources: RecordSources,
  { times, kind: only, seed }: FailoverOptions,
): Promise<DrillReport> {
  const chance = chanceOf(seed)
  /** The longest time between two acknowledged creates, for each failover. */
  const withoutCreatesMs: number[] = []
  const findings: Finding[] = []
  while (withoutCreatesMs.length < times && findings.length === 0) {
    const nth = withoutCreatesMs.length
    const kind = only ?? (kindsInTurn[nth % kindsInTurn.length] as Kind)
    const fault = faultOf(cluster, kind, only ? nth : Math.floor(nth / kindsInTurn.length))
    const gapMs = await failOver(cluster, sources, fault, chance)
    withoutCreatesMs.push(gapMs)
    findings.push(...(await inspect(sources)))
    logProgress(
      `${nth + 1}: ${fault.name}, ${(gapMs / 1000).toFixed(1)} s without creates, ${sources.shop.orders.length} orders, ${findings.length} findings`,
    )
  }
  if (findings.length === 0) await cluster.complete()
  const all = await conclude(sources, findings)
  return { figures: await figuresOf(sources, withoutCreatesMs, all), findings: all }
}

async function figuresOf(
  sources: RecordSources,
  withoutCreatesMs: readonly number[],
  findings: readonly Finding[],
): Promise<DrillReport['figures']> {
  const { payments, paid, refunds, deliveries } = await countTraffic(sources)
  const seconds = (share: number) => `${(percentile(withoutCreatesMs, share) / 1000).toFixed(1)} s`
  return [
    ['failovers', withoutCreatesMs.length],
    ['acknowledged payments', payments],
    ['paid', paid],
    ['acknowledged refunds', refunds],
    ['events delivered', deliveries],
    ...countFindings(findings),
    ['without creates', `${seconds(0.5)} (p50), ${seconds(0.95)} (p95)`],
  ]
}

/** @returns the longest time between two acknowledged creates */
async function failOver(
  cluster: Cluster,
  { shop }: RecordSources,
  fault: Fault,
  chance: Chance,
): Promise<number> {
  const leader = await cluster.complete()
  await sleep(chance.gapMs(2000, 1000, 5000))
  const answers = () => shop.orders.flatMap(({ answeredAt }) => answeredAt ?? []).toSorted((a, b) => a - b)
  const injectedAt = performance.now()
  await fault.inject(leader)
  const giveUpAt = injectedAt + RECOVERY_TIMEOUT_MS
  // The former leader may acknowledge creates until it notices.
  while (performance.now() < giveUpAt) {
    await sleep(200)
    const now = await cluster.leader()
    if (now !== null && now !== leader && (answers().at(-1) ?? 0) > performance.now() - 1000) break
  }
  await sleep(1000)
  const times = [injectedAt, ...answers().filter((time) => time > injectedAt), performance.now()]
  await fault.recover(leader)
  return longestGap(times)
}
