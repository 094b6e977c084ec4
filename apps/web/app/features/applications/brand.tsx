import { Button, Checkbox, Input, TextInput } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { brandError, colourField, LOGO_MAX_BYTES } from '@muripo/contract/brand'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useRefusedFieldTexts } from '../../api/api-error.ts'
import { setApplicationInCache, updateBrand } from '../../api/applications.ts'
import { useFieldText } from '../../api/error-texts.ts'
import { Dialog, FormActions } from '../../components/dialog.tsx'
import dialogs from '../../components/dialogs.module.css'
import { type Save, useErrorToast } from '../../components/error-toast.ts'
import { dashboardToast } from '../../components/toast.ts'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { type FieldText, fieldErrors, formProps, useForm } from '../../lib/forms.ts'
import styles from './brand.module.css'
import { useApplicationsText } from './text.ts'

/** A preview of the payer's page, and the dialog that changes its colour and logo. */
export function BrandPart({ application }: { readonly application: Application }) {
  const t = useApplicationsText()
  const [editing, setEditing] = useState(false)
  return (
    <section className={styles.part}>
      <h2>{t('paymentPage')}</h2>
      <p className={dialogs.quiet}>{t('paymentPageAbout')}</p>
      <div className={styles.header} style={{ background: application.brandColour ?? undefined }}>
        {application.logoPath && <img src={application.logoPath} alt={t('logo')} />}
        <b>{application.applicationName}</b>
        <span>USD 25.00</span>
      </div>
      <Button variant="default" mt={16} onClick={() => setEditing(true)}>
        {t('changeBrandButton')}
      </Button>
      <BrandDialog application={application} opened={editing} onClose={() => setEditing(false)} />
    </section>
  )
}

interface BrandDialogProps {
  readonly application: Application
  readonly opened: boolean
  readonly onClose: () => void
}

export function BrandDialog({ application, opened, onClose }: BrandDialogProps) {
  const t = useApplicationsText()
  const cache = useQueryClient()
  const saving = useMutation({
    mutationFn: async ({ colour, logo, isLogoRemoved }: BrandValues) =>
      updateBrand(application._id, {
        colour: colourField.clean(colour),
        ...(logo ? { logo: await base64Of(logo) } : isLogoRemoved && { logo: null }),
      }),
    onSuccess: (saved) => {
      onClose()
      setApplicationInCache(cache, saved)
      dashboardToast.success(t('brandSaved'))
    },
  })
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('changeBrandButton')}
      size={520}
      closeOnClickOutside={false}
      running={saving.isPending}
    >
      <BrandForm
        application={application}
        running={saving.isPending}
        save={saving.mutate}
        onCancel={onClose}
      />
    </Dialog>
  )
}

interface BrandFormProps {
  readonly application: Application
  readonly running: boolean
  readonly save: Save<BrandValues>
  readonly onCancel: () => void
}

interface BrandValues {
  readonly colour: string
  readonly logo: File | null
  readonly isLogoRemoved: boolean
}

function errorsOf({ colour, logo }: BrandValues, textOf: FieldText): { colour?: string; logo?: string } {
  const errors = fieldErrors({ colour: colourField }, { colour }, textOf)
  const error = logo && logoError(logo)
  return error ? { ...errors, logo: textOf(brandError(error)) } : errors
}

function logoError({ size }: File) {
  if (size === 0) return 'logoNotPicture'
  return size > LOGO_MAX_BYTES ? 'logoTooLarge' : null
}

/** Mounted only while the dialog is open, so that it starts with the saved values each time. */
function BrandForm({ application, running, save, onCancel }: BrandFormProps) {
  const t = useApplicationsText()
  const dashboard = useDashboardText()
  const fieldText = useFieldText()
  const toastError = useErrorToast()
  const fieldTexts = useRefusedFieldTexts()
  const id = useId()
  const initialValues: BrandValues = {
    colour: application.brandColour ?? '',
    logo: null,
    isLogoRemoved: false,
  }
  const form = useForm({ initialValues, validate: (values) => errorsOf(values, fieldText) })
  const onError = (error: Error) => {
    const refused = fieldTexts(error)
    if (Object.keys(refused).length === 0) toastError(error)
    form.setErrors(refused)
  }
  return (
    <form className={dialogs.form} {...formProps(form, running, (values) => save(values, { onError }))}>
      <TextInput
        label={t('colour')}
        description={t('colourHint')}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('colour')}
      />
      <Input.Wrapper id={id} label={t('logo')} description={t('logoHint')} error={form.errors.logo}>
        <input
          id={id}
          className={styles.file}
          type="file"
          accept=".svg,.webp,image/svg+xml,image/webp"
          data-path="logo"
          aria-invalid={form.errors.logo !== undefined}
          aria-describedby={`${id}-description${form.errors.logo === undefined ? '' : ` ${id}-error`}`}
          onChange={(event) => form.setFieldValue('logo', event.currentTarget.files?.[0] ?? null)}
        />
      </Input.Wrapper>
      {application.logoPath && form.values.logo === null && (
        <Checkbox
          label={t('removeLogo')}
          checked={form.values.isLogoRemoved}
          onChange={(event) => form.setFieldValue('isLogoRemoved', event.currentTarget.checked)}
        />
      )}
      <FormActions running={running} runningLabel={dashboard('saving')} onCancel={onCancel}>
        {t('save')}
      </FormActions>
    </form>
  )
}

const base64Of = async (file: File): Promise<string> =>
  btoa(String.fromCharCode(...new Uint8Array(await file.arrayBuffer())))
