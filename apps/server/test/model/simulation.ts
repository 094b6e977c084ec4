import fc from 'fast-check'
import pino from 'pino'
import { aggregateLedgerBalances } from '../../src/modules/ledger/index.ts'
import { type PaymentsCtx, paymentsCtx } from '../../src/modules/payments/context.ts'
import { lookUpDue } from '../../src/modules/payments/factory.ts'
import { aggregatePaymentStats, expireDue } from '../../src/modules/payments/jobs.ts'
import { registryOf } from '../../src/modules/providers/registry.ts'
import { createBackgroundTasks } from '../../src/platform/async/background-tasks.ts'
import { isOverloaded } from '../../src/platform/db/failures.ts'
import { groupCtx } from '../test-ctx.ts'
import { makeShop, type Shop, type WorldCtx } from '../world.ts'
import { adversary, type ProviderScript } from './adversary.ts'
import { anyAftermathPauses, anyAftermathSequence } from './aftermath-sequence.ts'
import { anyCapturePauses, anyCaptureSequence } from './capture-sequence.ts'
import type { Invariant } from './invariant.ts'
import { violationIn } from './invariants.ts'
import { anyLatePauses, anyLateSequence } from './late-sequence.ts'
import { feeInModel, skewed } from './process.ts'
import { readRecords } from './records.ts'
import { Scenario } from './scenario.ts'
import type { ScenarioWorld } from './scenario-world.ts'
import { anyPauses, anySequence, type Pause, type Sequence } from './sequence.ts'
import { Crashed, hasCrashed, withCrash } from './with-crash.ts'

/** The number of clocks: sequences that share one run side by side. */
export const CLOCKS = 32
/** Clocks by which charges and refunds are paid late. */
const LATE_CLOCKS: readonly number[] = [2, 3, 4, 5, 6]
/** Clocks of payments that their merchant captures. */
const CAPTURE_CLOCKS: readonly number[] = [7, 8, 9]
/** Clocks of payments whose money moves again after their completion. */
const AFTERMATH_CLOCKS: readonly number[] = [10, 11, 12, 13, 14]
const SHOPS = 16

const MOST_WAIT_MS = 60_000
const patientSession = `select set_config(name, '${MOST_WAIT_MS}', false) from unnest(array['lock_timeout', 'statement_timeout']) as name`

export interface Violation {
  readonly seed: number
  readonly invariant: Invariant
  readonly what: string
}

const sampled = <T>(arbitrary: fc.Arbitrary<T>, seed: number): T => {
  const [value] = fc.sample(arbitrary, { seed, numRuns: 1 })
  if (value === undefined) throw new Error('a sample has its one value')
  return value
}

const kindOf = (seed: number) => {
  if (LATE_CLOCKS.includes(seed % CLOCKS)) return { sequence: anyLateSequence, pauses: anyLatePauses }
  if (CAPTURE_CLOCKS.includes(seed % CLOCKS))
    return { sequence: anyCaptureSequence, pauses: anyCapturePauses }
  if (AFTERMATH_CLOCKS.includes(seed % CLOCKS))
    return { sequence: anyAftermathSequence, pauses: anyAftermathPauses }
  return { sequence: anySequence, pauses: anyPauses }
}
const arbitraryOf = (seed: number): fc.Arbitrary<Sequence> => kindOf(seed).sequence
const sequenceOf = (seed: number): Sequence => sampled(arbitraryOf(seed), seed)
const pausesOf = (seed: number): readonly Pause[] => sampled(kindOf(seed).pauses, seed % CLOCKS)

interface Surroundings {
  readonly shops: readonly Shop[]
  readonly scripts: Map<string, ProviderScript>
  readonly errors: unknown[]
  readonly overload: ScenarioWorld['overload']
}

/** A gateway with a scripted provider, and merchants for whose payments sequences run. */
export class Simulation {
  readonly ctx: WorldCtx
  readonly #shops: readonly Shop[]
  readonly #scripts: Map<string, ProviderScript>
  /** Errors of the gateway's background tasks, which no caller receives. */
  readonly #errors: unknown[]
  readonly #overload: ScenarioWorld['overload']
  #payers = 0

  private constructor(ctx: WorldCtx, { shops, scripts, errors, overload }: Surroundings) {
    this.ctx = ctx
    this.#shops = shops
    this.#scripts = scripts
    this.#errors = errors
    this.#overload = overload
  }

  static async start(): Promise<Simulation> {
    const scripts = new Map<string, ProviderScript>()
    const errors: unknown[] = []
    const overload = { hasOccurred: false }
    const base = await groupCtx()
    const log = pino(
      {
        level: 'error',
        serializers: {
          err: (error: Error) => ({
            ...error,
            name: error.constructor.name,
            message: error.message,
            isOverload: isOverloaded(error),
          }),
        },
      },
      {
        write(line: string) {
          const { err } = JSON.parse(line)
          if (err?.isOverload) overload.hasOccurred = true
          else if (err && err.name !== Crashed.name) errors.push(err)
        },
      },
    )
    const registry = registryOf([
      adversary({ id: 'parts', methods: ['ecocash'], refund: 'api-partial' }, scripts),
      adversary({ id: 'whole', methods: ['onemoney'], refund: 'api-full', refundLookup: 'proved' }, scripts),
      adversary({ id: 'by-hand', methods: ['innbucks'], refund: 'manual' }, scripts),
    ])
    // Without jitter, look-ups have the same times whenever a sequence runs again.
    const ids = { ...base.ids, jitter: () => 1 }
    const payments: PaymentsCtx = paymentsCtx({ ...base, ids, log }, registry, createBackgroundTasks(log))
    const { clock, databaseUrl, mails, close } = base
    const ctx = { ...payments, feeFor: feeInModel, clock, databaseUrl, mails, close }
    // The routes answer a wait for a lock or a session that takes too long with "busy". On a slow machine that would end sequences.
    for (const { pool } of [ctx.db, ctx.background]) {
      pool.options.connectionTimeoutMillis = MOST_WAIT_MS
      pool.on('connect', (client) => {
        // A session that ends meanwhile reports it to its next caller.
        client.query(patientSession).catch(() => undefined)
      })
    }
    // These tests do not crash the database, so commits need not wait for the disk.
    const client = await ctx.db.pool.connect()
    await client.query(
      "do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$",
    )
    client.release(true)
    const shops: Shop[] = []
    while (shops.length < SHOPS) shops.push(await makeShop(ctx))
    return new Simulation(ctx, { shops, scripts, errors, overload })
  }

  /** Runs these sequences side by side, and checks the invariants. The first violation ends the run. */
  async run(
    sequences: readonly (readonly [seed: number, Sequence])[],
    pauses: readonly Pause[],
  ): Promise<Violation | null> {
    this.#overload.hasOccurred = false
    const scenarios = new Map(sequences.map(([seed, sequence]) => [this.#scenarioOf(sequence, pauses), seed]))
    const all = [...scenarios.keys()]
    const check = async (when: Invariant['when']): Promise<Violation | null> => {
      await readRecords(this.ctx.db, all)
      for (const scenario of all) {
        scenario.errors.push(...this.#errors.splice(0))
        const violation = violationIn(scenario, when)
        if (violation) return { ...violation, seed: scenarios.get(scenario) ?? 0 }
        scenario.before = scenario.now
        for (const entry of scenario.script.charges.values()) entry.repliesBefore = new Map(entry.replies)
      }
      return null
    }
    await Promise.all(all.map((scenario) => scenario.create()))
    for (const [round, pause] of pauses.entries()) {
      await Promise.all(
        all.map(
          (scenario) => scenario.sequence.turns[round] && scenario.runTurn(scenario.sequence.turns[round]),
        ),
      )
      this.ctx.clock.advance(pause.ms)
      await this.#sweep(withCrash(skewed(this.ctx, pause.skewMs), pause.crash))
      const violation = await check('always')
      if (violation) return violation
    }
    await Promise.all(all.map((scenario) => scenario.answerHonestly()))
    for (const minutes of [11, 11, 11, 8 * 24 * 60]) {
      this.ctx.clock.advance(minutes * 60_000)
      await this.#sweep(this.ctx)
    }
    await readRecords(this.ctx.db, all)
    await Promise.all(all.map((scenario) => scenario.resolveOpenAttempts()))
    await readRecords(this.ctx.db, all)
    await Promise.all(all.map((scenario) => scenario.resolveOpenRefunds()))
    const violation = (await check('always')) ?? (await check('end'))
    // A failed call would be watched for three more days, and its script ends here.
    await this.#unschedule()
    this.#scripts.clear()
    return violation
  }

  #scenarioOf(sequence: Sequence, pauses: readonly Pause[]): Scenario {
    this.#payers += 1
    const at = this.#payers % SHOPS
    const [shop, otherMerchant] = [this.#shops[at], this.#shops[(at + 1) % SHOPS]]
    if (!shop || !otherMerchant) throw new Error('there are shops enough')
    const number = `077${String(1_000_000 + this.#payers)}`
    const world = { ctx: this.ctx, shop, otherMerchant, overload: this.#overload }
    const scenario = new Scenario(sequence, pauses, world, number)
    this.#scripts.set(`263${number.slice(1)}`, scenario.script)
    return scenario
  }

  /** Looks up due calls and expires payments, until no work is due or the process crashes. */
  async #sweep(ctx: WorldCtx): Promise<void> {
    const { pool } = this.ctx.db
    const due = `select exists (select from payment_attempts where next_check_at <= $1)
      or exists (select from refunds where next_check_at <= $1)
      or exists (select from payment_attempts where next_watch_at <= $1)
      or exists (select from refunds where next_watch_at <= $1)
      or exists (select from payments where status = 'pending' and termination_reason is null and expires_at <= $1) as is_due`
    const isDue = async () => (await pool.query(due, [this.ctx.clock.now()])).rows[0].is_due
    do
      await Promise.all([
        lookUpDue(ctx),
        expireDue(ctx),
        aggregatePaymentStats(ctx),
        aggregateLedgerBalances(ctx),
      ])
    while (
      // Which commit is the last depends on how calls share their commits, so on the speed of the machine.
      !hasCrashed(ctx) &&
      (await isDue())
    )
  }

  /** Ends the look-ups that earlier sequences left scheduled. */
  async clear(): Promise<void> {
    await this.#unschedule()
    this.#errors.length = 0
  }

  async #unschedule(): Promise<void> {
    for (const table of ['payment_attempts', 'refunds'])
      for (const due of ['next_check_at', 'next_watch_at'])
        await this.ctx.db.pool.query(`update ${table} set ${due} = null where ${due} is not null`)
  }
}

/** Runs sequences whose look-up processes all crash at their first commit. */
export function runWithEarlyCrashes(
  simulation: Simulation,
  seeds: readonly number[],
): Promise<Violation | null> {
  const pauses = pausesOf(seeds[0] ?? 0).map((pause) => ({
    ...pause,
    crash: { at: 0, phase: 'before' } as const,
  }))
  return simulation.run(
    seeds.map((seed) => [seed, sequenceOf(seed)] as const),
    pauses,
  )
}

/** Runs the sequences, those of one clock side by side, until one violates an invariant. */
export async function runAll(
  simulation: Simulation,
  seeds: readonly number[],
  concurrency: number,
): Promise<Violation | null> {
  for (const alike of Map.groupBy(seeds, (seed) => seed % CLOCKS).values()) {
    for (let at = 0; at < alike.length; at += concurrency) {
      const sequences = alike.slice(at, at + concurrency).map((seed) => [seed, sequenceOf(seed)] as const)
      const violation = await simulation.run(sequences, pausesOf(alike[0] ?? 0))
      if (violation) return violation
    }
  }
  return null
}

const MOST_SHRINKING_MS = 60_000

/** Runs a sequence again alone, and shortens it while it still violates the same invariant. */
export async function shrink(simulation: Simulation, { seed, invariant, what }: Violation): Promise<string> {
  const pauses = pausesOf(seed)
  const again = fc.asyncProperty(arbitraryOf(seed), async (sequence) => {
    await simulation.clear()
    const violation = await simulation.run([[seed, sequence]], pauses)
    if (violation?.invariant === invariant) throw new Error(violation.what)
  })
  const result = await fc.check(again, { seed, numRuns: 1, interruptAfterTimeLimit: MOST_SHRINKING_MS })
  const sequence = result.counterexample?.[0]
  return [
    `MURIPO_SEED=${seed}: ${what}`,
    ...(sequence
      ? describeSequence(sequence, pauses)
      : [
          'Alone it violates nothing: it needs the concurrent sequences.',
          ...describeSequence(sequenceOf(seed), pauses),
        ]),
  ].join('\n')
}

function describeSequence({ turns, ...sequence }: Sequence, pauses: readonly Pause[]): string[] {
  return [
    JSON.stringify(sequence),
    ...pauses.flatMap((pause, round) => [
      `${round + 1}. ${turns[round] ? JSON.stringify(turns[round]) : 'nothing'}`,
      `   then ${JSON.stringify(pause)}`,
    ]),
  ]
}
