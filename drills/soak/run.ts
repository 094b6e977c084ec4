import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chanceOf } from '@muripo/rig/chance'
import { launch } from '@muripo/rig/gateway'
import { openShop as openMerchant } from '@muripo/rig/merchant'
import { environment, routes } from '@muripo/rig/misbehaviour'
import { type Simulator, startSimulator } from '@muripo/rig/simulator'
import type pg from 'pg'
import { compileCache } from '../../scripts/lib/child.ts'
import { repository } from '../../scripts/lib/repository.ts'
import { withPool } from '../lib/database.ts'
import { logProgress } from '../lib/report.ts'
import { type Order, openShop, type Shop } from '../lib/shop.ts'
import { readSnapshot } from '../lib/snapshot.ts'
import { payGivenUp, reviewReversals, takeBack } from './afterwards.ts'
import { type Comparison, compareRecords, type Finding } from './compare.ts'

interface SoakOptions {
  readonly attempts: number
  readonly seed: number
  readonly concurrency: number
}

interface Compared extends Comparison {
  readonly byProvider: ReadonlyMap<string, number>
  readonly deferredCalls: number
  /** Charges that were paid after the gateway had given them up. */
  readonly paidLate: number
}

export interface SoakReport extends Compared {
  readonly attempts: number
  readonly payments: number
  readonly refunds: number
  /** Captures that were accepted, and authorisations that the merchant cancelled. */
  readonly captures: number
  readonly voids: number
  readonly seconds: number
}

const BURST_EVERY_MS = 7000
const BURST_MS = 2500
const LOG_EVERY_MS = 15_000

/** Runs payers over all providers with misbehaviour from a seed, and compares the ledger with the simulator's records. */
export async function soak(directory: string, options: SoakOptions): Promise<SoakReport> {
  const start = performance.now()
  const simulator = await startSimulator(path.join(directory, 'providers'))
  const settings = { ...environment, ...simulator.environment, CALLS_PER_MINUTE_ECOCASH: '30000' }
  const gateway = await launch({
    dataDir: directory,
    tree: repository,
    log: path.join(directory, 'gateway.log'),
    environment: { ...settings, LOG_LEVEL: 'error', RATE_LIMITS: '1000000' },
  })
  try {
    await gateway.ready()
    const shop = await runPayers(gateway.url, simulator, options)
    const operator = {
      ...settings,
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: compileCache,
      MURIPO_DATA: directory,
    }
    const compared = await withPool(gateway.databaseUrl(), (pool) =>
      finishAndCompare(pool, simulator, operator, options.seed),
    )
    const findings = shop.wrong.map((text): Finding => ({ kind: 'wrong', text }))
    const count = (is: (order: Order) => boolean) => shop.orders.filter(is).length
    return {
      ...compared,
      findings: [...compared.findings, ...findings],
      attempts: shop.attempts,
      payments: count(({ answered }) => answered !== null),
      refunds: shop.refunds.filter(({ answered }) => answered !== null).length,
      captures: count(({ captured }) => captured !== null),
      voids: count(
        ({ route, cancelled, captured }) => route.isManual === true && cancelled && captured === null,
      ),
      seconds: (performance.now() - start) / 1000,
    }
  } finally {
    await gateway.stop()
    await simulator.close()
  }
}

/** Payers who pay, fail, try again and get refunds, over all providers, until enough attempts were started. */
async function runPayers(url: string, simulator: Simulator, options: SoakOptions): Promise<Shop> {
  const { applicationKey } = (await openMerchant(url)).application
  const bursts = startBursts(simulator, options.seed)
  const shop = openShop(url, applicationKey, simulator, {
    chance: chanceOf(options.seed),
    customers: options.concurrency,
    routes,
    attempts: 3,
    cancelledPercent: 100,
  })
  for (let loggedAt = performance.now(); shop.attempts < options.attempts; await sleep(100)) {
    if (performance.now() < loggedAt + LOG_EVERY_MS) continue
    logProgress(`${shop.attempts} attempts, ${shop.orders.length} payments`)
    loggedAt = performance.now()
  }
  await shop.close()
  await bursts.stop()
  return shop
}

/** @param operator the environment of the operator's commands */
async function finishAndCompare(
  pool: pg.Pool,
  simulator: Simulator,
  operator: Readonly<Record<string, string>>,
  seed: number,
): Promise<Compared> {
  const late = await finish(pool, simulator, seed)
  const records = await simulator.records()
  const refusals = await reviewReversals(operator, await readSnapshot(pool), records)
  const state = await readSnapshot(pool)
  const { rows } = await pool.query('select sum(busy)::int as busy from provider_call_counts')
  return {
    ...compareRecords(state, records, { late, refusals }),
    byProvider: new Map(
      [...Map.groupBy(state.attempts, ({ provider }) => provider)].map(([id, each]) => [id, each.length]),
    ),
    deferredCalls: rows[0]?.busy ?? 0,
    paidLate: late.size,
  }
}

/** Repeatedly lets one provider answer nearly all calls with 429 for a while. */
function startBursts(simulator: Simulator, seed: number): { stop(): Promise<void> } {
  const chance = chanceOf(seed + 1)
  const limit = (provider: string, callsPerMinute: number | null) =>
    simulator.control('/rate-limits', { provider, callsPerMinute })
  let isStopping = false
  const run = async () => {
    while (!isStopping) {
      await sleep(BURST_EVERY_MS)
      const { provider } = routes[Math.floor(chance.next() * routes.length)] ?? { provider: 'ecocash' }
      await limit(provider, 3)
      await sleep(BURST_MS)
      await limit(provider, null)
    }
  }
  const running = run()
  return {
    async stop() {
      isStopping = true
      await running
    },
  }
}

/** The ages of a charge at which its look-ups have ended, after a day, and the watch of a failed one, after three. */
const HOURS_UNTIL_GIVEN_UP = [0.2, 0.2, 0.2, 1, 6, 20]
const HOURS_AFTERWARDS = [75, 26]
const ROUND_MS = 500
const QUIET_ROUNDS = 4
const MOST_ROUNDS = 600

/**
 * Moves all deadlines into the past, hour by hour, and waits each time until the gateway has done what is due. Meanwhile providers take paid
 * charges back, and payers pay what was given up.
 * @returns the keys of the charges that were paid after they had been given up
 */
async function finish(pool: pg.Pool, simulator: Simulator, seed: number): Promise<ReadonlySet<string>> {
  const chance = chanceOf(seed + 2)
  // Late charges of the simulator are paid meanwhile.
  await sleep(BURST_EVERY_MS)
  await takeBack(simulator, await readSnapshot(pool), chance)
  for (const hours of HOURS_UNTIL_GIVEN_UP) await pass(pool, hours)
  const late = await payGivenUp(simulator, await readSnapshot(pool), chance)
  for (const hours of HOURS_AFTERWARDS) await pass(pool, hours)
  return late
}

async function pass(pool: pg.Pool, hours: number): Promise<void> {
  await passHours(pool, hours)
  let quiet = 0
  for (let round = 0; round < MOST_ROUNDS && quiet < QUIET_ROUNDS; round += 1) {
    await sleep(ROUND_MS)
    quiet = (await dueNow(pool)) === 0 ? quiet + 1 : 0
  }
  logProgress(`${hours} hours later: ${await openNow(pool)} calls are open`)
}

async function passHours(pool: pg.Pool, hours: number): Promise<void> {
  const past = `interval '${hours * 60} minutes'`
  for (const table of ['payment_attempts', 'refunds'])
    await pool.query(
      `update ${table} set created_at = created_at - ${past}, next_check_at = next_check_at - ${past},
         next_watch_at = next_watch_at - ${past}, watch_until = watch_until - ${past}
       where next_check_at is not null or next_watch_at is not null`,
    )
  await pool.query(
    `update payments set capture_before = capture_before - ${past} where status = 'authorized'`,
  )
  await pool.query(
    `update provider_callbacks set received_at = received_at - ${past}, last_received_at = last_received_at - ${past},
       next_attempt_at = next_attempt_at - ${past} where processed_at is null`,
  )
}

const count = async (pool: pg.Pool, condition: string): Promise<number> => {
  const of = (table: string) => `(select count(*) from ${table} where ${condition})`
  const { rows } = await pool.query(`select (${of('payment_attempts')} + ${of('refunds')})::int as count`)
  return rows[0].count
}
const dueNow = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query(
    'select count(*)::int as count from provider_callbacks where processed_at is null and next_attempt_at <= now()',
  )
  return rows[0].count + (await count(pool, 'next_check_at <= now() or next_watch_at <= now()'))
}
const openNow = (pool: pg.Pool) => count(pool, 'next_check_at is not null or next_watch_at is not null')
