import {
  type CheckoutView,
  type FormProblem,
  isUsable,
  type OfferedMethod,
  type RefusedForm,
} from '@muripo/contract/checkout'
import { methodNames, type PaymentMethod } from '@muripo/contract/enums'
import { priceOf } from './page.tsx'
import { type PayerText, Sentence, usePayerText } from './text.tsx'

interface ChooserProps {
  readonly view: CheckoutView
  readonly refusal: RefusedForm | undefined
}

export function Chooser({ view, refusal }: ChooserProps) {
  const t = usePayerText()
  const { methods } = view
  const usable = methods.filter(isUsable)
  const only = usable.length === 1 ? usable[0]?.method : undefined
  const chosen = refusal?.typed.method || view.suggested || only
  const wrong = refusal?.field
  return (
    <form method="post">
      {refusal && wrong === null && (
        <p className="bad" role="alert">
          {problemText(t, refusal)}
        </p>
      )}
      <fieldset aria-describedby={wrong === 'method' ? 'method-error' : undefined}>
        <legend>{t('chooseMethod')}</legend>
        {methods.map((offered) => (
          <Row
            key={offered.method}
            offered={offered}
            currency={view.currency}
            isChosen={offered.method === chosen}
          />
        ))}
        {wrong === 'method' && (
          <p
            className={refusal?.problem.code === 'methodMissing' ? 'error until-chosen' : 'error'}
            id="method-error"
            role="alert"
          >
            {refusal && problemText(t, refusal)}
          </p>
        )}
      </fieldset>
      {usable.length === 0 ? (
        <p>
          {methods.some(({ isDown }) => isDown)
            ? t('allDown')
            : t('noMethodText', { shop: view.shopName, price: priceOf(view) })}
        </p>
      ) : (
        <>
          <Phone methods={methods} refusal={refusal} offered={view.phone} />
          {refusal?.confirmWith && <input type="hidden" name="confirmed" value={refusal.confirmWith} />}
          <button type="submit">{t('pay', { price: priceOf(view) })}</button>
        </>
      )}
    </form>
  )
}

const Row = ({
  offered,
  currency,
  isChosen,
}: {
  readonly offered: OfferedMethod
  readonly currency: CheckoutView['currency']
  readonly isChosen: boolean
}) => {
  const t = usePayerText()
  const { method, needsPhone } = offered
  return (
    <label className={isUsable(offered) ? 'row' : 'row down'}>
      <input
        type="radio"
        name="method"
        value={method}
        className={needsPhone ? undefined : 'no-phone'}
        disabled={!isUsable(offered)}
        defaultChecked={isChosen && isUsable(offered)}
      />
      <MethodMark method={method} />
      <span>
        <b>{methodNames[method]}</b>
        <small>{reasonAgainst(t, offered, currency) ?? t(methodLooks[method].hint)}</small>
      </span>
    </label>
  )
}

/** The reason why a method cannot be chosen; null for a usable method. */
function reasonAgainst(
  t: PayerText,
  { isDown, limit, isWithoutCapture }: OfferedMethod,
  currency: CheckoutView['currency'],
): string | null {
  if (isWithoutCapture) return t('methodNotLater')
  if (limit === null) return isDown ? t('methodDown') : null
  const price = priceOf({ currency, amount: limit.amount })
  return t(limit.kind === 'least' ? 'fromPrice' : 'upToPrice', { price })
}

/** The field is hidden while a method without a phone is chosen; a browser that cannot hide it may send it empty. */
function Phone({
  methods,
  refusal,
  offered,
}: {
  readonly methods: readonly OfferedMethod[]
  readonly refusal: RefusedForm | undefined
  readonly offered: string | null
}) {
  const t = usePayerText()
  const possible = methods.filter(({ limit, isWithoutCapture }) => limit === null && !isWithoutCapture)
  const wallets = possible.filter(({ needsPhone }) => needsPhone)
  if (wallets.length === 0) return null
  const isAlways = wallets.length === possible.length
  const isWrong = refusal?.field === 'phone'
  const numbers = {
    national: <span className="whole">077 123 4567</span>,
    international: <span className="whole">+263 77 123 4567</span>,
  }
  return (
    <div className="phone">
      <label className="name" htmlFor="phone">
        {t('phoneNumber')}
      </label>
      <p className="hint" id="phone-hint">
        {!isAlways && (
          <span className="until-chosen">
            <Sentence of="phoneHintFor" values={{ ...numbers, methods: listOf(t, wallets) }} />
          </span>
        )}
        <span className={isAlways ? undefined : 'once-chosen'}>
          <Sentence of="phoneHint" values={numbers} />
        </span>
      </p>
      <input
        id="phone"
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        required={isAlways}
        maxLength={32}
        defaultValue={refusal?.typed.phone ?? offered ?? ''}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? 'phone-error phone-hint' : 'phone-hint'}
      />
      {isWrong && (
        <p className="error" id="phone-error" role="alert">
          {problemText(t, refusal)}
        </p>
      )}
    </div>
  )
}

function listOf(t: PayerText, methods: readonly OfferedMethod[]): string {
  const names = methods.map(({ method }) => methodNames[method])
  const last = names.pop() ?? ''
  if (names.length === 0) return last
  return t(names.length === 1 ? 'listOfTwo' : 'listOfMore', { first: names.join(', '), last })
}

/** The text of a refusal. The values of a problem are the values of its text. */
const problemText = (t: PayerText, { problem }: RefusedForm): string =>
  (t as (code: string, values: FormProblem['values']) => string)(problem.code, problem.values)

interface MethodLook {
  readonly hint: 'mobileWallet' | 'withCode' | 'bankCard'
  readonly letters: string
  readonly colour: string
}

const methodLooks: Readonly<Record<PaymentMethod, MethodLook>> = {
  ecocash: { hint: 'mobileWallet', letters: 'E', colour: '#0a5fb4' },
  innbucks: { hint: 'withCode', letters: 'i', colour: '#7a2e8e' },
  onemoney: { hint: 'mobileWallet', letters: '1', colour: '#b0430b' },
  visa: { hint: 'bankCard', letters: '', colour: '#1a1f71' },
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
