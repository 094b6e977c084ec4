import { Group, Modal, UnstyledButton } from '@mantine/core'
import type { Delivery, DeliveryAttempt, DeliveryDetails } from '@muripo/contract/dashboard-webhooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useErrorText } from '../../../api/api-error.ts'
import { type EndpointRef, queryKeys } from '../../../api/query-keys.ts'
import { resendDelivery, useDeliveries, useDelivery } from '../../../api/webhooks.ts'
import { BusyButton } from '../../../components/button.tsx'
import { type Column, DataList } from '../../../components/data-list.tsx'
import { Fact, Facts } from '../../../components/description-list.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../components/empty-state.tsx'
import { useErrorToast } from '../../../components/error-toast.ts'
import { IconArrowsExchange, IconRefresh } from '../../../components/icons.ts'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { dashboardToast } from '../../../components/toast.ts'
import { exactText, whenText } from '../../../lib/format.ts'
import { answerText, deliveryStatus, readable } from './webhook-text.ts'
import styles from './webhooks.module.css'

interface DeliveriesProps {
  readonly endpoint: EndpointRef
  /** Whether the endpoint is off, so that nothing can be sent again. */
  readonly off: boolean
  readonly timeZone: string | undefined
}

export function Deliveries({ endpoint, off, timeZone }: DeliveriesProps) {
  const list = useDeliveries(endpoint)
  const errorText = useErrorText()
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
          {errorText(list.error)}
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

interface DeliveryDialogProps {
  readonly endpoint: EndpointRef
  readonly eventId: string | null
  readonly off: boolean
  readonly timeZone: string | undefined
  readonly onClose: () => void
}

export function DeliveryDialog({ endpoint, eventId, off, timeZone, onClose }: DeliveryDialogProps) {
  // The dialog keeps its content while it fades.
  const [shown, setShown] = useState(eventId)
  if (eventId && eventId !== shown) setShown(eventId)
  return (
    <Modal opened={eventId !== null} onClose={onClose} title="Delivery" size={680}>
      {shown && <DeliveryContent endpoint={endpoint} eventId={shown} off={off} timeZone={timeZone} />}
    </Modal>
  )
}

interface DeliveryContentProps extends Omit<DeliveryDialogProps, 'onClose'> {
  readonly eventId: string
}

function DeliveryContent({ endpoint, eventId, off, timeZone }: DeliveryContentProps) {
  const toastError = useErrorToast()
  const errorText = useErrorText()
  const cache = useQueryClient()
  const { data, error, isFetching, refetch } = useDelivery(endpoint, eventId)
  const resending = useMutation({
    mutationFn: () => resendDelivery(endpoint, eventId),
    onSuccess: () => {
      dashboardToast.success('The event is sent again')
      void cache.invalidateQueries({ queryKey: queryKeys.deliveries(endpoint) })
    },
    onError: toastError,
  })
  if (error && !data) {
    return (
      <LoadError onRetry={() => void refetch()} retrying={isFetching}>
        {errorText(error)}
      </LoadError>
    )
  }
  if (!data) return <LoadingRows>Loading delivery...</LoadingRows>
  return (
    <>
      <Summary delivery={data} timeZone={timeZone} />
      <Group mt={20}>
        <BusyButton
          variant="default"
          leftSection={<IconRefresh size={18} stroke={1.75} aria-hidden />}
          disabled={off}
          running={resending.isPending}
          onClick={() => resending.mutate()}
        >
          Resend
        </BusyButton>
      </Group>
      <h3 className={styles.part}>Request body</h3>
      <Code what="Request body">{readable(data.requestBody)}</Code>
      <h3 className={styles.part}>Attempts</h3>
      {data.log.length === 0 && <p className={styles.quiet}>Nothing was sent yet.</p>}
      <ol className={styles.attempts}>
        {data.log.map((attempt, index) => (
          <li key={attempt.number}>
            <Attempt attempt={attempt} isLatest={index === 0} timeZone={timeZone} />
          </li>
        ))}
      </ol>
    </>
  )
}

interface SummaryProps {
  readonly delivery: DeliveryDetails
  readonly timeZone: string | undefined
}

const Summary = ({ delivery, timeZone }: SummaryProps) => {
  const { tone, word } = deliveryStatus[delivery.status]
  return (
    <>
      <div className={styles.head}>
        <code className={styles.type}>{delivery.type}</code>
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </div>
      <Facts columns>
        <Fact name="Event">{delivery.eventId}</Fact>
        <Fact name="Endpoint">{delivery.url}</Fact>
        <Fact name="Created">{exactText(delivery.createdAt, timeZone)}</Fact>
        <Fact name="Next attempt">
          {delivery.nextAttemptAt ? exactText(delivery.nextAttemptAt, timeZone) : 'None'}
        </Fact>
      </Facts>
    </>
  )
}

interface AttemptProps {
  readonly attempt: DeliveryAttempt
  readonly isLatest: boolean
  readonly timeZone: string | undefined
}

const Attempt = ({ attempt, isLatest, timeZone }: AttemptProps) => (
  <details open={isLatest}>
    <summary>
      <strong>{answerText(attempt)}</strong>
      <span className={styles.quiet}>
        {exactText(attempt.at, timeZone)} · {attempt.durationMs} ms
      </span>
    </summary>
    <h4>Request headers</h4>
    <Code what={`Request headers of try ${attempt.number}`}>{headersText(attempt.requestHeaders)}</Code>
    {attempt.responseStatus !== null && (
      <>
        <h4>Response</h4>
        <Code what={`Response of try ${attempt.number}`}>
          {[headersText(attempt.responseHeaders), attempt.responseBody]
            .filter((part) => part !== '')
            .join('\n\n') || 'No body'}
        </Code>
        {attempt.responseCut && <p className={styles.quiet}>Only its first 2 kB are kept.</p>}
      </>
    )}
  </details>
)

const headersText = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** Long texts scroll inside, for which the keyboard needs a place to stand. */
const Code = ({ what, children }: { readonly what: string; readonly children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
  <section className={styles.code} tabIndex={0} aria-label={what}>
    <pre>{children}</pre>
  </section>
)
