import fc from 'fast-check'
import { skews } from './process.ts'

/**
 * What a provider says of a charge or of a refund, to whoever asks. later: it answers its caller when others were told otherwise. reversed: it took it back by
 * itself. paid in silence: it has paid, and whoever asks hears nothing.
 */
const words = [
  'paid',
  'paid, no amount',
  'wrong amount',
  'refused',
  'unavailable',
  'pending',
  'unanswered',
  'not found',
  'given back',
  'reversed',
  'paid in silence',
  'later',
] as const
/**
 * Words of lives in which a charge or refund is paid late (`late-life.ts`); each is kept to. paid unasked: whatever it was asked for
 * and whose answer is not final yet is paid, and nobody is told. paid, look-up fails: it is paid, and whoever asks while this is the
 * word hears nothing.
 */
export type LateWord = 'paid unasked' | 'paid, look-up fails'
export type Word = (typeof words)[number] | LateWord

/** A process dies at its first, second or third commit: before it, in the midst of it, or before anybody hears of it. */
export interface Death {
  readonly at: number
  readonly phase: 'before' | 'midst' | 'after'
}

export type Share = 'all' | 'half' | 'a cent' | 'too much'

export type Step =
  | { readonly kind: 'attempt' | 'cancel' | 'forge' | 'stranger' | 'storm' }
  | { readonly kind: 'refund'; readonly share: Share; readonly by: 'desk' | 'api' }
  | { readonly kind: 'callback'; readonly which: number }
  | { readonly kind: 'decide' | 'judge'; readonly isPaid: boolean }
  | { readonly kind: 'decide wrong amount' | 'review' }

export interface Turn {
  readonly step: Step
  readonly times: number
  /** What the provider says from now on of charges, and of refunds. */
  readonly forth: Word
  readonly back: Word
  readonly death: Death | null
  /** How wrong the clock is of the process that acts. */
  readonly skewMs: number
}

/** What happens after a round, to everybody. */
export interface Pause {
  readonly ms: number
  /** Where the process dies that looks up what is due, if it does. */
  readonly death: Death | null
  /** How wrong the clock of that process is. */
  readonly skewMs: number
}

export interface Life {
  readonly method: 'ecocash' | 'onemoney' | 'innbucks'
  readonly amount: number
  readonly seconds: number
  readonly create: Pick<Turn, 'times' | 'death'>
  /** Null: in this round nothing is done. */
  readonly turns: readonly (Turn | null)[]
}

export const ROUNDS = 6

const phase = fc.constantFrom('before' as const, 'midst' as const, 'after' as const)
const diesAt = (latest: number) => fc.record({ at: fc.nat({ max: latest }), phase })
/** What it is shrinks to nothing. */
export const orNull = <T>(
  arbitrary: fc.Arbitrary<T>,
  weights: { is: number; not: number },
): fc.Arbitrary<T | null> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: weights.not, arbitrary: fc.constant(null) },
    { weight: weights.is, arbitrary },
  )
const mayDie = (latest: number): fc.Arbitrary<Death | null> => orNull(diesAt(latest), { is: 1, not: 5 })

export const kind = <const Kind extends string>(name: Kind) => fc.constant(name)
export const often = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary })
export const share = fc.constantFrom<Share>('all', 'half', 'a cent', 'too much')
const steps = [
  often(6, fc.record({ kind: kind('attempt') })),
  often(6, fc.record({ kind: kind('refund'), share, by: fc.constantFrom('desk' as const, 'api' as const) })),
  // Of any attempt and any refund so far: late words and contradictory ones too.
  often(6, fc.record({ kind: kind('callback'), which: fc.nat({ max: 5 }) })),
  often(2, fc.record({ kind: kind('cancel') })),
  often(2, fc.record({ kind: kind('decide'), isPaid: fc.boolean() })),
  often(2, fc.record({ kind: kind('judge'), isPaid: fc.boolean() })),
  often(1, fc.record({ kind: kind('decide wrong amount') })),
  often(1, fc.record({ kind: kind('review') })),
  often(1, fc.record({ kind: kind('forge') })),
  often(1, fc.record({ kind: kind('stranger') })),
  often(1, fc.record({ kind: kind('storm') })),
]
const word = fc.constantFrom<Word>('paid', ...words, 'paid', 'refused', 'unanswered')
export const times = fc.constantFrom(1, 1, 1, 3)
const turnOf = (step: fc.Arbitrary<Step>): fc.Arbitrary<Turn> =>
  fc.record({ step, times, forth: word, back: word, death: mayDie(2), skewMs: fc.constantFrom(...skews) })

const firstTurn = turnOf(fc.record({ kind: kind('attempt') }))
const laterTurn = orNull(turnOf(fc.oneof(...steps)), { is: 5, not: 1 })

/** Without bias: each sequence has a seed of its own, and would be the first of its run. */
export const anyLife: fc.Arbitrary<Life> = fc.noBias(
  fc.record({
    method: fc.constantFrom('ecocash', 'ecocash', 'ecocash', 'onemoney', 'innbucks'),
    amount: fc.constantFrom(12.5, 12.5, 0.03, 99_999.99),
    seconds: fc.constantFrom(1800, 86_400, 604_800),
    create: fc.record({ times, death: mayDie(0) }),
    turns: fc
      .tuple(firstTurn, fc.array(laterTurn, { minLength: ROUNDS - 1, maxLength: ROUNDS - 1 }))
      .map(([first, more]): (Turn | null)[] => [first, ...more]),
  }),
)

/** Those who live side by side live by one clock. */
export const anyPauses: fc.Arbitrary<readonly Pause[]> = fc.noBias(
  fc.array(
    fc.record({
      ms: fc.constantFrom(1000, 4000, 61_000, 700_000, 3_600_000, 90_000_000),
      death: mayDie(40),
      skewMs: fc.constantFrom(...skews),
    }),
    {
      minLength: ROUNDS,
      maxLength: ROUNDS,
    },
  ),
)
