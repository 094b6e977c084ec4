import type { CheckoutView } from '@muripo/contract/checkout'
import type { PaymentMethod } from '@muripo/contract/payments'
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

interface MethodLook {
  readonly name: string
  readonly hint: string
  readonly letters: string
  readonly colour: string
}

export const methodLooks: Readonly<Record<PaymentMethod, MethodLook>> = {
  ecocash: { name: 'EcoCash', hint: 'Mobile wallet', letters: 'E', colour: '#0a5fb4' },
  innbucks: { name: 'InnBucks', hint: 'Mobile wallet', letters: 'i', colour: '#7a2e8e' },
  onemoney: { name: 'OneMoney', hint: 'Mobile wallet', letters: '1', colour: '#b0430b' },
  visa: { name: 'Visa/Mastercard', hint: 'Card', letters: '', colour: '#1a1f71' },
}

export const MethodMark = ({ method }: { readonly method: PaymentMethod }) => {
  const { letters, colour } = methodLooks[method]
  return (
    <svg width="44" height="30" viewBox="0 0 44 30" aria-hidden="true">
      <rect width="44" height="30" rx="6" fill={colour} />
      {method === 'visa' ? (
        <>
          <circle cx="18" cy="15" r="8" fill="#eb001b" />
          <circle cx="26" cy="15" r="8" fill="#f79e1b" fillOpacity=".9" />
        </>
      ) : (
        <text x="22" y="21" textAnchor="middle" fontSize="17" fontWeight="700" fill="#fff">
          {letters}
        </text>
      )}
    </svg>
  )
}
