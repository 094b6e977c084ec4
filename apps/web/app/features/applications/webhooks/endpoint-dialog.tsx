import { Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core'
import type { Webhook } from '@muripo/contract/dashboard-webhooks'
import { type EventType, eventTypes } from '@muripo/contract/words'
import { useMutation } from '@tanstack/react-query'
import { hasCode } from '../../../api/errors.ts'
import { createEndpoint, type NewSecret, updateEndpoint } from '../../../api/webhooks.ts'
import { BusyButton, SubmitButton } from '../../../components/button.tsx'
import dialogs from '../../../components/dialogs.module.css'
import { dashboardToast, toastError } from '../../../components/toast.ts'
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
      form.setFieldError('url', error.message)
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
