import { Button, Group, Modal, Textarea, TextInput } from '@mantine/core'
import { applicationFields } from '@muripo/contract/application-fields'
import type { Application } from '@muripo/contract/applications'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { createApplication } from '../../api/applications.ts'
import { BusyButton, SubmitButton } from '../../components/button.tsx'
import { Fact, Facts, KeyFact } from '../../components/description-list.tsx'
import styles from '../../components/dialogs.module.css'
import { useErrorToast } from '../../components/error-toast.ts'
import { closeButton } from '../../components/theme.ts'
import { busy, cleaned, formProps, useForm } from '../../lib/forms.ts'
import { paths } from '../../lib/paths.ts'
import { type ApplicationValues, blankApplication, firstError } from './application-forms.ts'
import { CategoryInput } from './category-input.tsx'

interface CreateDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onCreated: (application: Application) => void
}

const roomy = { content: styles.roomy ?? '', header: styles.roomyHead ?? '' }

export function CreateDialog({ opened, onClose, onCreated }: CreateDialogProps) {
  const toastError = useErrorToast()
  const form = useForm({ initialValues: blankApplication, validate: firstError })
  const creation = useMutation({
    mutationFn: createApplication,
    onSuccess: (application) => {
      form.reset()
      onCreated(application)
    },
    onError: toastError,
  })
  const running = creation.isPending
  const submit = (typed: ApplicationValues) => {
    creation.mutate(cleaned(applicationFields, typed))
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
      <form className={styles.form} {...formProps(form, running, submit)}>
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
          <BusyButton variant="default" running={running} onClick={cancel}>
            Cancel
          </BusyButton>
          <SubmitButton running={running} runningLabel="Creating Application...">
            Create Application
          </SubmitButton>
        </Group>
      </form>
    </Modal>
  )
}

interface CreatedDialogProps {
  readonly application: Application | null
  readonly onClose: () => void
}

export const CreatedDialog = ({ application, onClose }: CreatedDialogProps) => (
  <Modal
    opened={application !== null}
    onClose={onClose}
    title="Application Created Successfully!"
    size={600}
    closeOnClickOutside={false}
  >
    {application && (
      <>
        <p>Your application has been created and is now ready for use.</p>
        <Facts>
          <Fact name="Application Name">{application.applicationName}</Fact>
          <Fact name="Category">{application.category}</Fact>
          <CreatedKey application={application} />
        </Facts>
        <p className={styles.keep}>Keep this key secure. You'll need it for API integrations.</p>
        <Group justify="flex-end" mt={24}>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button component={Link} to={paths.application(application._id)}>
            Manage Application
          </Button>
        </Group>
      </>
    )}
  </Modal>
)

/** Before the account is approved for live money there is a test key alone. */
const CreatedKey = ({ application }: { readonly application: Application }) => {
  if (application.applicationKey !== null) return <KeyFact applicationKey={application.applicationKey} />
  return application.testKey && <KeyFact applicationKey={application.testKey} name="Test key" />
}
