import fc from 'fast-check'
import { skews } from './process.ts'
import {
  kind,
  often,
  orNull,
  type Pause,
  type ReplyKind,
  ROUNDS,
  type Sequence,
  type Share,
  type Step,
  share,
  type Turn,
  times,
} from './sequence.ts'

/* Sequences in which a charge or a refund fails and is paid late, and only the gateway's own schedule can detect it: no process crashes,
    and no operator decides. Only the watch of a failed call finds a payment without a callback. A callback after the watch is only
    resolved when the gateway stores a callback whose look-up failed. */

const by = fc.constantFrom('dashboard' as const, 'api' as const)
const lateReplyKind = fc.constantFrom<ReplyKind>(
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
  chargeReply: fc.Arbitrary<ReplyKind>,
  refundReply: fc.Arbitrary<ReplyKind>,
): fc.Arbitrary<Turn> =>
  fc.record({
    step,
    times,
    chargeReply,
    refundReply,
    crash: fc.constant(null),
    skewMs: fc.constantFrom(...skews),
  })

/** These turns first, and then others up to the last round. */
const turnsOf = (
  first: readonly fc.Arbitrary<Turn>[],
  later: fc.Arbitrary<Turn>,
  rests: { is: number; not: number },
): fc.Arbitrary<(Turn | null)[]> =>
  fc.tuple(...Array.from({ length: ROUNDS }, (_, nth) => first[nth] ?? orNull(later, rests)))

const begins = fc.record({ kind: kind('attempt') })
const failing = fc.constantFrom<ReplyKind>('refused', 'refused', 'unavailable', 'not found', 'unanswered')

const refunds = (share: fc.Arbitrary<Share>) => fc.record({ kind: kind('refund'), share, by })

const chargeSteps = fc.oneof(
  often(6, fc.record({ kind: kind('callback'), which: fc.nat({ max: 3 }) })),
  often(2, begins),
  often(1, fc.record({ kind: kind('cancel') })),
  often(1, refunds(share)),
)
const lateCharge = turnsOf(
  [turnOf(begins, failing, lateReplyKind)],
  turnOf(chargeSteps, lateReplyKind, lateReplyKind),
  {
    is: 5,
    not: 1,
  },
)

const refundSteps = fc.oneof(
  // Callback 0 belongs to the charge.
  often(5, fc.record({ kind: kind('callback'), which: fc.integer({ min: 1, max: 2 }) })),
  often(1, refunds(share)),
)
const isPaid = fc.constant<ReplyKind>('paid')
const lateRefund = turnsOf(
  [
    turnOf(begins, isPaid, failing),
    turnOf(refunds(fc.constantFrom<Share>('all', 'all', 'half')), isPaid, failing),
  ],
  turnOf(refundSteps, isPaid, lateReplyKind),
  { is: 2, not: 1 },
)

export const anyLateSequence: fc.Arbitrary<Sequence> = fc.noBias(
  fc.record({
    method: fc.constantFrom('ecocash', 'ecocash', 'onemoney'),
    amount: fc.constantFrom(12.5, 0.03),
    seconds: fc.constantFrom(1800, 604_800),
    create: fc.record({ times, crash: fc.constant(null) }),
    turns: fc.oneof(lateCharge, lateRefund),
  }),
)

/** Some pauses are longer than the watch of a failed call. */
export const anyLatePauses: fc.Arbitrary<readonly Pause[]> = fc.noBias(
  fc.array(
    fc.record({
      ms: fc.constantFrom(1000, 700_000, 3_600_000, 90_000_000, 300_000_000),
      crash: fc.constant(null),
      skewMs: fc.constantFrom(...skews),
    }),
    { minLength: ROUNDS, maxLength: ROUNDS },
  ),
)
