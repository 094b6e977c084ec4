import { fromMajor, type Money, MoneyError, subtract, toDecimal } from '@muripo/contract/amounts'
import {
  feeFor,
  type PricedMethod,
  type PriceFeature,
  pricedMethods,
  pricing,
} from '@muripo/contract/pricing'
import { useEffect, useId, useRef, useState } from 'react'
import styles from './calculator.module.css'

const EXAMPLE = '25'

/** Without script it shows what the example costs. */
export function Calculator() {
  const [typed, setTyped] = useState(EXAMPLE)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // An amount that was typed before the framework arrived is in the document only.
  useEffect(() => setTyped(input.current?.value ?? EXAMPLE), [])
  const result = costsOf(typed)
  const problem = 'problem' in result ? result.problem : null
  return (
    <section className={styles.card} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className={styles.title}>
        What will {problem === null ? plain(typed) : EXAMPLE} dollars cost me?
      </h2>
      <label className={styles.label} htmlFor={`${id}-amount`}>
        Amount of the payment, in US dollars
      </label>
      <div className={styles.field} data-wrong={problem !== null || undefined}>
        <span aria-hidden="true">$</span>
        <input
          ref={input}
          id={`${id}-amount`}
          data-framework
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          value={typed}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-problem`}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <p id={`${id}-problem`} className={styles.problem} role="status">
        {problem}
      </p>
      <Costs costs={'costs' in result ? result.costs : null} />
    </section>
  )
}

const plain = (typed: string): string => typed.trim().replace(/^\$\s*/, '')

function Costs({ costs }: { readonly costs: readonly Cost[] | null }) {
  return (
    <table className={styles.costs}>
      <thead>
        <tr>
          <th scope="col">Paid by</th>
          <th scope="col">Our fee</th>
          <th scope="col">You receive</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(pricing).map(([method, { label }]) => {
          const cost = costs?.find((candidate) => candidate.method === method)
          return (
            <tr key={method} data-method={method}>
              <th scope="row">{label}</th>
              <td>{cost?.fee ?? '–'}</td>
              <td>{cost?.left ?? '–'}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

export interface Cost {
  readonly method: PricedMethod
  /** The fee with a dollar sign and both decimals. */
  readonly fee: string
  readonly left: string
}

const dollars = (value: Money): string => {
  const [whole = '', cents = ''] = toDecimal(value).split('.')
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`
}

/** The cost of a payment of this amount in dollars by each method, or the error of the input. */
export function costsOf(typed: string): { costs: readonly Cost[] } | { problem: string } {
  // People type amounts as they read them: $1,000.50.
  const plain = typed.trim().replace(/^\$/, '').replaceAll(',', '').trim()
  if (plain === '') return { problem: 'Type an amount, such as 25' }
  try {
    const amount = fromMajor(/^\d+(\.\d*)?$|^\.\d+$/.test(plain) ? Number(plain) : Number.NaN, 'USD')
    return {
      costs: pricedMethods.map((method) => {
        const fee = feeFor(method, amount)
        return { method, fee: dollars(fee), left: dollars(subtract(amount, fee)) }
      }),
    }
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error
    return { problem: error.message }
  }
}

export const featureWords: Readonly<Record<PriceFeature, string>> = {
  cards_accepted: 'Visa, Mastercard and American Express',
  cards_authentication: 'The bank asks its cardholder to confirm (3-D Secure)',
  instant_confirmation: 'You know within seconds whether it is paid',
  refund_from_dashboard: 'Refunds with one button in the dashboard',
  bank_large_amounts: 'The right choice for large amounts',
  bank_reference: 'A reference of its own for each payment, so that none is mistaken',
  settlement_time: 'Settlement in 1-2 business days',
  exportable_records: 'Records for your books',
  wallets_accepted: 'EcoCash, InnBucks and OneMoney',
  wallet_pin_prompt: 'Your customer confirms with a PIN on the phone',
  crypto_lowest_fee: 'Our lowest fee',
  crypto_no_chargebacks: 'No chargebacks: what is paid stays paid',
}

export const methodSentences: Readonly<Record<PricedMethod, string>> = {
  creditCards: 'For customers anywhere in the world who pay with the card in their pocket.',
  bankTransfers: 'For invoices and orders that are too large for a wallet.',
  mobileMoney: 'For customers who pay with the wallet on their phone.',
  cryptocurrency: 'For customers who hold digital currency.',
}
