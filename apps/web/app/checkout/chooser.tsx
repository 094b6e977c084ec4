import type { CheckoutView } from '@muripo/contract/checkout'
import { MethodMark, methodLooks } from './methods.tsx'
import { priceOf } from './page.tsx'

/** Why the last form was not taken, and what it held. */
export interface Refusal {
  readonly typed: { readonly method: string; readonly phone: string }
  readonly field: 'method' | 'phone' | null
  readonly message: string
}

interface ChooserProps {
  readonly view: CheckoutView
  readonly refusal: Refusal | undefined
}

export function Chooser({ view, refusal }: ChooserProps) {
  const only = view.methods.length === 1 ? view.methods[0] : undefined
  const chosen = refusal?.typed.method || view.attempt?.method || only
  const wrong = refusal?.field
  return (
    <form method="post">
      {refusal && wrong === null && (
        <p className="bad" role="alert">
          {refusal.message}
        </p>
      )}
      <fieldset aria-describedby={wrong === 'method' ? 'method-error' : undefined}>
        <legend>How would you like to pay?</legend>
        {view.methods.map((method) => (
          <label key={method} className="row">
            <input type="radio" name="method" value={method} required defaultChecked={method === chosen} />
            <MethodMark method={method} />
            <span>
              <b>{methodLooks[method].name}</b>
              <small>{methodLooks[method].hint}</small>
            </span>
          </label>
        ))}
        {wrong === 'method' && (
          <p className="error" id="method-error" role="alert">
            {refusal?.message}
          </p>
        )}
      </fieldset>
      <label className="name" htmlFor="phone">
        Phone number
      </label>
      <p className="hint" id="phone-hint">
        The number to confirm with, like <span className="whole">077 123 4567</span> or{' '}
        <span className="whole">+263 77 123 4567</span>
      </p>
      <input
        id="phone"
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        required
        maxLength={32}
        defaultValue={refusal?.typed.phone ?? ''}
        aria-invalid={wrong === 'phone' || undefined}
        aria-describedby={wrong === 'phone' ? 'phone-error phone-hint' : 'phone-hint'}
      />
      {wrong === 'phone' && (
        <p className="error" id="phone-error" role="alert">
          {refusal?.message}
        </p>
      )}
      <button type="submit">{`Pay ${priceOf(view)}`}</button>
    </form>
  )
}
