import type { Till, TillPayment } from '@muripo/contract/till'
import { useDeferredValue, useState } from 'react'
import { Link } from 'react-router'
import { useTill } from '../../api/till.ts'
import { IconPlus, IconSearch } from '../../components/icons.ts'
import { PageSpinner } from '../../components/page-spinner.tsx'
import { ButtonLink } from '../../components/ui/button.tsx'
import { coverClass, font, grid, place, row, textLinkClass } from '../../components/ui/classes.ts'
import { QueryError } from '../../components/ui/empty-state.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { StatusBadge } from '../../components/ui/status-badge.tsx'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
import { plainAmount } from '../../lib/format.ts'
import type { PageHandle } from '../../lib/page-meta.ts'
import { paths } from '../../lib/paths.ts'
import { useFormats } from '../../lib/use-formats.ts'
import { Frame } from './frame.tsx'
import { numberText, stateOf, toneOf, wordOf } from './state.ts'
import { useTillText } from './text.ts'
import styles from './till.module.css'

export const handle: DashboardHandle & PageHandle = { title: 'todayPage', isWhole: true }

/** The payments of the day. */
export default function TodayPage() {
  const t = useTillText()
  const page = useDashboardText()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const all = useTill()
  const found = useTill(search)
  const till = found.data ?? (search === '' ? all.data : undefined)
  const [only] = all.data?.applications ?? []
  const name = all.data?.applications.length === 1 ? only?.name : page('tillPage')
  return (
    <Frame
      title={page('todayPage')}
      counter={<p className={font('sm', 'semibold', 'strong', 'clip')}>{name}</p>}
      end={
        <Link to={paths.till} className={`${textLinkClass} ${font('md', 'semibold')}`}>
          {t('tillClose')}
        </Link>
      }
    >
      <div className={`${styles.today} ${grid('gap16')}`}>
        {all.data && <Totals till={all.data} />}
        <TextField
          type="search"
          label={t('tillSearch')}
          isLabelHidden
          placeholder={t('tillSearch')}
          icon={IconSearch}
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {till ? (
          <Rows payments={till.today.payments} none={t(search === '' ? 'tillNoneToday' : 'tillNoneFound')} />
        ) : found.error ? (
          <QueryError query={found} />
        ) : (
          <PageSpinner isPart />
        )}
      </div>
      <div className={styles.sticky}>
        <ButtonLink className={styles.tall} block icon={IconPlus} to={paths.till}>
          {t('tillCharge')}
        </ButtonLink>
      </div>
    </Frame>
  )
}

function Totals({ till: { today } }: { readonly till: Till }) {
  const t = useTillText()
  const page = useDashboardText()
  const paid = today.totals.reduce((sum, { count }) => sum + count, 0)
  const waiting = today.payments.filter((payment) => stateOf(payment) === 'waiting').length
  return (
    <div className={row('start', 'between', 'gap12')}>
      <div>
        <p className={font('xl', 'bold', 'tight')} aria-hidden>
          {page('todayPage')}
        </p>
        <p className={font('sm', 'quiet')}>{t('tillSummary', { paid, waiting })}</p>
      </div>
      <ul className={`${place('list')} ${font('atRight')}`}>
        {today.totals.map(({ currency, amount }) => (
          <li key={currency} className={font('xl', 'bold', 'tight', 'numbers', 'nowrap')}>
            <span className={font('md', 'medium', 'quiet')}>{currency}</span>&nbsp;{plainAmount(amount)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The payments of the day beside the till. */
export function DayList({ till }: { readonly till: Till }) {
  const t = useTillText()
  const page = useDashboardText()
  return (
    <div className={grid('gap16')}>
      <h2 className="visuallyHidden">{page('todayPage')}</h2>
      <Totals till={till} />
      <Rows payments={till.today.payments.slice(0, 20)} none={t('tillNoneToday')} />
    </div>
  )
}

interface RowsProps {
  readonly payments: readonly TillPayment[]
  readonly none: string
}

function Rows({ payments, none }: RowsProps) {
  if (payments.length === 0) return <p className={font('quiet', 'centred', 'above24')}>{none}</p>
  return (
    <ul className={place('list')}>
      {payments.map((payment) => (
        <Row key={payment.paymentId} payment={payment} />
      ))}
    </ul>
  )
}

function Row({ payment }: { readonly payment: TillPayment }) {
  const t = useTillText()
  const { clockText, methodLabel } = useFormats()
  const state = stateOf(payment)
  const by = [payment.method && methodLabel(payment.method), numberText(payment)].filter(Boolean).join(', ')
  return (
    <li className={`${styles.row} ${row('centre', 'between', 'gap12')}`}>
      <div className={`${grid('gap4')} ${place('grow')}`}>
        <Link
          to={paths.tillPayment(payment.paymentId)}
          className={`${styles.rowLink} ${coverClass} ${font('base', 'semibold', 'strong', 'numbers')}`}
        >
          <span className={font('xs', 'medium', 'quiet')}>{payment.currency}</span>&nbsp;
          {plainAmount(payment.amount)}
        </Link>
        <p className={font('sm', 'quiet', 'clip')}>{by === '' ? '–' : by}</p>
      </div>
      <div className={`${styles.rowEnd} ${grid('gap4')}`}>
        <StatusBadge tone={toneOf(state)}>{wordOf(state, t)}</StatusBadge>
        <p className={font('xs', 'quiet', 'numbers')}>{clockText(payment.createdAt)}</p>
      </div>
    </li>
  )
}
