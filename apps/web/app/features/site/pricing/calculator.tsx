import { fromMajor, type Money, MoneyError, subtract, toDecimal } from '@muripo/contract/amounts'
import { feeFor, type PricedMethod, pricedMethods } from '@muripo/contract/pricing'
import { useEffect, useId, useRef, useState } from 'react'
import { font, row, surface } from '../../../components/ui/classes.ts'
import { usePagesText } from '../pages-text.ts'
import styles from './calculator.module.css'

const EXAMPLE = '25'

/** Without script it shows the costs of the example. */
export function Calculator() {
  const t = usePagesText()
  const [typed, setTyped] = useState(EXAMPLE)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // An amount that was typed before the framework was loaded is only in the document.
  useEffect(() => setTyped(input.current?.value ?? EXAMPLE), [])
  const result = costsOf(typed)
  const problem = 'problem' in result ? result.problem : null
  return (
    <section className={`${styles.card} ${surface('surface', 'tinted')}`} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className={font('lg', 'bold', 'close')}>
        {t('calculatorTitle', { amount: problem === null ? plain(typed) : EXAMPLE })}
      </h2>
      <label className={`${styles.label} ${font('md', 'medium')}`} htmlFor={`${id}-amount`}>
        {t('calculatorAmount')}
      </label>
      <div
        className={`${styles.field} ${row('centre', 'gap8', 'above6')} ${font('lg', 'numbers')}`}
        data-wrong={problem !== null || undefined}
      >
        <span aria-hidden="true" className={font('quiet')}>
          $
        </span>
        <input
          ref={input}
          id={`${id}-amount`}
          className={font('semibold', 'grow')}
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
      <p id={`${id}-problem`} className={`${styles.problem} ${font('sm', 'red', 'above4')}`} role="status">
        {problem && t(problem)}
      </p>
      <Costs costs={'costs' in result ? result.costs : null} />
    </section>
  )
}

const plain = (typed: string): string => typed.trim().replace(/^\$\s*/, '')

function Costs({ costs }: { readonly costs: readonly Cost[] | null }) {
  const t = usePagesText()
  return (
    <table className={styles.costs}>
      <thead>
        <tr>
          <th scope="col">{t('paidBy')}</th>
          <th scope="col">{t('ourFee')}</th>
          <th scope="col">{t('youReceive')}</th>
        </tr>
      </thead>
      <tbody>
        {pricedMethods.map((method) => {
          const cost = costs?.find((candidate) => candidate.method === method)
          return (
            <tr key={method} data-method={method}>
              <th scope="row">{t(method)}</th>
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

type Problem = 'amountMissing' | 'amountNotNumber' | 'amountTooSmall' | 'amountTooLarge' | 'amountTooExact'

function problemOf({ code }: MoneyError, major: number): Problem {
  if (code === 'too_many_decimals') return 'amountTooExact'
  if (code !== 'out_of_range') return 'amountNotNumber'
  return major <= 0 ? 'amountTooSmall' : 'amountTooLarge'
}

/** The cost of a payment of this amount in dollars by each method, or the error of the input. */
export function costsOf(typed: string): { costs: readonly Cost[] } | { problem: Problem } {
  // Users type amounts as they read them: $1,000.50.
  const plain = typed.trim().replace(/^\$/, '').replaceAll(',', '').trim()
  if (plain === '') return { problem: 'amountMissing' }
  const major = /^\d+(\.\d*)?$|^\.\d+$/.test(plain) ? Number(plain) : Number.NaN
  try {
    const amount = fromMajor(major, 'USD')
    return {
      costs: pricedMethods.map((method) => {
        const fee = feeFor(method, amount)
        return { method, fee: dollars(fee), left: dollars(subtract(amount, fee)) }
      }),
    }
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error
    return { problem: problemOf(error, major) }
  }
}
