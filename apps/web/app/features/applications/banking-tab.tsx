import { Button, Group, Modal, NativeSelect, TextInput } from '@mantine/core'
import { bankingFields } from '@muripo/contract/application-fields'
import type { Application, BankingDetails } from '@muripo/contract/applications'
import { bankAccountTypes } from '@muripo/contract/enums'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { setApplicationInCache, updateBankingDetails } from '../../api/applications.ts'
import { BusyButton, SubmitButton } from '../../components/button.tsx'
import { Fact, Facts } from '../../components/description-list.tsx'
import styles from '../../components/dialogs.module.css'
import { useErrorToast } from '../../components/error-toast.ts'
import { Note } from '../../components/note.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { closeButton } from '../../components/theme.ts'
import { dashboardToast } from '../../components/toast.ts'
import { busy, cleaned, formProps, useForm } from '../../lib/forms.ts'
import { type BankingValues, bankingErrors } from './application-forms.ts'

const NOT_CONFIGURED = 'Not configured'

export function BankingTab({ application }: { readonly application: Application }) {
  const [editing, setEditing] = useState(false)
  return (
    <>
      <Facts columns>
        <Fact name="Bank Name">{application.bankName || NOT_CONFIGURED}</Fact>
        <Fact name="Bank Account Number">{application.bankAccountNumber || NOT_CONFIGURED}</Fact>
        <Fact name="Bank Account Name">{application.bankAccountName || NOT_CONFIGURED}</Fact>
        <Fact name="Bank Account Type">{application.bankAccountType || NOT_CONFIGURED}</Fact>
        <Fact name="Name Approval Status">
          <StatusBadge tone={application.nameApproved ? 'green' : 'yellow'}>
            {application.nameApproved ? 'Approved' : 'Pending Approval'}
          </StatusBadge>
        </Fact>
      </Facts>
      {application.bankRejection && (
        <Note>
          We could not approve these details: {application.bankRejection} Put them right, and we look at them
          again.
        </Note>
      )}
      <Button variant="default" mt={24} onClick={() => setEditing(true)}>
        Update Banking Details
      </Button>
      <BankingDialog application={application} opened={editing} onClose={() => setEditing(false)} />
    </>
  )
}

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
  const toastError = useErrorToast()
  const cache = useQueryClient()
  const saving = useMutation({
    mutationFn: (details: BankingDetails) => updateBankingDetails(application._id, details),
    onSuccess: (saved) => {
      const changed = saved.updatedAt !== application.updatedAt
      onClose()
      setApplicationInCache(cache, saved)
      dashboardToast.success(changed ? 'Banking details updated' : 'These details were saved already')
    },
    onError: toastError,
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
  const form = useForm({ initialValues: valuesOf(application), validate: bankingErrors })
  const save = (typed: BankingValues) => {
    onSave(cleaned(bankingFields, typed) as BankingDetails)
  }
  return (
    <form className={styles.form} {...formProps(form, running, save)}>
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
        <BusyButton variant="default" running={running} onClick={onCancel}>
          Cancel
        </BusyButton>
        <SubmitButton running={running} runningLabel="Saving...">
          Save Details
        </SubmitButton>
      </Group>
    </form>
  )
}
