import type { Reviews as ReviewsReply } from '@muripo/contract/console-reviews'
import { Link } from 'react-router'
import { coverClass, font, row } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { EmptyState } from '../../../components/ui/empty-state.tsx'
import { SelectField } from '../../../components/ui/field.tsx'
import { PageHeader, RefreshButton } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { paymentAddress } from '../entries.ts'
import { IconScale } from '../icons.ts'
import { Age, Controls, List, useAddressFilter } from '../list-parts.tsx'
import { useReviews } from '../queries.ts'
import { useSays } from '../says.ts'
import { type ConsoleKey, priceText, useConsoleText } from '../text.ts'
import styles from './reviews.module.css'

const kinds = ['attempts', 'anomalies', 'refunds'] as const
type Kind = (typeof kinds)[number]

const texts = {
  attempts: 'reviewsAttempts',
  anomalies: 'reviewsAnomalies',
  refunds: 'reviewsRefunds',
} as const satisfies Readonly<Record<Kind, ConsoleKey>>

interface Item {
  readonly key: string
  readonly kind: Kind
  readonly merchantId: string
  readonly paymentId: string
  readonly name: string
  readonly price: string
  readonly provider: string
  readonly providerStatus: string | null
  readonly because: string | null
  readonly since: string
  readonly isTest: boolean
}

/** All cases in one list, the oldest first. */
function itemsOf({ attempts, anomalies, refunds }: ReviewsReply): Item[] {
  const items = [
    ...attempts.map((each) => ({
      ...each,
      kind: 'attempts' as const,
      key: each.attemptId,
      name: each.shopName,
      price: priceText(each.currency, each.amount),
      because: each.heldBecause,
    })),
    ...anomalies.map((each) => ({
      ...each,
      kind: 'anomalies' as const,
      key: each.anomalyId,
      name: each.paymentId,
      price: each.amount === null ? each.currency : priceText(each.currency, each.amount),
      because: null,
      isTest: false,
    })),
    ...refunds.map((each) => ({
      ...each,
      kind: 'refunds' as const,
      key: each.refundId,
      name: each.shopName,
      price: priceText(each.currency, each.amount),
      because: null,
    })),
  ]
  return items.sort((one, other) => one.since.localeCompare(other.since))
}

/** Payments and refunds that only a person can decide. Each is decided on the page of its payment. */
export default function Reviews() {
  const t = useConsoleText()
  const [kind, setKind] = useAddressFilter('kind')
  const reviews = useReviews()
  const items =
    reviews.data &&
    itemsOf(reviews.data).filter((each) => !kinds.some((it) => it === kind) || each.kind === kind)
  const columns = useColumns()
  return (
    <>
      <PageHeader title={t('consoleReviewsPage')}>
        <RefreshButton loading={reviews.isFetching} onClick={() => void reviews.refetch()} />
      </PageHeader>
      <Panel title={t('reviewsTitle')} busy={!items}>
        <Controls>
          <SelectField
            label={t('consoleShow')}
            value={kinds.find((each) => each === kind) ?? ''}
            choices={[
              { value: '', label: t('reviewsAll') },
              ...kinds.map((value) => ({ value, label: t(texts[value]) })),
            ]}
            onChange={(event) => setKind(event.currentTarget.value)}
          />
        </Controls>
        <List
          label={t('consoleReviewsPage')}
          className={styles.list}
          columns={columns}
          query={reviews}
          items={items}
          keyOf={({ key }) => key}
          none={
            <EmptyState icon={IconScale} title={t('reviewsNone')}>
              {t('reviewsNoneText')}
            </EmptyState>
          }
        />
      </Panel>
    </>
  )
}

function useColumns(): readonly Column<Item>[] {
  const t = useConsoleText()
  const says = useSays()
  return [
    {
      title: t('consoleShop'),
      area: 'name',
      cell: ({ merchantId, paymentId, name, isTest }) => (
        <span className={row('wrap', 'centre', 'gap8', 'rows4')}>
          <Link
            to={paymentAddress(merchantId, paymentId)}
            className={`${coverClass} ${font('md', 'semibold', 'anywhere')}`}
          >
            {name}
          </Link>
          {isTest && <StatusBadge tone="grey">{t('consoleTest')}</StatusBadge>}
        </span>
      ),
    },
    {
      title: t('reviewsKind'),
      area: 'kind',
      placeholder: 'badge',
      cell: ({ kind }) => (
        <StatusBadge tone={kind === 'anomalies' ? 'red' : 'yellow'}>{t(texts[kind])}</StatusBadge>
      ),
    },
    {
      title: t('reviewsEvidence'),
      area: 'text',
      isQuiet: true,
      className: font('anywhere'),
      cell: (item) => item.because ?? says(item),
    },
    {
      title: t('consoleAmount'),
      area: 'amount',
      align: 'end',
      className: font('medium'),
      cell: ({ price }) => price,
    },
    {
      title: t('consoleSince'),
      area: 'since',
      align: 'end',
      isQuiet: true,
      cell: ({ since }) => <Age of={since} />,
    },
  ]
}
