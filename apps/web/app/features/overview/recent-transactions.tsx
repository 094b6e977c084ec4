import { RECENT_TRANSACTIONS } from '@muripo/contract/constants'
import { Link } from 'react-router'
import type { Stats } from '../../api/answers.ts'
import { HowToPay } from '../../components/how-to-pay.tsx'
import { IconArrowRight, IconReceipt } from '../../components/icons.ts'
import { coverClass, font, place, row, textLinkClass } from '../../components/ui/classes.ts'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { Panel } from '../../components/ui/panel.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { PaymentStatusBadge } from '../../components/ui/status-badge.tsx'
import { partialAmounts, useDashboardText } from '../../lib/dashboard-text.ts'
import { amountText } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { useFormats } from '../../lib/use-formats.ts'
import { UpdatedBadge } from '../../live/live.tsx'
import styles from './recent-transactions.module.css'
import { useOverviewText } from './text.ts'

type Recent = Stats['recentPayments'][number]

const skeletonRows = Array.from({ length: RECENT_TRANSACTIONS }, (_, index) => `row-${index}`)

interface RecentTransactionsProps {
  readonly stats: Pick<Stats, 'recentPayments' | 'totalApplications'> | undefined
}

export function RecentTransactions({ stats }: RecentTransactionsProps) {
  const payments = stats?.recentPayments
  const shown = payments?.slice(0, RECENT_TRANSACTIONS)
  const t = useOverviewText()
  return (
    <Panel title={t('recentPayments')} busy={payments === undefined}>
      {shown?.length === 0 ? (
        <EmptyState
          icon={IconReceipt}
          title={t('noRecentPayments')}
          action={stats?.totalApplications !== 0 && <HowToPay />}
        >
          {t('noRecentPaymentsText')}
        </EmptyState>
      ) : (
        <>
          <ul className={place('list')}>
            {shown
              ? shown.map((payment) => <Row key={payment.paymentId} payment={payment} />)
              : skeletonRows.map((row) => <SkeletonRow key={row} />)}
          </ul>
          <div className={`${styles.foot} ${row('centre')}`}>
            {shown ? (
              <Link to={paths.payments} className={textLinkClass}>
                {t('allPayments')}
                <IconArrowRight size={16} stroke={1.75} aria-hidden />
              </Link>
            ) : (
              <Skeleton h={14} w={160} />
            )}
          </div>
        </>
      )}
    </Panel>
  )
}

function Row({ payment }: { readonly payment: Recent }) {
  const dashboard = useDashboardText()
  const { dateText, methodLabel } = useFormats()
  const amount = amountText(payment.currency, payment.amount)
  const parts = partialAmounts(payment, dashboard)
  return (
    <li className={styles.row}>
      <div className={styles.who}>
        <p className={`${styles.application} ${font('medium', 'clip')}`}>
          <Link
            to={paths.payment(payment.paymentId)}
            className={coverClass}
            aria-label={[payment.applicationName, amount, ...parts].join(', ')}
          >
            {payment.applicationName}
          </Link>
        </p>
        <p className={`${styles.when} ${font('sm', 'quiet')}`}>
          <time dateTime={payment.createdAt}>{dateText(payment.createdAt)}</time>
          <span className={styles.method}>
            {methodLabel(payment.method)}
            <UpdatedBadge paymentId={payment.paymentId} className={styles.updated} />
          </span>
        </p>
      </div>
      <div>
        <p className={`${styles.amount} ${font('semibold', 'numbers')}`}>{amount}</p>
        {parts.map((part) => (
          <p key={part} className={`${styles.amount} ${font('xs', 'quiet', 'numbers', 'line16')}`}>
            {part}
          </p>
        ))}
      </div>
      <div className={`${styles.badge} ${row()}`}>
        <PaymentStatusBadge status={payment.status} />
      </div>
    </li>
  )
}

const SkeletonRow = () => (
  <li className={styles.row}>
    <div className={styles.who}>
      <p className={`${styles.application} ${font('medium', 'clip')}`}>
        <Skeleton h={14} w={140} my={5} />
      </p>
      <p className={`${styles.when} ${font('sm', 'quiet')}`}>
        <Skeleton h={12} w={200} maw="100%" my={4} />
      </p>
    </div>
    <p className={`${styles.amount} ${font('semibold', 'numbers')}`}>
      <Skeleton h={14} w={72} ml="auto" />
    </p>
    <div className={`${styles.badge} ${row()}`}>
      <Skeleton h={24} w={96} radius={999} />
    </div>
  </li>
)
