import type { Webhook } from '@muripo/contract/dashboard-webhooks'
import { type EventType, eventTypes } from '@muripo/contract/webhook-enums'
import { useMutation } from '@tanstack/react-query'
import type { EndpointRef } from '../../../api/query-keys.ts'
import {
  createEndpoint,
  deleteEndpoint,
  type NewSecret,
  rotateEndpointSecret,
  updateEndpoint,
} from '../../../api/webhooks.ts'
import { type Save, useErrorToast, useFieldRefusal } from '../../../components/error-toast.ts'
import { Refusal } from '../../../components/refusal.tsx'
import { dashboardToast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, stack } from '../../../components/ui/classes.ts'
import { Confirm } from '../../../components/ui/confirm.tsx'
import { Dialog, DialogFoot, FormFoot } from '../../../components/ui/dialog.tsx'
import { Facts, KeyFact } from '../../../components/ui/facts.tsx'
import { Box, Boxes, TextField } from '../../../components/ui/field.tsx'
import { Note } from '../../../components/ui/note.tsx'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { formProps, useForm } from '../../../lib/forms.ts'
import { withElements } from '../../../lib/sentence.tsx'
import { eventTexts, urlError, useWebhooksText, type WebhooksText } from './text.ts'

interface EndpointDialogProps {
  readonly applicationId: string
  /** The endpoint to edit; null for a new one. */
  readonly webhook: Webhook | null
  readonly opened: boolean
  readonly onClose: () => void
  readonly onCreated?: (secret: NewSecret) => void
  readonly onChanged?: () => void
}

export function EndpointDialog({
  applicationId,
  webhook,
  opened,
  onClose,
  onCreated,
  onChanged,
}: EndpointDialogProps) {
  const t = useWebhooksText()
  const saving = useMutation({
    mutationFn: async ({ url, events }: Values) => {
      const body = { url: url.trim(), events }
      if (webhook === null) return onCreated?.(await createEndpoint(applicationId, body))
      await updateEndpoint({ applicationId, webhookId: webhook._id }, body)
      dashboardToast.success(t('endpointSaved'))
      onChanged?.()
    },
  })
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t(webhook ? 'editEndpoint' : 'addEndpointButton')}
      closesBy="escape"
      running={saving.isPending}
    >
      <EndpointForm
        webhook={webhook}
        running={saving.isPending}
        error={saving.error}
        save={saving.mutate}
        onCancel={onClose}
      />
    </Dialog>
  )
}

interface Values {
  readonly url: string
  readonly events: EventType[]
}

const firstEvents: EventType[] = [
  'payment.completed',
  'payment.failed',
  'payment.refunded',
  'payment.reversed',
  'payment.reversal_booked',
  'payment.reversal_dismissed',
  'payment.reversal_undone',
  'refund.failed',
]

function endpointErrors({ url, events }: Values, t: WebhooksText): { url?: string; events?: string } {
  const error = urlError(url, t)
  return {
    ...(error !== null && { url: error }),
    ...(events.length === 0 && { events: t('eventsMissing') }),
  }
}

interface EndpointFormProps {
  readonly webhook: Webhook | null
  readonly running: boolean
  readonly error: Error | null
  readonly save: Save<Values>
  readonly onCancel: () => void
}

/** Mounted only while the dialog is open, so that it starts with the saved values each time. */
function EndpointForm({ webhook, running, error, save, onCancel }: EndpointFormProps) {
  const t = useWebhooksText()
  const dashboard = useDashboardText()
  const form = useForm<Values>({
    initialValues: { url: webhook?.url ?? '', events: webhook ? [...webhook.events] : firstEvents },
    validate: (values) => endpointErrors(values, t),
  })
  const onError = useFieldRefusal(form, 'url')
  return (
    <form {...formProps(form, running, (values) => save(values, { onError }))}>
      <div className={stack('gap24')}>
        <TextField
          label={t('endpointUrl')}
          placeholder="https://example.com/webhooks"
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('url')}
        />
        <EventChoice {...form.getInputProps('events')} />
      </div>
      <Refusal error={error} />
      <FormFoot running={running} runningLabel={dashboard('saving')} onCancel={onCancel}>
        {t(webhook ? 'saveEndpointButton' : 'addEndpointButton')}
      </FormFoot>
    </form>
  )
}

interface EventChoiceProps {
  readonly value: EventType[]
  readonly error: string | undefined
  readonly onChange: (events: string[]) => void
  /** The name of the field, for the first checkbox: the form focuses it. */
  readonly 'data-path': string
}

function EventChoice({ value, onChange, error, 'data-path': name }: EventChoiceProps) {
  const t = useWebhooksText()
  const toggle = (type: EventType) =>
    onChange(value.includes(type) ? value.filter((each) => each !== type) : [...value, type])
  return (
    <Boxes label={t('events')} error={error}>
      {eventTypes.map((type) => (
        <Box
          key={type}
          {...(type === eventTypes[0] && { 'data-path': name })}
          checked={value.includes(type)}
          onChange={() => toggle(type)}
          label={<code className={font('mono', 'sm', 'medium', 'anywhere')}>{type}</code>}
          help={t(eventTexts[type])}
        />
      ))}
    </Boxes>
  )
}

interface SecretDialogProps {
  readonly newSecret: NewSecret | null
  readonly onClose: () => void
}

/** Shows a signing secret, which no page shows again. */
export function SecretDialog({ newSecret, onClose }: SecretDialogProps) {
  const t = useWebhooksText()
  return (
    <Dialog opened={newSecret !== null} onClose={onClose} title={t('secretTitle')} closesBy="button">
      <p>{t('secretAbout')}</p>
      <Facts>
        <KeyFact name={t('secret')}>{newSecret?.secret ?? ''}</KeyFact>
      </Facts>
      <Note>{t('secretOnce')}</Note>
      <DialogFoot>
        <Button onClick={onClose}>{t('secretKept')}</Button>
      </DialogFoot>
    </Dialog>
  )
}

interface EndpointConfirmationProps {
  readonly endpoint: EndpointRef
  readonly opened: boolean
  readonly onClose: () => void
}

export function RotateDialog({
  endpoint,
  opened,
  onClose,
  onRotated,
}: EndpointConfirmationProps & { readonly onRotated: (secret: NewSecret) => void }) {
  const t = useWebhooksText()
  const toastError = useErrorToast()
  const rotation = useMutation({
    mutationFn: () => rotateEndpointSecret(endpoint),
    onSuccess: onRotated,
    onError: toastError,
  })
  return (
    <Confirm
      opened={opened}
      title={t('rotateSecretButton')}
      verb={t('rotateSecretButton')}
      working={t('rotating')}
      running={rotation.isPending}
      onConfirm={() => rotation.mutate()}
      onClose={onClose}
    >
      <p>{t('rotateAbout')}</p>
    </Confirm>
  )
}

export function DeleteDialog({
  endpoint,
  url,
  opened,
  onClose,
  onDeleted,
}: EndpointConfirmationProps & { readonly url: string; readonly onDeleted: () => void }) {
  const t = useWebhooksText()
  const toastError = useErrorToast()
  const deletion = useMutation({
    mutationFn: () => deleteEndpoint(endpoint),
    onSuccess: () => {
      dashboardToast.success(t('endpointDeleted'))
      onDeleted()
    },
    onError: toastError,
  })
  return (
    <Confirm
      opened={opened}
      title={t('deleteEndpointTitle')}
      verb={t('delete')}
      working={t('deleting')}
      running={deletion.isPending}
      danger
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      <p>
        {withElements((values) => t('deleteEffect', values), {
          url: <strong className={font('semibold', 'anywhere')}>{url}</strong>,
        })}
      </p>
      <Note>{t('deleteForGood')}</Note>
    </Confirm>
  )
}
