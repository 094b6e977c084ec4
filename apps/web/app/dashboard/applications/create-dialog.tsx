import { Button, Group, Modal, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type Application, CreateApplication, DEFAULT_CATEGORY } from '@muripo/contract/applications'
import { useMutation } from '@tanstack/react-query'
import { dashboardToast } from '../../ui/toast.ts'
import styles from './applications.module.css'
import { create } from './applications-api.ts'
import { CategoryInput } from './category-input.tsx'

interface CreateDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onCreated: (application: Application) => void
}

const blank = { applicationName: '', description: '', category: DEFAULT_CATEGORY as string }

/** The first field that does not hold, in the order of the contract: name, description, category. */
export function firstError(values: typeof blank): Record<string, string> {
  const issue = CreateApplication.safeParse(values).error?.issues[0]
  return issue ? { [String(issue.path[0])]: issue.message } : {}
}

export function CreateDialog({ opened, onClose, onCreated }: CreateDialogProps) {
  const form = useForm({ initialValues: blank, validate: firstError })
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
          <Button type="submit" disabled={creation.isPending}>
            {creation.isPending ? 'Creating Application...' : 'Create Application'}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
