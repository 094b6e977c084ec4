import type { Delivery, DeliveryAttempt, DeliveryDetails } from '@muripo/contract/dashboard-webhooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../../api/may.ts'
import { type EndpointRef, queryKeys } from '../../../api/query-keys.ts'
import { resendDelivery, useDeliveries, useDelivery } from '../../../api/webhooks.ts'
import { useErrorToast } from '../../../components/error-toast.ts'
import { IconArrowsExchange, IconRefresh } from '../../../components/icons.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { coverClass, font, grid, row, surface } from '../../../components/ui/classes.ts'
import { type Column, DataList } from '../../../components/ui/data-list.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { EmptyState, QueryError } from '../../../components/ui/empty-state.tsx'
import { Fact, Facts } from '../../../components/ui/facts.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { VisuallyHidden } from '../../../components/ui/visually-hidden.tsx'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import { answerText, deliveryStatus, readable, useWebhooksText } from './text.ts'
import styles from './webhooks.module.css'

interface DeliveriesProps {
  readonly endpoint: EndpointRef
  /** Whether the endpoint is disabled, so that no delivery can be sent again. */
  readonly off: boolean
}

export function Deliveries({ endpoint, off }: DeliveriesProps) {
  const t = useWebhooksText()
  const dashboard = useDashboardText()
  const { isFetching, refetch } = useDeliveries(endpoint)
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <section className={styles.deliveries} aria-labelledby="deliveries">
      <div className={row('wrap', 'centre', 'between', 'gap16', 'rows8')}>
        <h3 id="deliveries" className={font('lg', 'semibold')}>
          {t('deliveries')}
        </h3>
        <Button
          kind="default"
          size="small"
          icon={IconRefresh}
          running={isFetching}
          onClick={() => void refetch()}
        >
          {dashboard('refresh')}
        </Button>
      </div>
      <DeliveryList endpoint={endpoint} onOpen={setOpened} />
      <DeliveryDialog endpoint={endpoint} eventId={opened} off={off} onClose={() => setOpened(null)} />
    </section>
  )
}

interface DeliveryListProps {
  readonly endpoint: EndpointRef
  readonly onOpen: (eventId: string) => void
}

function DeliveryList({ endpoint, onOpen }: DeliveryListProps) {
  const t = useWebhooksText()
  const columns = useDeliveryColumns(onOpen)
  const list = useDeliveries(endpoint)
  const deliveries = list.data?.pages.flatMap((page) => page.deliveries)
  if (list.isError && !deliveries) return <QueryError query={list} />
  if (deliveries?.length === 0) {
    return (
      <EmptyState icon={IconArrowsExchange} title={t('noDeliveries')}>
        {t('noDeliveriesAbout')}
      </EmptyState>
    )
  }
  return (
    <>
      <DataList
        label={t('deliveries')}
        className={`${styles.deliveryRows} ${surface('inset', 'above16')}`}
        columns={columns}
        items={deliveries}
        keyOf={({ eventId }) => eventId}
        loading={t('loadingDeliveries')}
      />
      {list.hasNextPage && (
        <Button
          kind="default"
          running={list.isFetchingNextPage}
          runningLabel={t('loadingMore')}
          onClick={() => void list.fetchNextPage()}
        >
          {t('showMore')}
        </Button>
      )}
    </>
  )
}

function useDeliveryColumns(onOpen: (eventId: string) => void): readonly Column<Delivery>[] {
  const t = useWebhooksText()
  const dashboard = useDashboardText()
  const { whenText } = useFormats()
  return [
    {
      title: t('event'),
      area: 'event',
      cell: ({ eventId, type }) => (
        <button type="button" className={coverClass} onClick={() => onOpen(eventId)}>
          <code className={font('mono', 'sm', 'medium', 'anywhere')}>{type}</code>
        </button>
      ),
    },
    {
      title: dashboard('date'),
      area: 'date',
      isQuiet: true,
      cell: ({ createdAt }) => whenText(createdAt),
    },
    { title: t('response'), area: 'response', isQuiet: true, cell: (delivery) => answerText(delivery, t) },
    {
      title: t('attempts'),
      cardTitle: t('attemptsCard'),
      area: 'attempts',
      isQuiet: true,
      align: 'endInCard',
      cell: ({ attempts }) => attempts,
    },
    {
      title: dashboard('status'),
      area: 'status',
      align: 'endInCard',
      placeholder: 'badge',
      cell({ status }) {
        const { tone, text } = deliveryStatus[status]
        return <StatusBadge tone={tone}>{t(text)}</StatusBadge>
      },
    },
  ]
}

interface DeliveryDialogProps {
  readonly endpoint: EndpointRef
  readonly eventId: string | null
  readonly off: boolean
  readonly onClose: () => void
}

export function DeliveryDialog({ endpoint, eventId, off, onClose }: DeliveryDialogProps) {
  const t = useWebhooksText()
  return (
    <Dialog opened={eventId !== null} onClose={onClose} title={t('delivery')} size="wide">
      {eventId !== null && <DeliveryContent endpoint={endpoint} eventId={eventId} off={off} />}
    </Dialog>
  )
}

interface DeliveryContentProps extends Omit<DeliveryDialogProps, 'onClose'> {
  readonly eventId: string
}

function DeliveryContent({ endpoint, eventId, off }: DeliveryContentProps) {
  const t = useWebhooksText()
  const toastError = useErrorToast()
  const cache = useQueryClient()
  const query = useDelivery(endpoint, eventId)
  const { data, error } = query
  const mayResend = useMay('webhooks.write')
  const resending = useMutation({
    mutationFn: () => resendDelivery(endpoint, eventId),
    onSuccess: () => {
      dashboardToast.success(t('sentAgain'))
      void cache.invalidateQueries({ queryKey: queryKeys.deliveries(endpoint) })
    },
    onError: toastError,
  })
  if (error && !data) return <QueryError query={query} />
  if (!data) return <LoadingDelivery />
  return (
    <>
      <Summary delivery={data} />
      {mayResend && (
        <Button
          kind="default"
          spaced
          icon={IconRefresh}
          disabled={off}
          running={resending.isPending}
          onClick={() => resending.mutate()}
        >
          {t('resend')}
        </Button>
      )}
      <h3 className={font('base', 'semibold', 'above24', 'below8')}>{t('requestBody')}</h3>
      <Code what={t('requestBody')}>{readable(data.requestBody)}</Code>
      <h3 className={font('base', 'semibold', 'above24', 'below8')}>{t('attempts')}</h3>
      {data.log.length === 0 && <p className={font('sm', 'quiet', 'anywhere')}>{t('noAttempts')}</p>}
      <ol className={`${styles.attempts} ${grid('gap8', 'list')}`}>
        {data.log.map((attempt, index) => (
          <li key={attempt.number}>
            <Attempt attempt={attempt} isLatest={index === 0} />
          </li>
        ))}
      </ol>
    </>
  )
}

/** The places of the summary and of what follows it. */
function LoadingDelivery() {
  const t = useWebhooksText()
  const dashboard = useDashboardText()
  return (
    <div aria-busy="true">
      <VisuallyHidden>
        <p role="status">{t('loadingDelivery')}</p>
      </VisuallyHidden>
      <div className={row('wrap', 'centre', 'between', 'gap16', 'rows8')}>
        <Skeleton h={14} w={150} my={5} />
        <Skeleton h={24} w={104} radius={12} />
      </div>
      <Facts columns>
        {[t('event'), t('endpoint'), dashboard('created'), t('nextAttempt')].map((name) => (
          <Fact key={name} name={name}>
            <Skeleton h={14} w={220} maw="80%" my={5} />
          </Fact>
        ))}
      </Facts>
      <Skeleton h={44} w={152} mt={20} />
      <h3 className={font('base', 'semibold', 'above24', 'below8')}>{t('requestBody')}</h3>
      <Skeleton h={320} />
    </div>
  )
}

function Summary({ delivery }: { readonly delivery: DeliveryDetails }) {
  const t = useWebhooksText()
  const dashboard = useDashboardText()
  const { exactText } = useFormats()
  const { tone, text } = deliveryStatus[delivery.status]
  return (
    <>
      <div className={row('wrap', 'centre', 'between', 'gap16', 'rows8')}>
        <code className={font('mono', 'sm', 'medium', 'anywhere')}>{delivery.type}</code>
        <StatusBadge tone={tone}>{t(text)}</StatusBadge>
      </div>
      <Facts columns>
        <Fact name={t('event')}>{delivery.eventId}</Fact>
        <Fact name={t('endpoint')}>{delivery.url}</Fact>
        <Fact name={dashboard('created')}>{exactText(delivery.createdAt)}</Fact>
        <Fact name={t('nextAttempt')}>
          {delivery.nextAttemptAt ? exactText(delivery.nextAttemptAt) : t('noNextAttempt')}
        </Fact>
      </Facts>
    </>
  )
}

interface AttemptProps {
  readonly attempt: DeliveryAttempt
  readonly isLatest: boolean
}

function Attempt({ attempt, isLatest }: AttemptProps) {
  const t = useWebhooksText()
  const { exactText } = useFormats()
  const { number } = attempt
  return (
    <details className={surface('inset')} open={isLatest}>
      <summary className={row('wrap', 'centre', 'between', 'gap16', 'rows0')}>
        <strong>{answerText(attempt, t)}</strong>
        <span className={font('sm', 'quiet', 'anywhere')}>
          {exactText(attempt.at)} · {attempt.durationMs} ms
        </span>
      </summary>
      <h4 className={font('xs', 'medium', 'quiet')}>{t('requestHeaders')}</h4>
      <Code what={t('requestHeadersOf', { number })}>{headersText(attempt.requestHeaders)}</Code>
      {attempt.responseStatus !== null && (
        <>
          <h4 className={font('xs', 'medium', 'quiet')}>{t('response')}</h4>
          <Code what={t('responseOf', { number })}>
            {[headersText(attempt.responseHeaders), attempt.responseBody]
              .filter((part) => part !== '')
              .join('\n\n') || t('noBody')}
          </Code>
          {attempt.responseCut && <p className={font('sm', 'quiet', 'anywhere')}>{t('responseCut')}</p>}
        </>
      )}
    </details>
  )
}

const headersText = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** A long text scrolls inside its frame, which the keyboard reaches. */
const Code = ({ what, children }: { readonly what: string; readonly children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
  <section className={`${styles.code} ${surface('inset', 'tinted')}`} tabIndex={0} aria-label={what}>
    <pre className={font('mono', 'xs', 'line20')}>{children}</pre>
  </section>
)
