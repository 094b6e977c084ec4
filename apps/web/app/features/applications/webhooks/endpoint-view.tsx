import type { Webhook } from '@muripo/contract/dashboard-webhooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useMay } from '../../../api/may.ts'
import { type EndpointRef, queryKeys } from '../../../api/query-keys.ts'
import { type NewSecret, sendTestEvent, updateEndpoint } from '../../../api/webhooks.ts'
import { useErrorToast } from '../../../components/error-toast.ts'
import { IconArrowLeft, IconSend } from '../../../components/icons.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, row, textLinkClass } from '../../../components/ui/classes.ts'
import { Fact, Facts } from '../../../components/ui/facts.tsx'
import { Note } from '../../../components/ui/note.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { useFormats } from '../../../lib/use-formats.ts'
import { Deliveries } from './deliveries.tsx'
import { DeleteDialog, EndpointDialog, RotateDialog } from './endpoint-dialogs.tsx'
import { eventsText, useWebhooksText, webhookStatus } from './text.ts'
import styles from './webhooks.module.css'

interface EndpointViewProps {
  readonly applicationId: string
  readonly webhook: Webhook
  readonly onSecret: (secret: NewSecret) => void
  readonly onBack: () => void
}

type OpenDialog = 'edit' | 'rotate' | 'delete'

export function EndpointView({ applicationId, webhook, onSecret, onBack }: EndpointViewProps) {
  const t = useWebhooksText()
  const cache = useQueryClient()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const back = useRef<HTMLButtonElement>(null)
  const endpoint = { applicationId, webhookId: webhook._id }
  const mayChange = useMay('webhooks.write')
  const close = () => setOpen(null)
  // The pressed row is removed, so the focus moves to the back button.
  useEffect(() => back.current?.focus({ preventScroll: true }), [])

  const refetchEndpoints = () =>
    cache.invalidateQueries({ queryKey: queryKeys.endpoints(applicationId), exact: true })
  return (
    <>
      <button
        type="button"
        ref={back}
        className={`${textLinkClass} ${font('quiet', 'above8')}`}
        onClick={onBack}
      >
        <IconArrowLeft size={18} stroke={1.75} aria-hidden />
        {t('allEndpoints')}
      </button>
      <EndpointFacts webhook={webhook} />
      {mayChange && (
        <EndpointActions
          endpoint={endpoint}
          webhook={webhook}
          onOpen={setOpen}
          onChanged={refetchEndpoints}
        />
      )}
      <Deliveries endpoint={endpoint} off={webhook.status === 'disabled'} />
      <EndpointDialog
        applicationId={applicationId}
        webhook={webhook}
        opened={open === 'edit'}
        onClose={close}
        onChanged={() => {
          close()
          void refetchEndpoints()
        }}
      />
      <RotateDialog
        endpoint={endpoint}
        opened={open === 'rotate'}
        onClose={close}
        onRotated={(secret) => {
          close()
          onSecret(secret)
        }}
      />
      <DeleteDialog
        endpoint={endpoint}
        url={webhook.url}
        opened={open === 'delete'}
        onClose={close}
        onDeleted={() => {
          onBack()
          void refetchEndpoints()
        }}
      />
    </>
  )
}

function EndpointFacts({ webhook }: { readonly webhook: Webhook }) {
  const t = useWebhooksText()
  const { exactText } = useFormats()
  const status = webhookStatus[webhook.status]
  return (
    <>
      <div className={row('wrap', 'centre', 'between', 'gap16', 'rows8')}>
        <h2 className={`${styles.url} ${font('lg', 'medium', 'snug', 'anywhere')}`}>{webhook.url}</h2>
        <StatusBadge tone={status.tone}>{t(status.text)}</StatusBadge>
      </div>
      {webhook.status === 'failing' && <Note>{t('failingAbout')}</Note>}
      {webhook.status === 'disabled' && <Note>{t('offAbout')}</Note>}
      <Facts columns>
        <Fact name={t('events')}>{eventsText(webhook.events, t)}</Fact>
        <Fact name={t('endpointAdded')}>{exactText(webhook.createdAt)}</Fact>
        {webhook.previousSecretExpiresAt && (
          <Fact name={t('previousSecretUntil')} full>
            {exactText(webhook.previousSecretExpiresAt)}
          </Fact>
        )}
      </Facts>
    </>
  )
}

interface EndpointActionsProps {
  readonly endpoint: EndpointRef
  readonly webhook: Webhook
  readonly onOpen: (dialog: OpenDialog) => void
  readonly onChanged: () => Promise<void>
}

function EndpointActions({ endpoint, webhook, onOpen, onChanged }: EndpointActionsProps) {
  const t = useWebhooksText()
  const toastError = useErrorToast()
  const cache = useQueryClient()
  const off = webhook.status === 'disabled'
  const test = useMutation({
    mutationFn: () => sendTestEvent(endpoint),
    onSuccess: () => {
      dashboardToast.success(t('testEventSent'))
      void cache.invalidateQueries({ queryKey: queryKeys.deliveries(endpoint) })
    },
    onError: toastError,
  })
  const toggling = useMutation({
    mutationFn: () => updateEndpoint(endpoint, { status: off ? 'active' : 'disabled' }),
    onSuccess: ({ status }) => {
      dashboardToast.success(t(status === 'disabled' ? 'turnedOff' : 'turnedOn'))
      return onChanged()
    },
    onError: toastError,
  })
  return (
    <div className={`${styles.actions} ${row('wrap', 'gap8', 'above24')}`}>
      <Button icon={IconSend} running={test.isPending} disabled={off} onClick={() => test.mutate()}>
        {t('sendTestEventButton')}
      </Button>
      <Button kind="default" onClick={() => onOpen('edit')}>
        {t('edit')}
      </Button>
      <Button kind="default" onClick={() => onOpen('rotate')}>
        {t('rotateSecretButton')}
      </Button>
      <Button kind="default" running={toggling.isPending} onClick={() => toggling.mutate()}>
        {t(off ? 'turnOn' : 'turnOff')}
      </Button>
      <Button kind="default" onClick={() => onOpen('delete')}>
        {t('delete')}
      </Button>
    </div>
  )
}
