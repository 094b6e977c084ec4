import type { CheckoutView, OfferedMethod, RefusedForm } from '@muripo/contract/checkout'
import { methodNames, type PaymentMethod } from '@muripo/contract/words'
import { fill, messages } from './messages.ts'
import { priceOf } from './page.tsx'
import { Sentence } from './sentence.tsx'

interface ChooserProps {
  readonly view: CheckoutView
  readonly refusal: RefusedForm | undefined
}

export function Chooser({ view, refusal }: ChooserProps) {
  const { methods } = view
  const only = methods.length === 1 ? methods[0]?.method : undefined
  const chosen = refusal?.typed.method || view.suggested || only
  const wrong = refusal?.field
  return (
    <form method="post">
      {refusal && wrong === null && (
        <p className="bad" role="alert">
          {refusal.message}
        </p>
      )}
      <fieldset aria-describedby={wrong === 'method' ? 'method-error' : undefined}>
        <legend>{messages.chooseMethod}</legend>
        {methods.map((offered) => (
          <Row key={offered.method} offered={offered} isChosen={offered.method === chosen} />
        ))}
        {wrong === 'method' && (
          <p className="error" id="method-error" role="alert">
            {refusal?.message}
          </p>
        )}
      </fieldset>
      {methods.every(({ isDown }) => isDown) ? (
        <p>{messages.allDown}</p>
      ) : (
        <>
          <Phone methods={methods} refusal={refusal} />
          {refusal?.confirmWith && <input type="hidden" name="confirmed" value={refusal.confirmWith} />}
          <button type="submit">{fill(messages.pay, { price: priceOf(view) })}</button>
        </>
      )}
    </form>
  )
}

const Row = ({
  offered: { method, needsPhone, isDown },
  isChosen,
}: {
  readonly offered: OfferedMethod
  readonly isChosen: boolean
}) => (
  <label className={isDown ? 'row down' : 'row'}>
    <input
      type="radio"
      name="method"
      value={method}
      className={needsPhone ? undefined : 'no-phone'}
      disabled={isDown}
      defaultChecked={isChosen && !isDown}
    />
    <MethodMark method={method} />
    <span>
      <b>{methodNames[method]}</b>
      <small>{isDown ? messages.methodDown : methodLooks[method].hint}</small>
    </span>
  </label>
)

/** The field is hidden while a method without a phone is chosen; a browser that cannot hide it may send it empty. */
function Phone({
  methods,
  refusal,
}: {
  readonly methods: readonly OfferedMethod[]
  readonly refusal: RefusedForm | undefined
}) {
  const wallets = methods.filter(({ needsPhone }) => needsPhone)
  if (wallets.length === 0) return null
  const isAlways = wallets.length === methods.length
  const isWrong = refusal?.field === 'phone'
  return (
    <div className="phone">
      <label className="name" htmlFor="phone">
        {messages.phoneNumber}
      </label>
      <p className="hint" id="phone-hint">
        <Sentence
          of={isAlways ? messages.phoneHint : messages.phoneHintFor}
          values={{
            methods: listOf(wallets),
            national: <span className="whole">077 123 4567</span>,
            international: <span className="whole">+263 77 123 4567</span>,
          }}
        />
      </p>
      <input
        id="phone"
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        required={isAlways}
        maxLength={32}
        defaultValue={refusal?.typed.phone ?? ''}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? 'phone-error phone-hint' : 'phone-hint'}
      />
      {isWrong && (
        <p className="error" id="phone-error" role="alert">
          {refusal.message}
        </p>
      )}
    </div>
  )
}

const listOf = (methods: readonly OfferedMethod[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(methods.map(({ method }) => methodNames[method]))

interface MethodLook {
  readonly hint: string
  readonly letters: string
  readonly colour: string
}

const methodLooks: Readonly<Record<PaymentMethod, MethodLook>> = {
  ecocash: { hint: messages.mobileWallet, letters: 'E', colour: '#0a5fb4' },
  innbucks: { hint: messages.withCode, letters: 'i', colour: '#7a2e8e' },
  onemoney: { hint: messages.mobileWallet, letters: '1', colour: '#b0430b' },
  visa: { hint: messages.bankCard, letters: '', colour: '#1a1f71' },
}

const MethodMark = ({ method }: { readonly method: PaymentMethod }) => {
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
