import { Button, Group, Modal, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Application } from '@muripo/contract/applications'
import { applicationFields } from '@muripo/contract/fields'
import { useMutation } from '@tanstack/react-query'
import { cleaned } from '../../lib/form-fields.ts'
import { busy } from '../../ui/busy.ts'
import { closeButton } from '../../ui/theme.ts'
import { sayFailure } from '../say-failure.ts'
import { create } from './applications-api.ts'
import { CategoryInput } from './category-input.tsx'
import styles from './dialogs.module.css'
import { type ApplicationValues, blankApplication, firstFault } from './form-rules.ts'

interface CreateDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onCreated: (application: Application) => void
}

const roomy = { content: styles.roomy ?? '', header: styles.roomyHead ?? '' }

export function CreateDialog({ opened, onClose, onCreated }: CreateDialogProps) {
  const form = useForm({ initialValues: blankApplication, validate: firstFault })
  const creation = useMutation({
    mutationFn: create,
    onSuccess: (application) => {
      form.reset()
      onCreated(application)
    },
    onError: sayFailure,
  })
  const running = creation.isPending
  const submit = (typed: ApplicationValues) => {
    if (!running) creation.mutate(cleaned(applicationFields, typed))
  }
  const cancel = () => {
    if (running) return
    form.reset()
    onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={cancel}
      title="Create New Application"
      size={520}
      classNames={roomy}
      closeOnClickOutside={false}
      closeButtonProps={{ ...closeButton, ...busy(running) }}
    >
      <form
        noValidate
        className={styles.form}
        onSubmit={form.onSubmit(submit, (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus())}
      >
        <TextInput
          label="Application Name"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('applicationName')}
        />
        <Textarea label="Description" rows={3} {...form.getInputProps('description')} />
        <CategoryInput
          value={form.values.category}
          error={form.errors.category as string | undefined}
          onChange={(category) => form.setFieldValue('category', category)}
        />
        <Group justify="flex-end">
          <Button variant="default" {...busy(running)} onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" {...busy(running)}>
            {running ? 'Creating Application...' : 'Create Application'}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
