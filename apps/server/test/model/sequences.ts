import fc from 'fast-check'
import pino from 'pino'
import { aggregateLedgerBalances } from '../../src/modules/ledger/index.ts'
import { type PaymentsCtx, paymentsCtx } from '../../src/modules/payments/context.ts'
import { lookUpDue } from '../../src/modules/payments/factory.ts'
import { aggregatePaymentStats, expireDue } from '../../src/modules/payments/jobs.ts'
import { registryOf } from '../../src/modules/providers/registry.ts'
import { createBackgroundTasks } from '../../src/platform/async/background-tasks.ts'
import { testCtx } from '../test-ctx.ts'
import { makeShop, type Shop, type WorldCtx } from '../world.ts'
import { adversary, type Voice } from './adversary.ts'
import type { Invariant } from './invariant.ts'
import { brokenIn } from './invariants.ts'
import { Lane } from './lane.ts'
import { anyLateLife, anyLatePauses } from './late-life.ts'
import { anyLife, anyPauses, type Life, type Pause } from './life.ts'
import { Died, mortal } from './mortal.ts'
import { feeInModel, skewed } from './process.ts'
import { readRecords } from './records.ts'

/** Sequences by so many clocks: those that share one are played side by side. */
const CLOCKS = 32
/** By these clocks charges and refunds are paid late. */
const LATE_CLOCKS: readonly number[] = [2, 3, 4, 5, 6]
const SHOPS = 16

export interface Broken {
  readonly seed: number
  readonly invariant: Invariant
  readonly what: string
}

const drawn = <T>(arbitrary: fc.Arbitrary<T>, seed: number): T => {
  const [value] = fc.sample(arbitrary, { seed, numRuns: 1 })
  if (value === undefined) throw new Error('a sample has its one value')
  return value
}

const isLate = (seed: number): boolean => LATE_CLOCKS.includes(seed % CLOCKS)
const livesOf = (seed: number): fc.Arbitrary<Life> => (isLate(seed) ? anyLateLife : anyLife)
const lifeOf = (seed: number): Life => drawn(livesOf(seed), seed)
const pausesOf = (seed: number): readonly Pause[] =>
  drawn(isLate(seed) ? anyLatePauses : anyPauses, seed % CLOCKS)

/** A gateway with a provider that says whatever it is told to, and merchants whose payments are played on it. */
export class Stage {
  readonly ctx: WorldCtx
  readonly #shops: readonly Shop[]
  readonly #voices: Map<string, Voice>
  /** What the gateway's jobs failed with, which nobody else would hear of. */
  readonly #faults: unknown[]
  #payers = 0

  private constructor(ctx: WorldCtx, shops: readonly Shop[], voices: Map<string, Voice>, faults: unknown[]) {
    this.ctx = ctx
    this.#shops = shops
    this.#voices = voices
    this.#faults = faults
  }

  static async set(): Promise<Stage> {
    const voices = new Map<string, Voice>()
    const faults: unknown[] = []
    const base = await testCtx()
    const log = pino(
      {
        level: 'error',
        serializers: {
          err: (error: Error) => ({ ...error, name: error.constructor.name, message: error.message }),
        },
      },
      {
        write(line: string) {
          const { err } = JSON.parse(line)
          if (err && err.name !== Died.name) faults.push(err)
        },
      },
    )
    const registry = registryOf([
      adversary({ id: 'parts', methods: ['ecocash'], refund: 'api-partial' }, voices),
      adversary({ id: 'whole', methods: ['onemoney'], refund: 'api-full' }, voices),
      adversary({ id: 'by-hand', methods: ['innbucks'], refund: 'manual' }, voices),
    ])
    // The same look-ups at the same times, whenever a sequence is played again.
    const ids = { ...base.ids, jitter: () => 1 }
    const payments: PaymentsCtx = paymentsCtx({ ...base, ids, log }, registry, createBackgroundTasks(log))
    const { clock, databaseUrl, mails, close } = base
    const ctx = { ...payments, feeFor: feeInModel, clock, databaseUrl, mails, close }
    // No crash of the database is tried here, and what nobody waits for costs nothing.
    const client = await ctx.db.pool.connect()
    await client.query(
      "do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$",
    )
    client.release(true)
    const shops: Shop[] = []
    while (shops.length < SHOPS) shops.push(await makeShop(ctx))
    return new Stage(ctx, shops, voices, faults)
  }

  /** Plays these sequences side by side, and then what must be true in the end. The first that breaks something ends it. */
  async play(
    lives: readonly (readonly [seed: number, Life])[],
    pauses: readonly Pause[],
  ): Promise<Broken | null> {
    const lanes = new Map(lives.map(([seed, life]) => [this.#laneOf(life, pauses), seed]))
    const all = [...lanes.keys()]
    const look = async (when: Invariant['when']): Promise<Broken | null> => {
      await readRecords(this.ctx.db, all)
      for (const lane of all) {
        lane.faults.push(...this.#faults.splice(0))
        const broken = brokenIn(lane, when)
        if (broken) return { ...broken, seed: lanes.get(lane) ?? 0 }
        lane.before = lane.now
        for (const entry of lane.voice.charges.values())
          entry.reversedBefore = entry.said.get('reversed') ?? 0
      }
      return null
    }
    await Promise.all(all.map((lane) => lane.create()))
    for (const [round, pause] of pauses.entries()) {
      await Promise.all(all.map((lane) => lane.life.turns[round] && lane.take(lane.life.turns[round])))
      this.ctx.clock.advance(pause.ms)
      await this.#sweep(mortal(skewed(this.ctx, pause.skewMs), pause.death))
      const broken = await look('always')
      if (broken) return broken
    }
    await Promise.all(all.map((lane) => lane.tellTheTruth()))
    for (const minutes of [11, 11, 11, 8 * 24 * 60]) {
      this.ctx.clock.advance(minutes * 60_000)
      await this.#sweep(this.ctx)
    }
    await readRecords(this.ctx.db, all)
    await Promise.all(all.map((lane) => lane.decideTheRest()))
    await readRecords(this.ctx.db, all)
    await Promise.all(all.map((lane) => lane.judgeTheRest()))
    const broken = (await look('always')) ?? (await look('end'))
    // What a person has failed is watched for three days more, and its provider is gone.
    await this.#unschedule()
    this.#voices.clear()
    return broken
  }

  #laneOf(life: Life, pauses: readonly Pause[]): Lane {
    this.#payers += 1
    const at = this.#payers % SHOPS
    const [shop, neighbour] = [this.#shops[at], this.#shops[(at + 1) % SHOPS]]
    if (!shop || !neighbour) throw new Error('there are shops enough')
    const number = `077${String(1_000_000 + this.#payers)}`
    const lane = new Lane(life, pauses, { ctx: this.ctx, shop, neighbour }, number)
    this.#voices.set(`263${number.slice(1)}`, lane.voice)
    return lane
  }

  /** Looks up what is due and ends what is over, until nothing is or its process dies. */
  async #sweep(ctx: WorldCtx): Promise<void> {
    const { pool } = this.ctx.db
    const due = `select exists (select from payment_attempts where next_check_at <= $1)
      or exists (select from refunds where next_check_at <= $1)
      or exists (select from payment_attempts where next_watch_at <= $1)
      or exists (select from refunds where next_watch_at <= $1) as is_due`
    const isDue = async () => (await pool.query(due, [this.ctx.clock.now()])).rows[0].is_due
    do
      await Promise.all([
        lookUpDue(ctx),
        expireDue(ctx),
        aggregatePaymentStats(ctx),
        aggregateLedgerBalances(ctx),
      ])
    while (await isDue())
  }

  /** What earlier sequences left open is nobody's turn any more. */
  async clear(): Promise<void> {
    await this.#unschedule()
    this.#faults.length = 0
  }

  async #unschedule(): Promise<void> {
    for (const table of ['payment_attempts', 'refunds'])
      for (const due of ['next_check_at', 'next_watch_at'])
        await this.ctx.db.pool.query(`update ${table} set ${due} = null where ${due} is not null`)
  }
}

/** Plays so many sequences, those of one clock side by side, until one breaks something. */
export async function playAll(
  stage: Stage,
  seeds: readonly number[],
  abreast: number,
): Promise<Broken | null> {
  for (const alike of Map.groupBy(seeds, (seed) => seed % CLOCKS).values()) {
    for (let at = 0; at < alike.length; at += abreast) {
      const lives = alike.slice(at, at + abreast).map((seed) => [seed, lifeOf(seed)] as const)
      const broken = await stage.play(lives, pausesOf(alike[0] ?? 0))
      if (broken) return broken
    }
  }
  return null
}

const MOST_SHRINKING_MS = 60_000

/** Plays a sequence again alone, and makes it as short as it can be while it still breaks the same. */
export async function shrink(stage: Stage, { seed, invariant, what }: Broken): Promise<string> {
  const pauses = pausesOf(seed)
  const again = fc.asyncProperty(livesOf(seed), async (life) => {
    await stage.clear()
    const broken = await stage.play([[seed, life]], pauses)
    if (broken?.invariant === invariant) throw new Error(broken.what)
  })
  const result = await fc.check(again, { seed, numRuns: 1, interruptAfterTimeLimit: MOST_SHRINKING_MS })
  const life = result.counterexample?.[0]
  return [
    `MURIPO_SEED=${seed}: ${what}`,
    ...(life
      ? told(life, pauses)
      : ['Alone it breaks nothing: it needs its neighbours.', ...told(lifeOf(seed), pauses)]),
  ].join('\n')
}

function told({ turns, ...life }: Life, pauses: readonly Pause[]): string[] {
  return [
    JSON.stringify(life),
    ...pauses.flatMap((pause, round) => [
      `${round + 1}. ${turns[round] ? JSON.stringify(turns[round]) : 'nothing'}`,
      `   then ${JSON.stringify(pause)}`,
    ]),
  ]
}
