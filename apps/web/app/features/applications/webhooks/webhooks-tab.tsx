import { Button, UnstyledButton } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { WEBHOOKS_MAX } from '@muripo/contract/constants'
import type { Webhook } from '@muripo/contract/dashboard-webhooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../../../api/account.ts'
import { useErrorText } from '../../../api/api-error.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { type NewSecret, useEndpoints } from '../../../api/webhooks.ts'
import { type Column, DataList } from '../../../components/data-list.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../components/empty-state.tsx'
import { IconPlus, IconSend } from '../../../components/icons.ts'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { EndpointDialog, SecretDialog } from './endpoint-dialogs.tsx'
import { EndpointView } from './endpoint-view.tsx'
import { eventsText, useWebhooksText, webhookStatus } from './text.ts'
import styles from './webhooks.module.css'

export function WebhooksTab({ application }: { readonly application: Application }) {
  const t = useWebhooksText()
  const applicationId = application._id
  const cache = useQueryClient()
  const list = useEndpoints(applicationId)
  const errorText = useErrorText()
  const [chosen, setChosen] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<NewSecret | null>(null)
  const all = list.data
  const isFull = (all?.length ?? 0) >= WEBHOOKS_MAX
  const webhook = all?.find(({ _id }) => _id === chosen)

  const show = (secret: NewSecret) => {
    setAdding(false)
    setMade(secret)
    void cache.invalidateQueries({ queryKey: queryKeys.endpoints(applicationId), exact: true })
  }
  const add = (
    <Button
      leftSection={<IconPlus size={18} stroke={2} aria-hidden />}
      disabled={isFull}
      onClick={() => setAdding(true)}
    >
      {t('addEndpointButton')}
    </Button>
  )
  return (
    <>
      {webhook ? (
        <EndpointView
          key={webhook._id}
          applicationId={applicationId}
          webhook={webhook}
          onSecret={show}
          onBack={() => setChosen(null)}
        />
      ) : (
        <>
          <div className={styles.intro}>
            <p>
              {t('webhooksAbout')}
              {isFull && ` ${t('endpointsComplete', { count: WEBHOOKS_MAX })}`}
            </p>
            {all && all.length > 0 && add}
          </div>
          {list.error && !all && (
            <LoadError onRetry={() => void list.refetch()} retrying={list.isFetching}>
              {errorText(list.error)}
            </LoadError>
          )}
          {list.isPending && <LoadingRows>{t('loadingEndpointRows')}</LoadingRows>}
          {all?.length === 0 && (
            <EmptyState icon={IconSend} title={t('noEndpoints')} action={add}>
              {t('addFirstEndpoint')}
            </EmptyState>
          )}
          {all && all.length > 0 && <EndpointRows webhooks={all} onChoose={setChosen} />}
        </>
      )}
      <EndpointDialog
        applicationId={applicationId}
        webhook={null}
        opened={adding}
        onClose={() => setAdding(false)}
        onCreated={show}
      />
      <SecretDialog
        made={made}
        onClose={() => {
          setChosen(made?.webhook._id ?? null)
          setMade(null)
        }}
      />
    </>
  )
}

interface EndpointRowsProps {
  readonly webhooks: readonly Webhook[]
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
        <UnstyledButton className={styles.open ?? ''} onClick={() => onChoose(_id)}>
          <span className={styles.url}>{url}</span>
        </UnstyledButton>
      ),
    },
    {
      title: t('events'),
      area: 'events',
      isQuiet: true,
      className: styles.events,
      cell({ events, mode }) {
        const names = eventsText(events, t)
        return isLive && mode === 'test' ? t('eventsOfTests', { events: names }) : names
      },
    },
    {
      title: dashboard('status'),
      area: 'status',
      cell({ status }) {
        const { tone, text } = webhookStatus[status]
        return <StatusBadge tone={tone}>{t(text)}</StatusBadge>
      },
    },
  ]
  return (
    <DataList
      label={t('endpoints')}
      className={styles.endpointRows}
      columns={columns}
      items={webhooks}
      keyOf={({ _id }) => _id}
    />
  )
}
