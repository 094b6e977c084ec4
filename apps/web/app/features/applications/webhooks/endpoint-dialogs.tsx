import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core'
import type { Webhook } from '@muripo/contract/dashboard-webhooks'
import { type EventType, eventTypes } from '@muripo/contract/enums'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { hasCode, useErrorText } from '../../../api/api-error.ts'
import type { EndpointRef } from '../../../api/query-keys.ts'
import {
  createEndpoint,
  deleteEndpoint,
  type NewSecret,
  rotateEndpointSecret,
  updateEndpoint,
} from '../../../api/webhooks.ts'
import { BusyButton, SubmitButton } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import facts from '../../../components/description-list.module.css'
import { Fact, Facts } from '../../../components/description-list.tsx'
import dialogs from '../../../components/dialogs.module.css'
import { useErrorToast } from '../../../components/error-toast.ts'
import { Note } from '../../../components/note.tsx'
import { dashboardToast } from '../../../components/toast.ts'
import { formProps, useForm } from '../../../lib/forms.ts'
import { eventTexts, urlError } from './webhook-text.ts'
import styles from './webhooks.module.css'

interface EndpointDialogProps {
  readonly applicationId: string
  /** The endpoint to edit; null for a new one. */
  readonly webhook: Webhook | null
  readonly opened: boolean
  readonly onClose: () => void
  readonly onCreated?: (secret: NewSecret) => void
  readonly onChanged?: () => void
}

export const EndpointDialog = ({ opened, onClose, ...form }: EndpointDialogProps) => (
  <Modal
    opened={opened}
    onClose={onClose}
    title={form.webhook ? 'Edit Endpoint' : 'Add Endpoint'}
    size={520}
    closeOnClickOutside={false}
  >
    <EndpointForm {...form} onClose={onClose} />
  </Modal>
)

interface Values {
  readonly url: string
  readonly events: EventType[]
}

const firstEvents: EventType[] = [
  'payment.completed',
  'payment.failed',
  'payment.refunded',
  'payment.reversed',
  'refund.failed',
]

function endpointErrors({ url, events }: Values): { url?: string; events?: string } {
  const error = urlError(url)
  return {
    ...(error !== null && { url: error }),
    ...(events.length === 0 && { events: 'Please choose at least one event' }),
  }
}

/** Lives as long as the dialog is open, so that it starts with what is saved each time. */
function EndpointForm({
  applicationId,
  webhook,
  onClose,
  onCreated,
  onChanged,
}: Omit<EndpointDialogProps, 'opened'>) {
  const toastError = useErrorToast()
  const errorText = useErrorText()
  const form = useForm<Values>({
    initialValues: { url: webhook?.url ?? '', events: webhook ? [...webhook.events] : firstEvents },
    validate: endpointErrors,
  })
  const saving = useMutation({
    mutationFn: async ({ url, events }: Values) => {
      const body = { url: url.trim(), events }
      if (webhook === null) return onCreated?.(await createEndpoint(applicationId, body))
      await updateEndpoint({ applicationId, webhookId: webhook._id }, body)
      dashboardToast.success('Endpoint saved')
      onChanged?.()
    },
    onError: (error) => {
      if (!hasCode(error, 'validation_failed')) return toastError(error)
      form.setFieldError('url', errorText(error))
      form.getInputNode('url')?.focus()
    },
  })
  const running = saving.isPending
  return (
    <form className={dialogs.form} {...formProps(form, running, saving.mutate)}>
      <TextInput
        label="Endpoint URL"
        placeholder="https://shop.example.com/webhooks"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('url')}
      />
      <Checkbox.Group
        label="Events"
        errorProps={{ mt: 10 }}
        {...form.getInputProps('events')}
        data-path={undefined}
      >
        <Stack gap={12} mt={4}>
          {eventTypes.map((type) => (
            <Checkbox
              key={type}
              id={type}
              {...(type === eventTypes[0] && { 'data-path': 'events' })}
              value={type}
              label={<code className={styles.type}>{type}</code>}
              description={eventTexts[type]}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Group justify="flex-end">
        <BusyButton variant="default" running={running} onClick={onClose}>
          Cancel
        </BusyButton>
        <SubmitButton running={running} runningLabel="Saving...">
          {webhook ? 'Save Endpoint' : 'Add Endpoint'}
        </SubmitButton>
      </Group>
    </form>
  )
}

interface SecretDialogProps {
  readonly made: NewSecret | null
  readonly onClose: () => void
}

/** The one time that a secret is shown. */
export function SecretDialog({ made, onClose }: SecretDialogProps) {
  // The dialog keeps its content while it fades.
  const [shown, setShown] = useState(made)
  if (made && made !== shown) setShown(made)
  return (
    <Modal
      opened={made !== null}
      onClose={onClose}
      title="Signing Secret"
      size={560}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <p>Your server checks with it that an event is from us. Keep it where you keep your application key.</p>
      <Facts>
        <Fact name="Signing secret">
          <span className={facts.key}>
            <code>{shown?.secret}</code>
            <CopyButton text={shown?.secret ?? ''} what="signing secret" />
          </span>
        </Fact>
      </Facts>
      <Note>It is shown this once. If you lose it, rotate the secret.</Note>
      <Group justify="flex-end" mt={24}>
        <Button onClick={onClose}>I have kept it</Button>
      </Group>
    </Modal>
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
  const toastError = useErrorToast()
  const rotation = useMutation({
    mutationFn: () => rotateEndpointSecret(endpoint),
    onSuccess: onRotated,
    onError: toastError,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title="Rotate Secret"
      confirm="Rotate Secret"
      confirming="Rotating..."
      running={rotation.isPending}
      onConfirm={() => rotation.mutate()}
      onClose={onClose}
    >
      <p>
        Every delivery is signed with a new secret from now on. For 24 hours the present one signs beside it,
        so that you can change over without losing an event.
      </p>
    </ConfirmDialog>
  )
}

export function DeleteDialog({
  endpoint,
  url,
  opened,
  onClose,
  onDeleted,
}: EndpointConfirmationProps & { readonly url: string; readonly onDeleted: () => void }) {
  const toastError = useErrorToast()
  const deletion = useMutation({
    mutationFn: () => deleteEndpoint(endpoint),
    onSuccess: () => {
      dashboardToast.success('Endpoint deleted')
      onDeleted()
    },
    onError: toastError,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete Endpoint"
      confirm="Delete"
      confirming="Deleting..."
      running={deletion.isPending}
      color="danger"
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      <p>
        Nothing more is sent to <strong className={dialogs.named}>{url}</strong>, not even what is waiting.
      </p>
      <Note>Its secret and its log are gone. This action cannot be undone.</Note>
    </ConfirmDialog>
  )
}
