import { UnstyledButton } from '@mantine/core'
import type { Delivery } from '@muripo/contract/dashboard-webhooks'
import { useState } from 'react'
import type { EndpointRef } from '../../../api/query-keys.ts'
import { useDeliveries } from '../../../api/webhooks.ts'
import { BusyButton } from '../../../components/button.tsx'
import { type Column, DataList } from '../../../components/data-list.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../components/empty-state.tsx'
import { IconArrowsExchange, IconRefresh } from '../../../components/icons.ts'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { whenText } from '../../../lib/format.ts'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { answerText, deliveryStatus } from './webhook-text.ts'
import styles from './webhooks.module.css'

interface DeliveriesProps {
  readonly endpoint: EndpointRef
  /** Whether the endpoint is off, so that nothing can be sent again. */
  readonly off: boolean
  readonly timeZone: string | undefined
}

export function Deliveries({ endpoint, off, timeZone }: DeliveriesProps) {
  const list = useDeliveries(endpoint)
  const [opened, setOpened] = useState<string | null>(null)
  const all = list.data?.pages.flatMap(({ deliveries }) => deliveries)
  const reload = () => void list.refetch()
  return (
    <section className={styles.deliveries} aria-labelledby="deliveries">
      <div className={styles.head}>
        <h3 id="deliveries">Deliveries</h3>
        <BusyButton
          variant="default"
          size="sm"
          leftSection={<IconRefresh size={16} stroke={1.75} aria-hidden />}
          running={list.isFetching}
          onClick={reload}
        >
          Refresh
        </BusyButton>
      </div>
      {list.error && !all && (
        <LoadError onRetry={reload} retrying={list.isFetching}>
          {list.error.message}
        </LoadError>
      )}
      {list.isPending && <LoadingRows>Loading deliveries...</LoadingRows>}
      {all?.length === 0 && (
        <EmptyState icon={IconArrowsExchange} title="Nothing was sent yet">
          Events of the last 30 days appear here. A test event shows whether they arrive.
        </EmptyState>
      )}
      {all && all.length > 0 && (
        <DataList
          label="Deliveries"
          className={styles.deliveryRows}
          columns={deliveryColumns(timeZone, setOpened)}
          items={all}
          keyOf={({ eventId }) => eventId}
        />
      )}
      {list.hasNextPage && (
        <BusyButton
          variant="default"
          mt={12}
          running={list.isFetchingNextPage}
          runningLabel="Loading..."
          onClick={() => void list.fetchNextPage()}
        >
          Show More
        </BusyButton>
      )}
      <DeliveryDialog
        endpoint={endpoint}
        eventId={opened}
        off={off}
        timeZone={timeZone}
        onClose={() => setOpened(null)}
      />
    </section>
  )
}

const deliveryColumns = (
  timeZone: string | undefined,
  onOpen: (eventId: string) => void,
): readonly Column<Delivery>[] => [
  {
    title: 'Event',
    area: 'event',
    cell: ({ eventId, type }) => (
      <UnstyledButton className={styles.open ?? ''} onClick={() => onOpen(eventId)}>
        <code className={styles.type}>{type}</code>
      </UnstyledButton>
    ),
  },
  { title: 'Date', area: 'date', isQuiet: true, cell: ({ createdAt }) => whenText(createdAt, timeZone) },
  { title: 'Response', area: 'response', isQuiet: true, cell: answerText },
  {
    title: 'Attempts',
    cardTitle: 'Attempts',
    area: 'attempts',
    isQuiet: true,
    align: 'endInCard',
    cell: ({ attempts }) => attempts,
  },
  {
    title: 'Status',
    area: 'status',
    align: 'endInCard',
    cell({ status }) {
      const { tone, word } = deliveryStatus[status]
      return <StatusBadge tone={tone}>{word}</StatusBadge>
    },
  },
]
