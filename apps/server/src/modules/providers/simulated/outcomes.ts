import type { PaymentMethod } from '@muripo/contract/payments'
import { isAmong } from '../msisdn.ts'

/** The results among which the payer of a simulated code or card chooses. */
const choices = ['pay', 'no_funds', 'cancel'] as const
export type Choice = (typeof choices)[number]

export const isChoice = (text: unknown): text is Choice => choices.some((choice) => choice === text)

/** The numbers that answer automatically: the result of each, and the time after which it comes. */
const answers = [
  { ending: '1111111', choice: 'pay', afterMs: 5000 },
  { ending: '2222222', choice: 'pay', afterMs: 30_000 },
  { ending: '3333333', choice: 'cancel', afterMs: 30_000 },
  { ending: '4444444', choice: 'no_funds', afterMs: 0 },
] as const

const networks: Partial<Readonly<Record<PaymentMethod, string>>> = { ecocash: '077', onemoney: '071' }

const numberOf = (network: string, ending: string): string =>
  `${network} ${ending.slice(0, 3)} ${ending.slice(3)}`

/** The test numbers of a wallet; null for a method without a phone. */
export function numbersOf(method: PaymentMethod): readonly string[] | null {
  const network = networks[method]
  return network === undefined ? null : answers.map(({ ending }) => numberOf(network, ending))
}

/** The result that a prompt has after this time; null while it is open. */
export function scheduledChoice(method: PaymentMethod, msisdn: string | null, ageMs: number): Choice | null {
  const place = msisdn === null ? -1 : (numbersOf(method)?.findIndex((each) => isAmong([each], msisdn)) ?? -1)
  const answer = answers[place]
  return answer && ageMs >= answer.afterMs ? answer.choice : null
}
