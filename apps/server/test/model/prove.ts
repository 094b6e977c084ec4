import { afterAll, beforeAll, expect, test } from 'vitest'
import { invariants } from './invariants.ts'
import { CLOCKS, runAll, runWithEarlyCrashes, Simulation, shrink, type Violation } from './simulation.ts'

const SEQUENCES = 4000
const CONCURRENCY = 256

/** Seeds of sequences that once violated an invariant. They run first. */
const REGRESSIONS: readonly number[] = [20_262_145, 279_340, 279_023, 315_340, 355_757]

const { MURIPO_SEQUENCES, MURIPO_FIRST_SEED, MURIPO_SEED } = process.env
const sequenceCount = Number(MURIPO_SEQUENCES ?? SEQUENCES)
const firstSeed = Number(MURIPO_FIRST_SEED ?? 20_261_121)

function seedsOf(half: 'even' | 'odd'): number[] {
  if (MURIPO_SEED) return half === 'even' ? [Number(MURIPO_SEED)] : []
  const all = [...REGRESSIONS, ...Array.from({ length: sequenceCount }, (_, nth) => firstSeed + nth)]
  return all.filter((_, nth) => (nth % 2 === 0) === (half === 'even'))
}

const reached = `select 'payment ' || status as place from payments
  union select 'failed as ' || status_reason from payments where status = 'failed'
  union select 'attempt ' || status from payment_attempts
  union select 'refund ' || origin || ' ' || status from refunds
  union select 'refund bounced ' || origin from refunds where bounced_at is not null
  union select 'refund unclaimed' from refunds where unclaimed_at is not null
  union select 'refund replacement ' || status from refunds where replaces_id is not null
  union select 'refund paid late' from refunds where paid_late_at is not null
  union select 'review ' || kind from payment_anomalies
  union select 'instruction ' || kind from capture_instructions
  union select type from events`
const expected = [
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
  'instruction capture',
  'instruction void',
  'payment.authorized',
  'refund bounced merchant',
  'refund bounced duplicate',
  'refund unclaimed',
  'refund replacement completed',
  'review reversed',
  'review amount_differs',
  'payment.reversal_booked',
  'payment.reversal_dismissed',
  'payment.reversal_undone',
]

/** Runs half of the sequences: there are two files, so that two processes share the work. */
export function proveModel(half: 'even' | 'odd'): void {
  const seeds = seedsOf(half)
  let simulation: Simulation
  let violation: Violation | null = null

  beforeAll(
    async () => {
      simulation = await Simulation.start()
      violation = await runAll(simulation, seeds, CONCURRENCY)
    },
    600_000 + seeds.length * 1000,
  )
  afterAll(() => simulation.ctx.close())

  test.each(invariants)(
    '$title',
    async (invariant) => {
      const mine = violation?.invariant === invariant ? violation : null
      expect(mine && (await shrink(simulation, mine))).toBeNull()
    },
    120_000,
  )

  test(`all ${seeds.length} ${half} sequences were run, and reached every status of payments, attempts and refunds`, async () => {
    expect(violation).toBeNull()
    const { rows } = await simulation.ctx.db.pool.query(reached)
    const seen = rows.map(({ place }) => place)
    // A shorter run reaches less.
    if (seeds.length >= SEQUENCES / 2) expect(expected.filter((place) => !seen.includes(place))).toEqual([])
  })

  test('a look-up process that crashes at its first commit leaves its due work to the next one', async () => {
    const alike = Array.from({ length: 16 }, (_, nth) => firstSeed + nth * CLOCKS)
    expect(await runWithEarlyCrashes(simulation, alike)).toBeNull()
  })

  test.each([
    ['[INV-17] the balance of each account is the sum of its transfers', 'ledger_balances_drift'],
    ['[INV-18] the ledger agrees with each payment', 'payment_ledger_drift'],
    ['each transfer agrees with its cause', 'payment_transfers_drift'],
    ['[INV-17] the figures of the dashboards agree with the payments', 'payment_figures_drift'],
  ])('%s', async (_title, drift) => {
    expect((await simulation.ctx.db.pool.query(`select * from ${drift}`)).rows).toEqual([])
  })
}
