import type { ManualRefund } from '@muripo/contract/console-refunds'
import type { ManualRefundState } from '@muripo/contract/manual-refunds'
import { Link } from 'react-router'
import { font, row } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { useFormats } from '../../../lib/use-formats.ts'
import { paymentAddress } from '../entries.ts'
import { List, When } from '../list-parts.tsx'
import { priceText, useConsoleText } from '../text.ts'
import styles from './refunds.module.css'

interface RefundListProps {
  readonly refunds: readonly ManualRefund[] | undefined
  readonly state?: ManualRefundState
  /** The first and the last column of a list with which refunds are sent. */
  readonly acts?: { readonly to: Column<ManualRefund>; readonly number: Column<ManualRefund> }
}

export function RefundList({ refunds, state, acts }: RefundListProps) {
  const t = useConsoleText()
  const isOver = state === 'sent' || state === 'came_back'
  const { methodLabel } = useFormats()
  const to: Column<ManualRefund> = {
    title: t('manualTo'),
    area: 'to',
    className: font('medium', 'numbers'),
    cell: ({ phone, chargeReference, refundId }) => phone ?? chargeReference ?? refundId,
  }
  const number: Column<ManualRefund> = {
    title: t('manualNumber'),
    area: 'number',
    className: font('anywhere', 'numbers'),
    cell: ({ reference }) => reference ?? '–',
  }
  const columns: readonly Column<ManualRefund>[] = [
    acts?.to ?? to,
    {
      title: t('consoleShop'),
      area: 'shop',
      cell: ({ merchantId, paymentId, shopName, isTest }) => (
        <span className={row('wrap', 'centre', 'gap8', 'rows4')}>
          <Link className={`textLink ${font('anywhere')}`} to={paymentAddress(merchantId, paymentId)}>
            {shopName}
          </Link>
          {isTest && <StatusBadge tone="grey">{t('consoleTest')}</StatusBadge>}
        </span>
      ),
    },
    {
      title: t('manualProvider'),
      area: 'provider',
      isQuiet: true,
      cell: ({ provider }) => methodLabel(provider),
    },
    {
      title: t(state === 'sent' ? 'refundSent' : state === 'came_back' ? 'refundCameBack' : 'consoleSince'),
      area: 'since',
      isQuiet: true,
      cell: ({ since, changedAt, bouncedAt }) => <When at={isOver ? (bouncedAt ?? changedAt) : since} />,
    },
    {
      title: t('consoleAmount'),
      area: 'amount',
      align: 'end',
      className: font('semibold', 'numbers'),
      cell: ({ currency, amount }) => priceText(currency, amount),
    },
    ...(acts ? [acts.number] : []),
    ...(isOver ? [number] : []),
  ]
  return (
    <List
      label={t('consoleRefundsPage')}
      className={acts || isOver ? styles.sending : styles.list}
      columns={columns}
      items={refunds}
      keyOf={({ refundId }) => refundId}
    />
  )
}
