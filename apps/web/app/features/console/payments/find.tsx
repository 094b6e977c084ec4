import type { ConsolePayment } from '@muripo/contract/console'
import { Link } from 'react-router'
import { coverClass, font } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { EmptyState } from '../../../components/ui/empty-state.tsx'
import { PageHeader } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { PaymentStatusBadge } from '../../../components/ui/status-badge.tsx'
import { capitalise } from '../../../lib/format.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import { useConsoleDates } from '../dates.ts'
import { paymentAddress } from '../entries.ts'
import { IconSearch } from '../icons.ts'
import { Controls, Finder, List, useAddressFilter } from '../list-parts.tsx'
import { useFoundPayments } from '../queries.ts'
import { priceText, useConsoleText } from '../text.ts'
import styles from './payments.module.css'

/** The payments of any merchant under an id or a reference. */
export default function FindPayments() {
  const t = useConsoleText()
  const [search, setSearch] = useAddressFilter('search')
  const found = useFoundPayments(search)
  const columns = useColumns()
  return (
    <>
      <PageHeader title={t('consolePaymentsPage')} />
      <Panel title={t('paymentFindFirst')} busy={found.isFetching}>
        <Controls>
          <Finder
            label={t('paymentSearch')}
            help={t('paymentSearchHelp')}
            value={search}
            onFind={setSearch}
          />
        </Controls>
        {search !== '' && (
          <List
            label={t('consolePaymentsPage')}
            className={styles.list}
            columns={columns}
            query={found}
            items={found.data}
            keyOf={({ id }) => id}
            none={
              <EmptyState icon={IconSearch} title={t('paymentNone')}>
                {t('paymentNoneText')}
              </EmptyState>
            }
          />
        )}
      </Panel>
    </>
  )
}

function useColumns(): readonly Column<ConsolePayment>[] {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const { methodLabel } = useFormats()
  return [
    {
      title: t('consoleShop'),
      area: 'name',
      cell: ({ merchantId, id, shopName }) => (
        <Link
          to={paymentAddress(merchantId, id)}
          className={`${coverClass} ${font('md', 'semibold', 'anywhere')}`}
        >
          {shopName}
        </Link>
      ),
    },
    {
      title: t('paymentReferences'),
      area: 'text',
      isQuiet: true,
      className: font('anywhere'),
      cell: ({ reference, providerReference, method }) =>
        [methodLabel(method), reference, providerReference].filter(Boolean).join(', '),
    },
    {
      title: t('consoleStatus'),
      area: 'status',
      placeholder: 'badge',
      cell: ({ status }) => <PaymentStatusBadge status={capitalise(status)} />,
    },
    {
      title: t('paymentCreated'),
      area: 'since',
      isQuiet: true,
      cell: ({ createdAt }) => dates.when(createdAt),
    },
    {
      title: t('consoleAmount'),
      area: 'amount',
      align: 'end',
      className: font('medium'),
      cell: ({ currency, amount }) => priceText(currency, amount),
    },
  ]
}
