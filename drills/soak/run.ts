import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callOk } from '@muripo/rig/call'
import { launch } from '@muripo/rig/gateway'
import { freePort } from '@muripo/rig/listen'
import { openShop } from '@muripo/rig/merchant'
import type pg from 'pg'
import { compileCache } from '../../scripts/lib/child.ts'
import { repository } from '../../scripts/lib/repository.ts'
import { chanceOf } from '../lib/chance.ts'
import { withPool } from '../lib/database.ts'
import { logProgress } from '../lib/report.ts'
import { payGivenUp, reviewReversals, takeBack } from './afterwards.ts'
import { environment, routes } from './behaviours.ts'
import { type Comparison, compareRecords } from './compare.ts'
import { type Payers, runPayers } from './payers.ts'
import { readLedgerState, readRecords } from './records.ts'

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

export interface SoakReport extends Payers, Compared {
  readonly seconds: number
}

/** The simulator's delays, and the window of its limit of calls, are divided by this. */
const SPEED = 20
const BURST_EVERY_MS = 7000
const BURST_MS = 2500

/** Runs payers over all providers with misbehaviour from a seed, and compares the ledger with the simulator's records. */
export async function soak(directory: string, options: SoakOptions): Promise<SoakReport> {
  const start = performance.now()
  const simulatorPort = await freePort()
  const simulator = `http://127.0.0.1:${simulatorPort}`
  const child = startSimulator(directory, simulatorPort)
  const settings = {
    ...environment,
    SIMULATOR_PORT: String(simulatorPort),
    CALLS_PER_MINUTE_ECOCASH: '30000',
  }
  const gateway = await launch({
    dataDir: directory,
    tree: repository,
    log: path.join(directory, 'gateway.log'),
    environment: { ...settings, LOG_LEVEL: 'error', RATE_LIMITS: '1000000' },
  })
  try {
    await gateway.ready()
    const { applicationKey } = (await openShop(gateway.url)).application
    const bursts = startBursts(simulator, options.seed)
    const payers = await runPayers({
      ...options,
      gateway: gateway.url,
      simulator,
      key: applicationKey,
      chance: chanceOf(options.seed),
    }).finally(bursts.stop)
    const operator = {
      ...settings,
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: compileCache,
      MURIPO_DATA: directory,
    }
    const compared = await withPool(gateway.databaseUrl(), (pool) =>
      finishAndCompare(pool, simulator, operator, options.seed),
    )
    return { ...payers, ...compared, seconds: (performance.now() - start) / 1000 }
  } finally {
    await gateway.stop()
    child.kill('SIGTERM')
  }
}

/** @param operator the environment of the operator's commands */
async function finishAndCompare(
  pool: pg.Pool,
  simulator: string,
  operator: Readonly<Record<string, string>>,
  seed: number,
): Promise<Compared> {
  const late = await finish(pool, simulator, seed)
  const records = await readRecords(simulator)
  const refusals = await reviewReversals(operator, await readLedgerState(pool), records)
  const state = await readLedgerState(pool)
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

const startSimulator = (directory: string, port: number): ChildProcess =>
  fork(path.join(repository, 'apps/simulator/src/main.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compileCache,
      SIMULATOR_PORT: String(port),
      SIMULATOR_SPEED: String(SPEED),
      SIMULATOR_KEEP: '1000000',
      MURIPO_DATA: directory,
    },
  })

/** Repeatedly lets one provider answer nearly all calls with 429 for a while. */
function startBursts(simulator: string, seed: number): { stop(): Promise<void> } {
  const chance = chanceOf(seed + 1)
  const limit = (provider: string, callsPerMinute: number | null) =>
    callOk('POST', `${simulator}/control/rate-limits`, { body: { provider, callsPerMinute } })
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
async function finish(pool: pg.Pool, simulator: string, seed: number): Promise<ReadonlySet<string>> {
  const chance = chanceOf(seed + 2)
  // Late charges of the simulator are paid meanwhile.
  await sleep(BURST_EVERY_MS)
  await takeBack(simulator, await readLedgerState(pool), await readRecords(simulator), chance)
  for (const hours of HOURS_UNTIL_GIVEN_UP) await pass(pool, hours)
  const late = await payGivenUp(simulator, await readLedgerState(pool), await readRecords(simulator), chance)
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
