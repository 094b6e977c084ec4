import fc from 'fast-check'
import { skews } from './process.ts'
import {
  kind,
  maybeCrash,
  often,
  orNull,
  type Pause,
  type ReplyKind,
  ROUNDS,
  type Sequence,
  type Step,
  share,
  type Turn,
  times,
} from './sequence.ts'

/* Sequences of payments that their merchant captures or voids, or that expire. The bank of the card answers late, or not at all, and
    carries each instruction out once. No operator decides before the end. */

const by = fc.constantFrom('dashboard' as const, 'api' as const)
const replyKind = fc.constantFrom<ReplyKind>(
  ...(['paid', 'paid', 'paid', 'paid', 'paid, unanswered', 'unanswered', 'refused', 'pending'] as const),
)
const refundReply = fc.constantFrom<ReplyKind>('paid', 'paid', 'refused', 'pending', 'unanswered')

const steps = fc.oneof(
  often(5, fc.record({ kind: kind('capture'), share, by })),
  often(3, fc.record({ kind: kind('cancel') })),
  often(3, fc.record({ kind: kind('callback'), which: fc.nat({ max: 2 }) })),
  often(2, fc.record({ kind: kind('capture and cancel') })),
  often(2, fc.record({ kind: kind('attempt') })),
  often(2, fc.record({ kind: kind('refund'), share, by })),
)
const turnOf = (step: fc.Arbitrary<Step>, chargeReply: fc.Arbitrary<ReplyKind>): fc.Arbitrary<Turn> =>
  fc.record({
    step,
    times,
    chargeReply,
    refundReply,
    crash: maybeCrash(2),
    skewMs: fc.constantFrom(...skews),
  })

const begins = fc.record({ kind: kind('attempt') })
const mostlyPaid = fc.constantFrom<ReplyKind>('paid', 'paid', 'paid', 'pending', 'refused')

export const anyCaptureSequence: fc.Arbitrary<Sequence> = fc.noBias(
  fc.record({
    method: fc.constantFrom('ecocash', 'ecocash', 'onemoney'),
    capture: fc.constant('manual' as const),
    amount: fc.constantFrom(12.5, 12.5, 0.03, 99_999.99),
    seconds: fc.constantFrom(1800, 604_800),
    create: fc.record({ times, crash: maybeCrash(0) }),
    turns: fc
      .tuple(
        turnOf(begins, mostlyPaid),
        ...Array.from({ length: ROUNDS - 1 }, () => orNull(turnOf(steps, replyKind), { is: 5, not: 2 })),
      )
      .map((turns): (Turn | null)[] => turns),
  }),
)

/** Some pauses are longer than an authorisation. */
export const anyCapturePauses: fc.Arbitrary<readonly Pause[]> = fc.noBias(
  fc.array(
    fc.record({
      ms: fc.constantFrom(1000, 4000, 61_000, 3_600_000, 90_000_000, 610_000_000),
      crash: maybeCrash(40),
      skewMs: fc.constantFrom(...skews),
    }),
    { minLength: ROUNDS, maxLength: ROUNDS },
  ),
)
