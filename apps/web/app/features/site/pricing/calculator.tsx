import { pricing } from '@muripo/contract/pricing'
import { useId, useState } from 'react'
import styles from './calculator.module.css'
import { type Cost, costsOf } from './costs.ts'

const EXAMPLE = '25'

/** Without script it shows what the example costs. */
export function Calculator() {
  const [typed, setTyped] = useState(EXAMPLE)
  const id = useId()
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
          id={`${id}-amount`}
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
