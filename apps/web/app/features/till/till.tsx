import type { Till } from '@muripo/contract/till'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { type TillDetails, useTill } from '../../api/till.ts'
import { IconApps } from '../../components/icons.ts'
import { PageSpinner } from '../../components/page-spinner.tsx'
import { font, textLinkClass } from '../../components/ui/classes.ts'
import { EmptyState, QueryError } from '../../components/ui/empty-state.tsx'
import { SelectField } from '../../components/ui/field.tsx'
import type { DashboardHandle } from '../../lib/dashboard-text.ts'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import type { PageHandle } from '../../lib/page-meta.ts'
import { paths } from '../../lib/paths.ts'
import { storage } from '../../lib/storage.ts'
import { AmountStep, type Draft } from './amount-step.tsx'
import { Frame } from './frame.tsx'
import { AskStep, ChargeStep } from './number-step.tsx'
import { PaymentStep } from './payment-step.tsx'
import { priceText, useTillText } from './text.ts'
import { DayList } from './today.tsx'
import { readTyped } from './typing.ts'

export const handle: DashboardHandle & PageHandle = { title: 'tillPage', isWhole: true }

const nothing: Draft = { amount: '', number: '', purpose: '' }

/** The till: the amount, the number, and the payment while its customer pays. */
export default function TillPage() {
  const till = useTill()
  const t = useDashboardText()
  if (till.data) return <Counter till={till.data} />
  return (
    <Frame title={t('tillPage')} counter={null} end={null}>
      {till.error ? <QueryError query={till} /> : <PageSpinner isPart />}
    </Frame>
  )
}

const kept = (key: string, known: readonly string[]): string => {
  const value = storage.getItem(key)
  return known.find((each) => each === value) ?? known[0] ?? ''
}

/** A choice that this phone keeps, of the values that are offered now. */
function useKept(key: string, known: readonly string[]): [string, (value: string) => void] {
  const [chosen, setChosen] = useState(() => kept(key, known))
  const choose = (value: string) => {
    storage.setItem(key, value)
    setChosen(value)
  }
  return [known.includes(chosen) ? chosen : kept(key, known), choose]
}

function Counter({ till }: { readonly till: Till }) {
  const t = useTillText()
  const page = useDashboardText()
  const navigate = useNavigate()
  const { key } = useLocation()
  const [search] = useSearchParams()
  const [draft, setDraft] = useState(nothing)
  /** The numbers that were asked from this page, which the server does not show. */
  const [asked, setAsked] = useState<Readonly<Record<string, string>>>({})
  const { applications, currencies } = till
  const [applicationId, chooseApplication] = useKept(
    'tillApplication',
    applications.map(({ id }) => id),
  )
  const [currency, chooseCurrency] = useKept(
    'tillCurrency',
    currencies.map((each) => each.currency),
  )
  const application = applications.find(({ id }) => id === applicationId)
  const offered = currencies.find((each) => each.currency === currency)
  const counter =
    applications.length > 1 ? (
      <SelectField
        label={t('tillCounter')}
        isLabelHidden
        choices={applications.map(({ id, name }) => ({ value: id, label: name }))}
        value={applicationId}
        onChange={(event) => chooseApplication(event.currentTarget.value)}
      />
    ) : (
      <p className={font('sm', 'semibold', 'strong', 'clip')}>{application?.name}</p>
    )
  const today = (
    <Link to={paths.tillToday} className={`${textLinkClass} ${font('md', 'semibold')}`}>
      {page('todayPage')}
    </Link>
  )
  const frame = { counter, end: today, aside: <DayList till={till} /> }

  const next = () => {
    setDraft(nothing)
    void navigate(paths.till)
  }
  const show = ({ paymentId }: Pick<TillDetails, 'paymentId'>, number?: string) => {
    if (number !== undefined) setAsked((before) => ({ ...before, [paymentId]: number }))
    setDraft(nothing)
    void navigate(paths.tillPayment(paymentId), { replace: true })
  }

  const paymentId = search.get('payment')
  const isNumber = search.get('step') === 'number'
  const amount = readTyped(draft.amount)
  if (paymentId !== null && isNumber)
    return <AskStep {...frame} paymentId={paymentId} number={asked[paymentId]} onAsked={show} />
  if (paymentId !== null)
    return (
      <PaymentStep key={paymentId} {...frame} paymentId={paymentId} number={asked[paymentId]} onNext={next} />
    )
  if (application === undefined || offered === undefined)
    return (
      <Frame title={page('tillPage')} {...frame}>
        <EmptyState icon={IconApps} title={t('tillNoCounter')}>
          {t('tillNoCounterHint')}
        </EmptyState>
      </Frame>
    )
  if (isNumber && amount !== null)
    return (
      <ChargeStep
        {...frame}
        end={
          <Link
            to={paths.till}
            className={`${textLinkClass} ${font('md', 'semibold', 'nowrap')}`}
            aria-label={t('tillChangeAmount', { price: priceText(currency, amount) })}
          >
            {priceText(currency, amount)}
          </Link>
        }
        order={{ applicationId: application.id, currency: offered.currency, amount, purpose: draft.purpose }}
        number={draft.number}
        onNumber={(number) => setDraft({ ...draft, number })}
        onPayment={show}
      />
    )
  return (
    <AmountStep
      key={key}
      {...frame}
      draft={draft}
      onDraft={setDraft}
      currencies={currencies.map((each) => each.currency)}
      currency={currency}
      onCurrency={chooseCurrency}
      onNext={() => void navigate(paths.tillNumber)}
    />
  )
}
