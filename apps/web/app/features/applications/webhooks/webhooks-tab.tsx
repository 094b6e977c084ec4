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
import { EndpointDialog, SecretDialog } from './endpoint-dialogs.tsx'
import { EndpointView } from './endpoint-view.tsx'
import { eventsText, webhookStatus } from './webhook-text.ts'
import styles from './webhooks.module.css'

export function WebhooksTab({ application }: { readonly application: Application }) {
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
      Add Endpoint
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
              We tell your server what happens to its payments by posting signed events to an address of
              yours.
              {isFull &&
                ` These ${WEBHOOKS_MAX} are all that an application can have: delete one to add another.`}
            </p>
            {all && all.length > 0 && add}
          </div>
          {list.error && !all && (
            <LoadError onRetry={() => void list.refetch()} retrying={list.isFetching}>
              {errorText(list.error)}
            </LoadError>
          )}
          {list.isPending && <LoadingRows>Loading endpoints...</LoadingRows>}
          {all?.length === 0 && (
            <EmptyState icon={IconSend} title="No webhook endpoints yet" action={add}>
              Add the address of your server, and choose which events it is sent.
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
  const isLive = useAccount().data?.gatewayMode === 'live'
  const columns: readonly Column<Webhook>[] = [
    {
      title: 'Endpoint',
      area: 'url',
      cell: ({ _id, url }) => (
        <UnstyledButton className={styles.open ?? ''} onClick={() => onChoose(_id)}>
          <span className={styles.url}>{url}</span>
        </UnstyledButton>
      ),
    },
    {
      title: 'Events',
      area: 'events',
      isQuiet: true,
      className: styles.events,
      cell: ({ events, mode }) =>
        `${isLive && mode === 'test' ? 'Test payments · ' : ''}${eventsText(events)}`,
    },
    {
      title: 'Status',
      area: 'status',
      cell({ status }) {
        const { tone, word } = webhookStatus[status]
        return <StatusBadge tone={tone}>{word}</StatusBadge>
      },
    },
  ]
  return (
    <DataList
      label="Webhook endpoints"
      className={styles.endpointRows}
      columns={columns}
      items={webhooks}
      keyOf={({ _id }) => _id}
    />
  )
}
