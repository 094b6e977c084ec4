import fc from 'fast-check'
import {
  kind,
  type Life,
  often,
  orNull,
  type Pause,
  ROUNDS,
  type Share,
  type Step,
  share,
  type Turn,
  times,
  type Word,
} from './life.ts'
import { skews } from './process.ts'

/*
 * Lives in which a charge or a refund fails and is paid late, and nothing but the gateway's own schedule can tell: nobody dies, and no
 * person decides. Only the watch of what failed finds what was paid unasked. What a callback tells after the watch is found only when
 * the gateway keeps a callback whose look-up failed.
 */

const by = fc.constantFrom('desk' as const, 'api' as const)
const lateWord = fc.constantFrom<Word>(
  ...([
    'paid unasked',
    'paid unasked',
    'paid, look-up fails',
    'paid, look-up fails',
    'paid, look-up fails',
  ] as const),
  ...(['paid', 'refused', 'refused', 'refused', 'pending', 'unanswered', 'not found'] as const),
)

const turnOf = (
  step: fc.Arbitrary<Step>,
  forth: fc.Arbitrary<Word>,
  back: fc.Arbitrary<Word>,
): fc.Arbitrary<Turn> =>
  fc.record({ step, times, forth, back, death: fc.constant(null), skewMs: fc.constantFrom(...skews) })

/** These turns, and then others up to the last round. */
const turnsOf = (
  first: readonly fc.Arbitrary<Turn>[],
  later: fc.Arbitrary<Turn>,
  rests: { is: number; not: number },
): fc.Arbitrary<(Turn | null)[]> =>
  fc.tuple(...Array.from({ length: ROUNDS }, (_, nth) => first[nth] ?? orNull(later, rests)))

const begins = fc.record({ kind: kind('attempt') })
const failing = fc.constantFrom<Word>('refused', 'refused', 'unavailable', 'not found', 'unanswered')

const refunds = (share: fc.Arbitrary<Share>) => fc.record({ kind: kind('refund'), share, by })

const chargeSteps = fc.oneof(
  often(6, fc.record({ kind: kind('callback'), which: fc.nat({ max: 3 }) })),
  often(2, begins),
  often(1, fc.record({ kind: kind('cancel') })),
  often(1, refunds(share)),
)
const lateCharge = turnsOf([turnOf(begins, failing, lateWord)], turnOf(chargeSteps, lateWord, lateWord), {
  is: 5,
  not: 1,
})

const refundSteps = fc.oneof(
  // The first callback is of the charge.
  often(5, fc.record({ kind: kind('callback'), which: fc.integer({ min: 1, max: 2 }) })),
  often(1, refunds(share)),
)
const isPaid = fc.constant<Word>('paid')
const lateRefund = turnsOf(
  [
    turnOf(begins, isPaid, failing),
    turnOf(refunds(fc.constantFrom<Share>('all', 'all', 'half')), isPaid, failing),
  ],
  turnOf(refundSteps, isPaid, lateWord),
  { is: 2, not: 1 },
)

export const anyLateLife: fc.Arbitrary<Life> = fc.noBias(
  fc.record({
    method: fc.constantFrom('ecocash', 'ecocash', 'onemoney'),
    amount: fc.constantFrom(12.5, 0.03),
    seconds: fc.constantFrom(1800, 604_800),
    create: fc.record({ times, death: fc.constant(null) }),
    turns: fc.oneof(lateCharge, lateRefund),
  }),
)

/** Some of them are longer than the watch of what failed. */
export const anyLatePauses: fc.Arbitrary<readonly Pause[]> = fc.noBias(
  fc.array(
    fc.record({
      ms: fc.constantFrom(1000, 700_000, 3_600_000, 90_000_000, 300_000_000),
      death: fc.constant(null),
      skewMs: fc.constantFrom(...skews),
    }),
    { minLength: ROUNDS, maxLength: ROUNDS },
  ),
)
