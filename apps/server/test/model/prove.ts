import { afterAll, beforeAll, expect, test } from 'vitest'
import { invariants } from './invariants.ts'
import { type Broken, playAll, Stage, shrink } from './sequences.ts'

const SEQUENCES = 4000
const ABREAST = 256

/** Sequences that have broken something once. They are played first. */
const KEPT: readonly number[] = [20_262_145]

const { MURIPO_SEQUENCES, MURIPO_FIRST_SEED, MURIPO_SEED } = process.env
const sequences = Number(MURIPO_SEQUENCES ?? SEQUENCES)
const firstSeed = Number(MURIPO_FIRST_SEED ?? 20_261_121)

function seedsOf(half: 'even' | 'odd'): number[] {
  if (MURIPO_SEED) return half === 'even' ? [Number(MURIPO_SEED)] : []
  const all = [...KEPT, ...Array.from({ length: sequences }, (_, nth) => firstSeed + nth)]
  return all.filter((_, nth) => (nth % 2 === 0) === (half === 'even'))
}

const places = `select 'payment ' || status as place from payments
  union select 'failed as ' || status_reason from payments where status = 'failed'
  union select 'attempt ' || status from payment_attempts
  union select 'refund ' || origin || ' ' || status from refunds
  union select 'refund paid late' from refunds where paid_late_at is not null
  union select type from events`
const wherever = [
  'payment completed',
  'payment failed',
  'payment refunded',
  'failed as cancelled',
  'failed as expired',
  'attempt completed',
  'attempt failed',
  'attempt duplicate',
  'refund merchant completed',
  'refund merchant failed',
  'refund duplicate completed',
  'refund.failed',
]

/** Plays half of the sequences: two files, so that two processes share the work. */
export function proveModel(half: 'even' | 'odd'): void {
  const seeds = seedsOf(half)
  let stage: Stage
  let broken: Broken | null = null

  beforeAll(
    async () => {
      stage = await Stage.set()
      broken = await playAll(stage, seeds, ABREAST)
    },
    600_000 + seeds.length * 1000,
  )
  afterAll(() => stage.ctx.close())

  test.each(invariants)(
    '$title',
    async (invariant) => {
      const mine = broken?.invariant === invariant ? broken : null
      expect(mine && (await shrink(stage, mine))).toBeNull()
    },
    120_000,
  )

  test(`all ${seeds.length} ${half} sequences were played, and have been wherever a payment can come to`, async () => {
    expect(broken).toBeNull()
    const { rows } = await stage.ctx.db.pool.query(places)
    const seen = rows.map(({ place }) => place)
    if (seeds.length > 500) expect(wherever.filter((place) => !seen.includes(place))).toEqual([])
  })

  test.each([
    ['[INV-17] what stands on each account is the sum of its transfers', 'ledger_balances_drift'],
    ['[INV-18] the ledger says of each payment what the payment says', 'payment_ledger_drift'],
    ['[INV-17] the figures of the dashboards are those of the payments', 'payment_figures_drift'],
  ])('%s', async (_title, drift) => {
    expect((await stage.ctx.db.pool.query(`select * from ${drift}`)).rows).toEqual([])
  })
}
