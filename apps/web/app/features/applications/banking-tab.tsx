import { bankingFields } from '@muripo/contract/application-fields'
import type { Application, BankingDetails } from '@muripo/contract/applications'
import { bankAccountTypes } from '@muripo/contract/enums'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { setApplicationInCache, updateBankingDetails } from '../../api/applications.ts'
import { useFieldText } from '../../api/error-texts.ts'
import { useMay } from '../../api/may.ts'
import { useFormErrorToast } from '../../components/error-toast.ts'
import { Refusal } from '../../components/refusal.tsx'
import { dashboardToast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { font, stack } from '../../components/ui/classes.ts'
import { Dialog, FormFoot } from '../../components/ui/dialog.tsx'
import { Fact, Facts } from '../../components/ui/facts.tsx'
import { SelectField, TextField } from '../../components/ui/field.tsx'
import { Note } from '../../components/ui/note.tsx'
import { StatusBadge } from '../../components/ui/status-badge.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { cleanValues, formProps, useForm } from '../../lib/forms.ts'
import { type BankingValues, bankingErrors } from './application-forms.ts'
import { type ApplicationsText, useApplicationsText } from './text.ts'

const accountTypes: Readonly<Record<string, 'typeCurrent' | 'typeSavings' | 'typeBusiness' | 'typeNostro'>> =
  {
    Current: 'typeCurrent',
    Savings: 'typeSavings',
    Business: 'typeBusiness',
    'Foreign currency (Nostro)': 'typeNostro',
  }

function accountTypeText(type: string, t: ApplicationsText): string {
  const key = accountTypes[type]
  return key === undefined ? type : t(key)
}

export function BankingTab({ application }: { readonly application: Application }) {
  const t = useApplicationsText()
  const mayChange = useMay('banking.write')
  const [editing, setEditing] = useState(false)
  return (
    <>
      <Facts columns>
        <Fact name={t('bankName')}>{application.bankName || t('notConfigured')}</Fact>
        <Fact name={t('bankAccountNumber')}>{application.bankAccountNumber || t('notConfigured')}</Fact>
        <Fact name={t('bankAccountName')}>{application.bankAccountName || t('notConfigured')}</Fact>
        <Fact name={t('bankAccountType')}>
          {application.bankAccountType ? accountTypeText(application.bankAccountType, t) : t('notConfigured')}
        </Fact>
        <Fact name={t('nameApproval')}>
          <StatusBadge tone={application.nameApproved ? 'green' : 'yellow'}>
            {t(application.nameApproved ? 'nameApproved' : 'namePending')}
          </StatusBadge>
        </Fact>
      </Facts>
      {!application.nameApproved && !application.bankAccountNumber && <Note>{t('nameNeedsAccount')}</Note>}
      {application.bankRejection && (
        <Note>{t('bankingRejected', { reason: application.bankRejection })}</Note>
      )}
      {mayChange && (
        <Button kind="default" spaced onClick={() => setEditing(true)}>
          {t('updateBankingButton')}
        </Button>
      )}
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
  const t = useApplicationsText()
  const toastError = useFormErrorToast()
  const cache = useQueryClient()
  const saving = useMutation({
    mutationFn: (details: BankingDetails) => updateBankingDetails(application._id, details),
    onSuccess: (saved) => {
      const changed = saved.updatedAt !== application.updatedAt
      onClose()
      setApplicationInCache(cache, saved)
      dashboardToast.success(t(changed ? 'bankingUpdated' : 'bankingUnchanged'))
    },
    onError: toastError,
  })
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('updateBankingButton')}
      closesBy="escape"
      running={saving.isPending}
    >
      <BankingForm
        application={application}
        running={saving.isPending}
        error={saving.error}
        onSave={saving.mutate}
        onCancel={onClose}
      />
    </Dialog>
  )
}

interface BankingFormProps {
  readonly application: Application
  readonly running: boolean
  readonly error: Error | null
  readonly onSave: (details: BankingDetails) => void
  readonly onCancel: () => void
}

/** Mounted only while the dialog is open, so that it starts with the saved values each time. */
function BankingForm({ application, running, error, onSave, onCancel }: BankingFormProps) {
  const t = useApplicationsText()
  const dashboard = useDashboardText()
  const fieldText = useFieldText()
  const form = useForm({
    initialValues: valuesOf(application),
    validate: (typed) => bankingErrors(typed, fieldText),
  })
  const typeChoices = [
    { value: '', label: t('selectType'), disabled: true },
    ...bankAccountTypes.map((type) => ({ value: type, label: accountTypeText(type, t) })),
  ]
  const save = (typed: BankingValues) => {
    onSave(cleanValues(bankingFields, typed) as BankingDetails)
  }
  return (
    <form {...formProps(form, running, save)}>
      <div className={stack('gap24')}>
        <TextField
          label={t('bankName')}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('bankName')}
        />
        <TextField
          label={t('bankAccountNumber')}
          autoComplete="off"
          inputMode="text"
          {...form.getInputProps('bankAccountNumber')}
        />
        <TextField
          label={t('bankAccountName')}
          help={t('bankAccountNameHint')}
          isHelpKept
          autoComplete="off"
          {...form.getInputProps('bankAccountName')}
        />
        <SelectField
          label={t('bankAccountType')}
          choices={typeChoices}
          {...form.getInputProps('bankAccountType')}
        />
        <p className={font('sm', 'quiet')}>{t('bankingHint')}</p>
      </div>
      <Refusal error={error} />
      <FormFoot running={running} runningLabel={dashboard('saving')} onCancel={onCancel}>
        {t('saveBankingButton')}
      </FormFoot>
    </form>
  )
}
