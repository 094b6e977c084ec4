import { Button, Group, Modal, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Application } from '@muripo/contract/applications'
import { DEFAULT_CATEGORY } from '@muripo/contract/words'
import { useMutation } from '@tanstack/react-query'
import { useFormChecks } from '../../ui/form-checks.ts'
import { dashboardToast } from '../../ui/toast.ts'
import styles from './applications.module.css'
import { create } from './applications-api.ts'
import { CategoryInput } from './category-input.tsx'
import type { ApplicationDraft } from './create-rules.ts'

interface CreateDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onCreated: (application: Application) => void
}

const blankApplication: ApplicationDraft = {
  applicationName: '',
  description: '',
  category: DEFAULT_CATEGORY,
}
const loadRules = () => import('./create-rules.ts')

export function CreateDialog({ opened, onClose, onCreated }: CreateDialogProps) {
  const { ready, checks } = useFormChecks(opened, loadRules)
  const form = useForm({
    initialValues: blankApplication,
    validate: (draft) => checks?.firstError(draft) ?? {},
  })
  const creation = useMutation({
    mutationFn: create,
    onSuccess: (application) => {
      form.reset()
      onCreated(application)
    },
    onError: (error) => dashboardToast.error(error.message),
  })
  const cancel = () => {
    if (creation.isPending) return
    form.reset()
    onClose()
  }
  return (
    <Modal opened={opened} onClose={cancel} title="Create New Application" size={520}>
      <form
        noValidate
        className={styles.form}
        onSubmit={form.onSubmit(
          (values) =>
            creation.mutate({
              ...values,
              applicationName: values.applicationName.trim(),
              description: values.description.trim(),
            }),
          (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
        )}
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
          <Button variant="default" onClick={cancel} disabled={creation.isPending}>
            Cancel
          </Button>
          <Button type="submit" disabled={creation.isPending || !ready}>
            {creation.isPending ? 'Creating Application...' : 'Create Application'}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
