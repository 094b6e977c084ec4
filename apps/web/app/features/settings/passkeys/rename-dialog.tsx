import { Group, Modal, TextInput } from '@mantine/core'
import { PASSKEY_NAME_MAX_LENGTH } from '@muripo/contract/constants'
import type { Passkey } from '@muripo/contract/passkeys'
import { useMutation } from '@tanstack/react-query'
import { hasCode } from '../../../api/errors.ts'
import { updatePasskeyName } from '../../../api/passkeys.ts'
import { BusyButton, SubmitButton } from '../../../components/button.tsx'
import { closeButton } from '../../../components/theme.ts'
import { toastError } from '../../../components/toast.ts'
import { busy, formProps, useForm } from '../../../lib/forms.ts'
import styles from './passkeys.module.css'

interface RenameDialogProps {
  /** Null when none is being renamed. */
  readonly passkey: Passkey | null
  readonly onRenamed: (passkey: Passkey) => void
  readonly onClose: () => void
}

export function RenameDialog({ passkey, onRenamed, onClose }: RenameDialogProps) {
  const renaming = useMutation({
    mutationFn: ({ _id, name }: Pick<Passkey, '_id' | 'name'>) => updatePasskeyName(_id, name),
    onSuccess: onRenamed,
  })
  const close = () => renaming.isPending || onClose()
  return (
    <Modal
      opened={passkey !== null}
      onClose={close}
      title="Rename Passkey"
      size={440}
      closeOnEscape={!renaming.isPending}
      closeButtonProps={{ ...closeButton, ...busy(renaming.isPending) }}
    >
      {passkey && (
        <RenameForm
          passkey={passkey}
          running={renaming.isPending}
          onSave={(name) => renaming.mutateAsync({ _id: passkey._id, name })}
          onCancel={close}
        />
      )}
    </Modal>
  )
}

interface RenameFormProps {
  readonly passkey: Passkey
  readonly running: boolean
  readonly onSave: (name: string) => Promise<unknown>
  readonly onCancel: () => void
}

function RenameForm({ passkey, running, onSave, onCancel }: RenameFormProps) {
  const form = useForm({
    initialValues: { name: passkey.name },
    validate: ({ name }): { name?: string } => (name.trim() === '' ? { name: 'Name is required' } : {}),
  })
  const focus = () => form.getInputNode('name')?.focus()
  const save = async ({ name }: { name: string }) => {
    try {
      await onSave(name)
    } catch (error) {
      if (!hasCode(error, 'validation_failed')) return toastError(error as Error)
      form.setFieldError('name', error.message)
      focus()
    }
  }
  return (
    <form className={styles.form} {...formProps(form, running, (values) => void save(values))}>
      <TextInput
        label="Name"
        description="For instance the device it is on."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        maxLength={PASSKEY_NAME_MAX_LENGTH}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Group justify="flex-end">
        <BusyButton variant="default" running={running} onClick={onCancel}>
          Cancel
        </BusyButton>
        <SubmitButton running={running} runningLabel="Saving...">
          Save Name
        </SubmitButton>
      </Group>
    </form>
  )
}
