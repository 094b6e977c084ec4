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
    carries each instruction out once. An operator decides about what is unknown for more than a day, wrongly too. */

const by = fc.constantFrom('dashboard' as const, 'api' as const)
const replyKind = fc.constantFrom<ReplyKind>(
  ...(['paid', 'paid', 'paid', 'paid', 'paid, unanswered', 'unanswered', 'refused', 'pending'] as const),
)
const refundReply = fc.constantFrom<ReplyKind>('paid', 'paid', 'refused', 'pending', 'unanswered')

const captured = fc.record({ kind: kind('capture'), share, by })
const decision = fc.record({ kind: kind('resolve attempt'), isPaid: fc.boolean() })
const steps = fc.oneof(
  often(5, captured),
  often(3, fc.record({ kind: kind('cancel') })),
  often(3, fc.record({ kind: kind('callback'), which: fc.nat({ max: 2 }) })),
  often(2, fc.record({ kind: kind('capture and cancel') })),
  often(2, fc.record({ kind: kind('attempt') })),
  often(2, fc.record({ kind: kind('refund'), share, by })),
  often(2, decision),
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

const anyTurn = () => orNull(turnOf(steps, replyKind), { is: 5, not: 2 })
const begins = fc.record({ kind: kind('attempt') })
const mostlyPaid = fc.constantFrom<ReplyKind>('paid', 'paid', 'paid', 'pending', 'refused')
const unknown = fc.constantFrom<ReplyKind>('pending', 'unanswered', 'paid, unanswered')

/** One sequence in four has a capture that the bank does not answer, and an operator after it. */
const firstTurns: fc.Arbitrary<(Turn | null)[]> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(turnOf(begins, mostlyPaid), anyTurn(), anyTurn()) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      turnOf(begins, fc.constant('paid')),
      turnOf(captured, unknown),
      turnOf(decision, unknown),
    ),
  },
)

export const anyCaptureSequence: fc.Arbitrary<Sequence> = fc.noBias(
  fc.record({
    method: fc.constantFrom('ecocash', 'ecocash', 'onemoney'),
    capture: fc.constant('manual' as const),
    amount: fc.constantFrom(12.5, 12.5, 0.03, 99_999.99),
    seconds: fc.constantFrom(1800, 604_800),
    create: fc.record({ times, crash: maybeCrash(0) }),
    turns: fc
      .tuple(firstTurns, fc.tuple(...Array.from({ length: ROUNDS - 3 }, anyTurn)))
      .map(([first, others]): (Turn | null)[] => [...first, ...others]),
  }),
)

/** The round after which an unanswered capture waits for more than a day, so that an operator may decide about it. */
const UNKNOWN_ROUND = 1
const MORE_THAN_A_DAY_MS = 90_000_000

/** Some pauses are longer than an authorisation. */
export const anyCapturePauses: fc.Arbitrary<readonly Pause[]> = fc.noBias(
  fc
    .array(
      fc.record({
        ms: fc.constantFrom(1000, 4000, 61_000, 3_600_000, MORE_THAN_A_DAY_MS, 610_000_000),
        crash: maybeCrash(40),
        skewMs: fc.constantFrom(...skews),
      }),
      { minLength: ROUNDS, maxLength: ROUNDS },
    )
    .map((pauses) =>
      pauses.map((pause, round) => (round === UNKNOWN_ROUND ? { ...pause, ms: MORE_THAN_A_DAY_MS } : pause)),
    ),
)
