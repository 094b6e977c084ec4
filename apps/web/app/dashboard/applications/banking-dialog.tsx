import { Button, Group, Modal, NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Application, BankingDetails } from '@muripo/contract/applications'
import { bankingFields } from '@muripo/contract/fields'
import { bankAccountTypes } from '@muripo/contract/words'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { cleaned } from '../../lib/form-fields.ts'
import { busy } from '../../ui/busy.ts'
import { closeButton } from '../../ui/theme.ts'
import { dashboardToast } from '../../ui/toast.ts'
import { sayFailure } from '../say-failure.ts'
import { keep, saveBanking } from './applications-api.ts'
import styles from './dialogs.module.css'
import { type BankingValues, bankingFaults } from './form-rules.ts'

interface BankingDialogProps {
  readonly application: Application
  readonly opened: boolean
  readonly onClose: () => void
}

const valuesOf = (application: Application): BankingValues => ({
  bankName: application.bankName ?? '',
  bankAccountNumber: application.bankAccountNumber ?? '',
  bankAccountName: application.bankAccountName ?? '',
  bankAccountType: application.bankAccountType ?? '',
})

export function BankingDialog({ application, opened, onClose }: BankingDialogProps) {
  const cache = useQueryClient()
  const saving = useMutation({
    mutationFn: (details: BankingDetails) => saveBanking(application._id, details),
    onSuccess: (saved) => {
      const changed = saved.updatedAt !== application.updatedAt
      onClose()
      keep(cache, saved)
      dashboardToast.success(changed ? 'Banking details updated' : 'These details were saved already')
    },
    onError: sayFailure,
  })
  const close = () => saving.isPending || onClose()
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Update Banking Details"
      size={520}
      closeOnClickOutside={false}
      closeOnEscape={!saving.isPending}
      closeButtonProps={{ ...closeButton, ...busy(saving.isPending) }}
    >
      <BankingForm
        application={application}
        running={saving.isPending}
        onSave={saving.mutate}
        onCancel={close}
      />
    </Modal>
  )
}

interface BankingFormProps {
  readonly application: Application
  readonly running: boolean
  readonly onSave: (details: BankingDetails) => void
  readonly onCancel: () => void
}

const typeChoices = [{ value: '', label: 'Select a type', disabled: true }, ...bankAccountTypes]

/** Lives as long as the dialog is open, so that it starts with what is saved each time. */
function BankingForm({ application, running, onSave, onCancel }: BankingFormProps) {
  const form = useForm({ initialValues: valuesOf(application), validate: bankingFaults })
  const save = (typed: BankingValues) => {
    if (!running) onSave(cleaned(bankingFields, typed) as BankingDetails)
  }
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={form.onSubmit(save, (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus())}
    >
      <TextInput label="Bank Name" autoComplete="off" data-autofocus {...form.getInputProps('bankName')} />
      <TextInput
        label="Bank Account Number"
        autoComplete="off"
        inputMode="text"
        {...form.getInputProps('bankAccountNumber')}
      />
      <TextInput
        label="Bank Account Name"
        description="As the bank writes it"
        autoComplete="off"
        {...form.getInputProps('bankAccountName')}
      />
      <NativeSelect label="Bank Account Type" data={typeChoices} {...form.getInputProps('bankAccountType')} />
      <p className={styles.hint}>
        New details wait for approval: we check the account name before anything is paid out to it. We also
        tell you of the change by mail.
      </p>
      <Group justify="flex-end">
        <Button variant="default" {...busy(running)} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" {...busy(running)}>
          {running ? 'Saving...' : 'Save Details'}
        </Button>
      </Group>
    </form>
  )
}
