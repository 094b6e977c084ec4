import fc from 'fast-check'
import { skews } from './process.ts'

/**
 * Replies of a provider for a charge or a refund. later: the reply to the call itself comes after other replies to look-ups. reversed: the
 * provider reversed the payment. paid, unanswered: the provider has paid and does not answer.
 */
const replyKinds = [
  'paid',
  'paid, no amount',
  'wrong amount',
  'refused',
  'unavailable',
  'busy',
  'pending',
  'unanswered',
  'not found',
  'refunded',
  'reversed',
  'paid, unanswered',
  'later',
] as const
/**
 * Replies in sequences in which a charge or refund is paid late (`late-sequence.ts`); the provider does not contradict them. paid unasked:
 * every call whose reply is not final yet is paid, and there is no callback. paid, look-up fails: the call is paid, and look-ups are not
 * answered while this reply is set.
 */
export type LateReplyKind = 'paid unasked' | 'paid, look-up fails'
/**
 * Replies in sequences of paid payments (`aftermath-sequence.ts`). part refunded: a part was refunded in the provider's portal. captured more:
 * another capture was made there. paid, not found: a refund is paid, its reply is lost, and look-ups do not find it.
 */
export type AftermathReplyKind = 'part refunded' | 'captured more' | 'paid, not found'
export type ReplyKind = (typeof replyKinds)[number] | LateReplyKind | AftermathReplyKind

/** A process crashes at its first, second or third commit: before it, during it, or before the caller receives the result. */
export interface Crash {
  readonly at: number
  readonly phase: 'before' | 'midst' | 'after'
}

export type Share = 'all' | 'half' | 'a cent' | 'too much'

/** A share of an amount, in major units. */
export function shareOf(amount: number, share: Share): number {
  const cents = Math.round(amount * 100)
  switch (share) {
    case 'all':
      return cents / 100
    case 'half':
      return Math.floor(cents / 2) / 100
    case 'a cent':
      return 0.01
    case 'too much':
      return (cents + 1) / 100
  }
}

export type Step =
  | { readonly kind: 'attempt' | 'cancel' | 'forge' | 'other merchant' | 'burst' | 'capture and cancel' }
  | { readonly kind: 'capture'; readonly share: Share; readonly by: 'dashboard' | 'api' }
  | { readonly kind: 'refund'; readonly share: Share; readonly by: 'dashboard' | 'api' }
  | { readonly kind: 'callback'; readonly which: number }
  | { readonly kind: 'resolve attempt' | 'resolve refunds'; readonly isPaid: boolean }
  | { readonly kind: 'resolve with wrong amount' | 'review' }
  /** An operator books a reversal, or its return, or a refund that came back, or gives up to reach the payer of a duplicate charge. */
  | { readonly kind: 'reverse' | 'return'; readonly share: Share }
  | { readonly kind: 'bounce'; readonly isReviewed: boolean }
  | { readonly kind: 'unclaim' | 'aftermath' }

const burst: readonly Step[] = [
  ...[0, 1, 2, 3].map((which) => ({ kind: 'callback', which }) as const),
  ...(['attempt', 'cancel', 'attempt', 'cancel'] as const).map((kind) => ({ kind })),
  ...(['all', 'half'] as const).flatMap((share) =>
    (['dashboard', 'api'] as const).map((by) => ({ kind: 'refund', share, by }) as const),
  ),
  { kind: 'resolve attempt', isPaid: true },
  { kind: 'resolve refunds', isPaid: true },
]

const captures: readonly Step[] = [
  ...(['all', 'half'] as const).flatMap((share) =>
    (['dashboard', 'api'] as const).map((by) => ({ kind: 'capture', share, by }) as const),
  ),
  { kind: 'cancel' },
  { kind: 'callback', which: 0 },
]

const aftermath: readonly Step[] = [
  ...(['all', 'half'] as const).flatMap((share) =>
    (['reverse', 'return'] as const).map((kind) => ({ kind, share }) as const),
  ),
  { kind: 'refund', share: 'half', by: 'api' },
  { kind: 'bounce', isReviewed: false },
  { kind: 'bounce', isReviewed: true },
  { kind: 'unclaim' },
  { kind: 'resolve refunds', isPaid: true },
]

/** The operations of a step that consists of several at the same moment. */
export const simultaneousSteps: Partial<Record<Step['kind'], readonly Step[]>> = {
  burst,
  'capture and cancel': captures,
  aftermath,
}

export interface Turn {
  readonly step: Step
  readonly times: number
  /** The provider's reply to charges, from this turn on. */
  readonly chargeReply: ReplyKind
  readonly refundReply: ReplyKind
  readonly crash: Crash | null
  /** The error of the acting process's clock. */
  readonly skewMs: number
}

/** The time between two rounds, for all scenarios. */
export interface Pause {
  readonly ms: number
  /** The crash of the process that looks up due calls; null for none. */
  readonly crash: Crash | null
  /** The error of that process's clock. */
  readonly skewMs: number
}

export interface Sequence {
  readonly method: 'ecocash' | 'onemoney' | 'innbucks'
  /** Absent: automatic. */
  readonly capture?: 'manual'
  readonly amount: number
  readonly seconds: number
  readonly create: Pick<Turn, 'times' | 'crash'>
  /** Null: no operation in this round. */
  readonly turns: readonly (Turn | null)[]
}

export const ROUNDS = 6

const phase = fc.constantFrom('before' as const, 'midst' as const, 'after' as const)
const crashAt = (latest: number) => fc.record({ at: fc.nat({ max: latest }), phase })
/** A value that shrinks to null. */
export const orNull = <T>(
  arbitrary: fc.Arbitrary<T>,
  weights: { is: number; not: number },
): fc.Arbitrary<T | null> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: weights.not, arbitrary: fc.constant(null) },
    { weight: weights.is, arbitrary },
  )
export const maybeCrash = (latest: number): fc.Arbitrary<Crash | null> =>
  orNull(crashAt(latest), { is: 1, not: 5 })

export const kind = <const Kind extends string>(name: Kind) => fc.constant(name)
export const often = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary })
export const share = fc.constantFrom<Share>('all', 'half', 'a cent', 'too much')
const steps = [
  often(6, fc.record({ kind: kind('attempt') })),
  often(
    6,
    fc.record({ kind: kind('refund'), share, by: fc.constantFrom('dashboard' as const, 'api' as const) }),
  ),
  // A callback of any attempt or refund so far: late and contradictory replies are included.
  often(6, fc.record({ kind: kind('callback'), which: fc.nat({ max: 5 }) })),
  often(2, fc.record({ kind: kind('cancel') })),
  often(2, fc.record({ kind: kind('resolve attempt'), isPaid: fc.boolean() })),
  often(2, fc.record({ kind: kind('resolve refunds'), isPaid: fc.boolean() })),
  often(1, fc.record({ kind: kind('resolve with wrong amount') })),
  often(1, fc.record({ kind: kind('review') })),
  often(1, fc.record({ kind: kind('forge') })),
  often(1, fc.record({ kind: kind('other merchant') })),
  often(1, fc.record({ kind: kind('burst') })),
]
const replyKind = fc.constantFrom<ReplyKind>('paid', ...replyKinds, 'paid', 'refused', 'unanswered')
export const times = fc.constantFrom(1, 1, 1, 3)
const turnOf = (step: fc.Arbitrary<Step>): fc.Arbitrary<Turn> =>
  fc.record({
    step,
    times,
    chargeReply: replyKind,
    refundReply: replyKind,
    crash: maybeCrash(2),
    skewMs: fc.constantFrom(...skews),
  })

const firstTurn = turnOf(fc.record({ kind: kind('attempt') }))
const laterTurn = orNull(turnOf(fc.oneof(...steps)), { is: 5, not: 1 })

/** Without bias, because each sequence has a seed of its own and would be the first of its run. */
export const anySequence: fc.Arbitrary<Sequence> = fc.noBias(
  fc.record({
    method: fc.constantFrom('ecocash', 'ecocash', 'ecocash', 'onemoney', 'innbucks'),
    amount: fc.constantFrom(12.5, 12.5, 0.03, 99_999.99),
    seconds: fc.constantFrom(1800, 86_400, 604_800),
    create: fc.record({ times, crash: maybeCrash(0) }),
    turns: fc
      .tuple(firstTurn, fc.array(laterTurn, { minLength: ROUNDS - 1, maxLength: ROUNDS - 1 }))
      .map(([first, more]): (Turn | null)[] => [first, ...more]),
  }),
)

/** Scenarios that run side by side share one clock. */
export const anyPauses: fc.Arbitrary<readonly Pause[]> = fc.noBias(
  fc.array(
    fc.record({
      ms: fc.constantFrom(1000, 4000, 61_000, 700_000, 3_600_000, 90_000_000),
      crash: maybeCrash(40),
      skewMs: fc.constantFrom(...skews),
    }),
    {
      minLength: ROUNDS,
      maxLength: ROUNDS,
    },
  ),
)
