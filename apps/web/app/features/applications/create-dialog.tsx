import { applicationFields } from '@muripo/contract/application-fields'
import type { Application } from '@muripo/contract/applications'
import { useMutation } from '@tanstack/react-query'
import { createApplication } from '../../api/applications.ts'
import { useFieldText } from '../../api/error-texts.ts'
import { useFormErrorToast } from '../../components/error-toast.ts'
import { Refusal } from '../../components/refusal.tsx'
import { Button, ButtonLink } from '../../components/ui/button.tsx'
import { font, stack } from '../../components/ui/classes.ts'
import { Dialog, DialogFoot, FormFoot } from '../../components/ui/dialog.tsx'
import { Fact, Facts, KeyFact } from '../../components/ui/facts.tsx'
import { AreaField, TextField } from '../../components/ui/field.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { cleanValues, formProps, useForm } from '../../lib/forms.ts'
import { paths } from '../../lib/paths.ts'
import { type ApplicationValues, blankApplication, firstError } from './application-forms.ts'
import { CategoryInput } from './category-input.tsx'
import { useApplicationsText, useCategoryName } from './text.ts'

interface CreateDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onCreated: (application: Application) => void
}

export function CreateDialog({ opened, onClose, onCreated }: CreateDialogProps) {
  const t = useApplicationsText()
  const fieldText = useFieldText()
  const toastError = useFormErrorToast()
  const form = useForm({ initialValues: blankApplication, validate: (typed) => firstError(typed, fieldText) })
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
    creation.mutate(cleanValues(applicationFields, typed))
  }
  const cancel = () => {
    form.reset()
    onClose()
  }
  return (
    <Dialog
      opened={opened}
      onClose={cancel}
      title={t('createApplicationTitle')}
      closesBy="escape"
      running={running}
    >
      <form {...formProps(form, running, submit)}>
        <div className={stack('gap24')}>
          <TextField
            label={t('applicationName')}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('applicationName')}
          />
          <AreaField label={t('applicationDescription')} rows={3} {...form.getInputProps('description')} />
          <CategoryInput
            value={form.values.category}
            error={form.errors.category as string | undefined}
            onChange={(category) => form.setFieldValue('category', category)}
          />
        </div>
        <Refusal error={creation.error} />
        <FormFoot running={running} runningLabel={t('creatingApplication')} onCancel={cancel}>
          {t('createApplicationButton')}
        </FormFoot>
      </form>
    </Dialog>
  )
}

interface CreatedDialogProps {
  readonly application: Application | null
  readonly onClose: () => void
}

export function CreatedDialog({ application, onClose }: CreatedDialogProps) {
  const t = useApplicationsText()
  const categoryName = useCategoryName()
  const dashboard = useDashboardText()
  return (
    <Dialog
      opened={application !== null}
      onClose={onClose}
      title={t('applicationCreatedTitle')}
      closesBy="escape"
    >
      {application && (
        <>
          <p>{t('applicationReady')}</p>
          <Facts>
            <Fact name={t('applicationName')}>{application.applicationName}</Fact>
            <Fact name={t('category')}>{categoryName(application.category)}</Fact>
            <CreatedKey application={application} />
          </Facts>
          <p className={font('sm', 'quiet', 'above12')}>{t('keepKey')}</p>
          <DialogFoot>
            <ButtonLink to={paths.application(application._id)}>{t('manageApplication')}</ButtonLink>
            <Button kind="default" onClick={onClose}>
              {dashboard('close')}
            </Button>
          </DialogFoot>
        </>
      )}
    </Dialog>
  )
}

/** Before its account is approved for live money, an application has only a test key. */
function CreatedKey({ application: { applicationKey, testKey } }: { readonly application: Application }) {
  const t = useApplicationsText()
  if (applicationKey !== null) return <KeyFact name={t('applicationKey')}>{applicationKey}</KeyFact>
  return testKey && <KeyFact name={t('testKey')}>{testKey}</KeyFact>
}
