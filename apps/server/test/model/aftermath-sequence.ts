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

/* Sequences of paid payments whose money moves again: reversals that an operator books and that are undone, refunds that come back, and
    refunds that nobody claims; refunds and captures in the portal of the provider, and refunds whose reply is lost. The clock of the database may step back. */

const by = fc.constantFrom('dashboard' as const, 'api' as const)
const chargeReply = fc.constantFrom<ReplyKind>(
  ...(['paid', 'paid', 'reversed', 'reversed', 'refused', 'refunded', 'unanswered'] as const),
  ...(['part refunded', 'part refunded', 'captured more'] as const),
)
const refundReply = fc.constantFrom<ReplyKind>(
  ...([
    'paid',
    'paid',
    'paid',
    'paid',
    'refused',
    'reversed',
    'pending',
    'unanswered',
    'paid, not found',
  ] as const),
)

const steps = fc.oneof(
  often(6, fc.record({ kind: kind('refund'), share, by })),
  often(4, fc.record({ kind: kind('callback'), which: fc.nat({ max: 3 }) })),
  often(4, fc.record({ kind: kind('reverse'), share })),
  often(3, fc.record({ kind: kind('return'), share })),
  often(7, fc.record({ kind: kind('bounce'), isReviewed: fc.boolean() })),
  often(2, fc.record({ kind: kind('unclaim') })),
  often(2, fc.record({ kind: kind('resolve refunds'), isPaid: fc.boolean() })),
  often(1, fc.record({ kind: kind('review') })),
  often(1, fc.record({ kind: kind('aftermath') })),
)
const turnOf = (
  step: fc.Arbitrary<Step>,
  charge: fc.Arbitrary<ReplyKind>,
  refund: fc.Arbitrary<ReplyKind> = refundReply,
): fc.Arbitrary<Turn> =>
  fc.record({
    step,
    times,
    chargeReply: charge,
    refundReply: refund,
    crash: maybeCrash(2),
    skewMs: fc.constantFrom(...skews),
  })
const anyTurn = () => orNull(turnOf(steps, chargeReply), { is: 7, not: 1 })
const begins = fc.record({ kind: kind('attempt') })

/** Some sequences begin with a booked reversal, and some pay their payment twice. */
const firstTurns: fc.Arbitrary<(Turn | null)[]> = fc.oneof(
  { weight: 2, arbitrary: fc.tuple(turnOf(begins, fc.constant('paid')), anyTurn(), anyTurn()) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      turnOf(begins, fc.constant('paid')),
      turnOf(fc.record({ kind: kind('callback'), which: fc.constant(0) }), fc.constant('reversed')),
      turnOf(fc.record({ kind: kind('reverse'), share }), chargeReply),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      turnOf(begins, fc.constant('refused')),
      turnOf(begins, fc.constant('paid'), fc.constantFrom('refused', 'paid')),
      turnOf(fc.record({ kind: kind('callback'), which: fc.constant(0) }), fc.constant('paid')),
    ),
  },
)

export const anyAftermathSequence: fc.Arbitrary<Sequence> = fc.noBias(
  fc.record({
    method: fc.constantFrom('ecocash', 'ecocash', 'onemoney', 'innbucks'),
    amount: fc.constantFrom(12.5, 12.5, 0.03, 99_999.99),
    seconds: fc.constantFrom(1800, 604_800),
    create: fc.record({ times, crash: maybeCrash(0) }),
    turns: fc
      .tuple(firstTurns, fc.tuple(...Array.from({ length: ROUNDS - 3 }, anyTurn)))
      .map(([first, others]): (Turn | null)[] => [...first, ...others]),
  }),
)

/** The clock steps back by less than it was set forward before. */
export const anyAftermathPauses: fc.Arbitrary<readonly Pause[]> = fc.noBias(
  fc.array(
    fc.record({
      ms: fc.constantFrom(1000, 61_000, -61_000, 700_000, -700_000, 3_600_000, 90_000_000),
      crash: maybeCrash(40),
      skewMs: fc.constantFrom(...skews),
    }),
    { minLength: ROUNDS, maxLength: ROUNDS },
  ),
)
