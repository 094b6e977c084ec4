/** Outcomes of a charge, with the wallet's text for each. */
export const verdicts = {
  success: { status: 'completed', message: 'Transaction Successful', code: null },
  insufficient_funds: { status: 'failed', message: 'Insufficient balance', code: 'E010' },
  wrong_pin: { status: 'failed', message: 'Wrong PIN entered', code: null },
  limit_exceeded: { status: 'failed', message: 'Transaction limit exceeded', code: 'E013' },
  barred: { status: 'failed', message: 'Subscriber is barred', code: 'E011' },
  cancelled: { status: 'failed', message: 'Cancelled by the subscriber', code: null },
  expired: { status: 'failed', message: 'Prompt expired, no response from the subscriber', code: null },
} as const

export type Verdict = keyof typeof verdicts
export const verdictNames = Object.keys(verdicts) as [Verdict, ...Verdict[]]

export interface Decision {
  readonly verdict: Verdict
  readonly afterMs: number
}

export const PROMPT_LIFE_MS = 5 * 60_000

/** Numbers whose charges are decided without a PIN, by their last seven digits. */
const magicNumbers: Readonly<Record<string, Decision>> = {
  '1111111': { verdict: 'success', afterMs: 5000 },
  '2222222': { verdict: 'success', afterMs: 30_000 },
  '3333333': { verdict: 'cancelled', afterMs: 30_000 },
  '4444444': { verdict: 'insufficient_funds', afterMs: 0 },
}

export const decisionOf = (number: string): Decision | null => magicNumbers[number.slice(-7)] ?? null

const pins: Readonly<Record<string, Verdict>> = {
  '0000': 'success',
  '1234': 'success',
  '1111': 'insufficient_funds',
  '2222': 'wrong_pin',
  '9999': 'limit_exceeded',
}

export const verdictOfPin = (pin: string): Verdict => pins[pin] ?? 'wrong_pin'

/** The explanation of the PINs on the handset page. */
export const pinHints: readonly (readonly [string, string])[] = [
  ['0000', 'pays'],
  ['1234', 'pays'],
  ['1111', 'insufficient balance'],
  ['2222', 'wrong PIN'],
  ['9999', 'limit exceeded'],
  ['any other', 'wrong PIN'],
]

/** The explanation of the numbers on the handset page. */
export const numberHints: readonly (readonly [string, string])[] = [
  ['077 111 1111', 'pays after 5 seconds'],
  ['077 222 2222', 'pays after 30 seconds'],
  ['077 333 3333', 'cancels after 30 seconds'],
  ['077 444 4444', 'has no money, and says so at once'],
]
