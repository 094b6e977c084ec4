import type { Application } from '@muripo/contract/applications'
import { WEBHOOKS_MAX } from '@muripo/contract/constants'
import type { Webhook } from '@muripo/contract/dashboard-webhooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../../../api/account.ts'
import { useMay } from '../../../api/may.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { type NewSecret, useEndpoints } from '../../../api/webhooks.ts'
import { IconPlus, IconSend } from '../../../components/icons.ts'
import { Button } from '../../../components/ui/button.tsx'
import { coverClass, font, row, surface } from '../../../components/ui/classes.ts'
import { type Column, DataList } from '../../../components/ui/data-list.tsx'
import { EmptyState, QueryError } from '../../../components/ui/empty-state.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { EndpointDialog, SecretDialog } from './endpoint-dialogs.tsx'
import { EndpointView } from './endpoint-view.tsx'
import { eventsText, useWebhooksText, webhookStatus } from './text.ts'
import styles from './webhooks.module.css'

export function WebhooksTab({ application }: { readonly application: Application }) {
  const applicationId = application._id
  const cache = useQueryClient()
  const { data: webhooks } = useEndpoints(applicationId)
  const [chosen, setChosen] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const [newSecret, setNewSecret] = useState<NewSecret | null>(null)
  const webhook = webhooks?.find(({ _id }) => _id === chosen)

  const showSecret = (secret: NewSecret) => {
    setAdding(false)
    setNewSecret(secret)
    void cache.invalidateQueries({ queryKey: queryKeys.endpoints(applicationId), exact: true })
  }
  return (
    <>
      {webhook ? (
        <EndpointView
          key={webhook._id}
          applicationId={applicationId}
          webhook={webhook}
          onSecret={showSecret}
          onBack={() => setChosen(null)}
        />
      ) : (
        <EndpointList applicationId={applicationId} onAdd={() => setAdding(true)} onChoose={setChosen} />
      )}
      <EndpointDialog
        applicationId={applicationId}
        webhook={null}
        opened={adding}
        onClose={() => setAdding(false)}
        onCreated={showSecret}
      />
      <SecretDialog
        newSecret={newSecret}
        onClose={() => {
          setChosen(newSecret?.webhook._id ?? null)
          setNewSecret(null)
        }}
      />
    </>
  )
}

interface EndpointListProps {
  readonly applicationId: string
  readonly onAdd: () => void
  readonly onChoose: (webhookId: string) => void
}

function EndpointList({ applicationId, onAdd, onChoose }: EndpointListProps) {
  const t = useWebhooksText()
  const query = useEndpoints(applicationId)
  const { data: webhooks, isPending } = query
  const mayChange = useMay('webhooks.write')
  const isFull = (webhooks?.length ?? 0) >= WEBHOOKS_MAX
  const isEmpty = webhooks?.length === 0
  const add = mayChange && (
    <Button icon={IconPlus} disabled={isFull} onClick={onAdd}>
      {t('addEndpointButton')}
    </Button>
  )
  return (
    <>
      <div className={`${styles.intro} ${row('wrap', 'centre', 'between', 'gap24', 'rows12', 'above16')}`}>
        <p className={font('quiet', 'pretty')}>
          {t('webhooksAbout')}
          {isFull && ` ${t('endpointsComplete', { count: WEBHOOKS_MAX })}`}
        </p>
        {webhooks && !isEmpty && add}
        {isPending && <Skeleton h={44} w={144} />}
      </div>
      {!webhooks && <QueryError query={query} />}
      {isEmpty && (
        <EmptyState icon={IconSend} title={t('noEndpoints')} action={add}>
          {mayChange && t('addFirstEndpoint')}
        </EmptyState>
      )}
      {(isPending || (webhooks && !isEmpty)) && <EndpointRows webhooks={webhooks} onChoose={onChoose} />}
    </>
  )
}

interface EndpointRowsProps {
  /** Undefined while they are loading. */
  readonly webhooks: readonly Webhook[] | undefined
  readonly onChoose: (webhookId: string) => void
}

function EndpointRows({ webhooks, onChoose }: EndpointRowsProps) {
  const t = useWebhooksText()
  const dashboard = useDashboardText()
  const isLive = useAccount().data?.gatewayMode === 'live'
  const columns: readonly Column<Webhook>[] = [
    {
      title: t('endpoint'),
      area: 'url',
      cell: ({ _id, url }) => (
        <button type="button" className={coverClass} onClick={() => onChoose(_id)}>
          <span className={`${styles.clamp} ${font('medium', 'anywhere')}`}>{url}</span>
        </button>
      ),
    },
    {
      title: t('events'),
      area: 'events',
      isQuiet: true,
      className: font('anywhere'),
      cell({ events, mode }) {
        const names = eventsText(events, t)
        return isLive && mode === 'test' ? t('eventsOfTests', { events: names }) : names
      },
    },
    {
      title: dashboard('status'),
      area: 'status',
      placeholder: 'badge',
      cell({ status }) {
        const { tone, text } = webhookStatus[status]
        return <StatusBadge tone={tone}>{t(text)}</StatusBadge>
      },
    },
  ]
  return (
    <DataList
      label={t('endpoints')}
      className={`${styles.endpointRows} ${surface('inset', 'above16')}`}
      columns={columns}
      items={webhooks}
      keyOf={({ _id }) => _id}
      loading={t('loadingEndpointRows')}
      loadingRows={2}
    />
  )
}
