import { callOk } from '@muripo/rig/call'
import { until } from '@muripo/rig/until'

/** The records of the simulated provider. */
export interface Transaction {
  readonly kind: 'charge' | 'refund'
  readonly correlator: string
  readonly number: string
  readonly minor: number
  readonly currency: string
  readonly status: string
}

let phones = 0

/** A number that no other test uses. */
export function newPhone(): string {
  phones += 1
  return `0771${String(phones).padStart(6, '0')}`
}

/** A OneMoney number that no other test uses. */
export const newOneMoneyPhone = (): string => newPhone().replace(/^077/, '071')

const international = (phone: string): string => `263${phone.slice(1)}`

/** The simulated provider: the prompts of its subscribers, and its control. */
export function walletAt(simulatorUrl: string) {
  const configureCharge = (
    phone: string | null,
    behaviour: Readonly<Record<string, unknown>>,
  ): Promise<null> =>
    callOk('POST', `${simulatorUrl}/control/next`, {
      body: { ...(phone === null ? {} : { msisdn: phone }), behaviour },
    })

  /** Transactions of one number, newest first. */
  async function transactions(phone: string): Promise<Transaction[]> {
    const { transactions: all } = await callOk<{ transactions: Transaction[] }>(
      'GET',
      `${simulatorUrl}/control/transactions`,
    )
    return all.filter(({ number }) => number === international(phone))
  }

  /** Waits for the prompt and answers it. */
  async function answer(phone: string, body: { pin: string } | { decline: true }): Promise<void> {
    const correlator = await until(`A prompt for ${phone}`, async () => {
      const { prompts } = await callOk<{ prompts: { correlator: string }[] }>(
        'GET',
        `${simulatorUrl}/phone/prompts?number=${phone}`,
      )
      return prompts[0]?.correlator
    })
    await callOk('POST', `${simulatorUrl}/phone/prompts/${correlator}`, { body })
  }

  /** Decides the latest charge of a method without prompts. */
  async function decideLatest(verdict: string): Promise<void> {
    const { transactions: all } = await callOk<{ transactions: Transaction[] }>(
      'GET',
      `${simulatorUrl}/control/transactions`,
    )
    const correlator = all.at(-1)?.correlator
    await callOk('POST', `${simulatorUrl}/control/next`, {
      body: { correlator, behaviour: { decision: { verdict } } },
    })
  }

  return {
    decideLatest,
    /** Sets the behaviour of the provider for the next charge of a number. */
    configureCharge,
    transactions,
    enterPin: (phone: string, pin = '0000') => answer(phone, { pin }),
    decline: (phone: string) => answer(phone, { decline: true }),
  }
}
export type Wallet = ReturnType<typeof walletAt>
