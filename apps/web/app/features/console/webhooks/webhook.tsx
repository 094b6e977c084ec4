import type { Delivery } from '@muripo/contract/dashboard-webhooks'
import type { EventId } from '@muripo/contract/ids'
import { deliveryStatuses } from '@muripo/contract/webhook-enums'
import { useParams } from 'react-router'
import { toast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { EmptyState } from '../../../components/ui/empty-state.tsx'
import { SelectField } from '../../../components/ui/field.tsx'
import { PageHeader } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import type { CsvColumns } from '../../../lib/csv-text.ts'
import { useConsoleMay } from '../api.ts'
import { Refused } from '../decisions/reason-dialog.tsx'
import { addressOf, entries } from '../entries.ts'
import { ExportButton } from '../export-button.tsx'
import { IconWebhook } from '../icons.ts'
import { BackTo, Controls, Foot, figure, List, More, useAddressFilter, When } from '../list-parts.tsx'
import { deliveriesPage, resend, useDeliveries } from '../operation-queries.ts'
import { useChange } from '../queries.ts'
import { useConsoleText } from '../text.ts'
import { EndpointBadge } from './endpoint-badge.tsx'
import styles from './webhooks.module.css'

const states = {
  pending: ['yellow', 'webhooksPending'],
  delivered: ['green', 'webhooksDelivered'],
  failed: ['red', 'webhooksFailed'],
} as const

/** The deliveries of one endpoint, of which each can be sent again. */
export default function Webhook() {
  const t = useConsoleText()
  const { merchantId = '', webhookId = '' } = useParams()
  const [typed, setStatus] = useAddressFilter('status')
  const status = deliveryStatuses.find((each) => each === typed)
  const query = useDeliveries(merchantId, webhookId, status)
  const endpoint = query.data?.pages[0]?.endpoint
  const items = query.data?.pages.flatMap(({ deliveries }) => deliveries)
  const sending = useChange(
    (eventId: string) => resend(merchantId, webhookId, eventId),
    () => toast.success(t('webhooksResent')),
  )
  const columns = useColumns((eventId) => sending.isPending || sending.mutate(eventId))
  return (
    <>
      <BackTo to={addressOf(entries.webhooks)}>{t('consoleWebhooksPage')}</BackTo>
      <PageHeader
        title={endpoint?.url ?? t('consoleWebhookPage')}
        subtitle={endpoint ? `${endpoint.merchantName}, ${endpoint.applicationName}` : ''}
      />
      <Refused error={sending.error} />
      <Panel
        title={t('webhooksEvent')}
        busy={!items}
        aside={endpoint && <EndpointBadge status={endpoint.status} />}
      >
        <Controls>
          <SelectField
            label={t('consoleShow')}
            value={status ?? ''}
            choices={[
              { value: '', label: t('reviewsAll') },
              ...deliveryStatuses.map((value) => ({ value, label: t(states[value][1]) })),
            ]}
            onChange={({ currentTarget: { value } }) => setStatus(value)}
          />
        </Controls>
        <List
          label={t('webhooksEvent')}
          className={styles.deliveries}
          columns={columns}
          query={query}
          items={items}
          keyOf={({ eventId }) => eventId}
          none={<EmptyState icon={IconWebhook} title={t('webhooksNoDeliveries')} />}
        />
        {items && items.length > 0 && (
          <Foot>
            <More {...query} />
            <ExportButton
              file="deliveries"
              columns={file}
              readPage={(cursor: EventId | null) => deliveriesPage(merchantId, webhookId, status, cursor)}
            />
          </Foot>
        )}
      </Panel>
    </>
  )
}

const file: CsvColumns<Delivery> = [
  ['Event', ({ eventId }) => eventId],
  ['Type', ({ type }) => type],
  ['Status', ({ status }) => status],
  ['Last answer', ({ responseStatus, error }) => String(responseStatus ?? error ?? '')],
  ['Attempts', ({ attempts }) => String(attempts)],
  ['Since', ({ createdAt }) => createdAt],
]

function useColumns(onResend: (eventId: string) => void): readonly Column<Delivery>[] {
  const t = useConsoleText()
  const maySend = useConsoleMay('console.webhooks.resend')
  return [
    {
      title: t('webhooksEvent'),
      area: 'name',
      className: font('medium', 'anywhere'),
      cell: ({ type }) => type,
    },
    {
      title: t('consoleStatus'),
      area: 'status',
      placeholder: 'badge',
      cell: ({ status }) => <StatusBadge tone={states[status][0]}>{t(states[status][1])}</StatusBadge>,
    },
    {
      title: t('webhooksLast'),
      area: 'last',
      isQuiet: true,
      className: font('anywhere'),
      cell: ({ responseStatus, error }) => responseStatus ?? error ?? '–',
    },
    figure(t('webhooksAttempts'), 'attempts', ({ attempts }) => attempts),
    {
      title: t('consoleSince'),
      area: 'since',
      isQuiet: true,
      align: 'end',
      cell: ({ createdAt }) => <When at={createdAt} />,
    },
    {
      title: t('webhooksResend'),
      isTitleHidden: true,
      area: 'act',
      align: 'end',
      placeholder: 'button',
      cell: ({ eventId, type }) =>
        maySend && (
          <Button
            kind="default"
            aria-label={`${t('webhooksResend')}: ${type}`}
            onClick={() => onResend(eventId)}
          >
            {t('webhooksResend')}
          </Button>
        ),
    },
  ]
}
