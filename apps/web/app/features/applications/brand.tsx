import type { Application } from '@muripo/contract/applications'
import { brandError, colourField, LOGO_MAX_BYTES } from '@muripo/contract/brand'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useRefusedFieldTexts } from '../../api/api-error.ts'
import { setApplicationInCache, updateBrand } from '../../api/applications.ts'
import { useFieldText } from '../../api/error-texts.ts'
import { useMay } from '../../api/may.ts'
import { type Save, useFormErrorToast } from '../../components/error-toast.ts'
import { Refusal } from '../../components/refusal.tsx'
import { dashboardToast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { font, stack, surface } from '../../components/ui/classes.ts'
import { ColourField } from '../../components/ui/colour-field.tsx'
import { Dialog, FormFoot } from '../../components/ui/dialog.tsx'
import { Box, FileField } from '../../components/ui/field.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { type FieldText, fieldErrors, formProps, useForm } from '../../lib/forms.ts'
import styles from './brand.module.css'
import { DRAWING, smallLogo, UnreadablePicture } from './small-logo.ts'
import { useApplicationsText } from './text.ts'

/** A preview of the payer's page, and the dialog that changes its colour and logo. */
export function BrandPart({ application }: { readonly application: Application }) {
  const t = useApplicationsText()
  const mayChange = useMay('applications.write')
  const [editing, setEditing] = useState(false)
  return (
    <section className={styles.part}>
      <h2 className={font('lg')}>{t('paymentPage')}</h2>
      <p className={font('quiet')}>{t('paymentPageAbout')}</p>
      <div
        className={`${styles.header} ${surface('ink', 'above12')}`}
        style={{ background: application.brandColour ?? undefined }}
      >
        {application.logoPath && <img src={application.logoPath} alt={t('logo')} />}
        <b>{application.applicationName}</b>
        <span className={font('xl', 'bold')}>USD 25.00</span>
      </div>
      {mayChange && (
        <Button kind="default" spaced onClick={() => setEditing(true)}>
          {t('changeBrandButton')}
        </Button>
      )}
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
        ...(logo ? { logo: await base64Of(await smallLogo(logo)) } : isLogoRemoved && { logo: null }),
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
      closesBy="escape"
      running={saving.isPending}
    >
      <BrandForm
        application={application}
        running={saving.isPending}
        error={saving.error}
        save={saving.mutate}
        onCancel={onClose}
      />
    </Dialog>
  )
}

interface BrandFormProps {
  readonly application: Application
  readonly running: boolean
  readonly error: Error | null
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

/** A picture is made small when it is saved, a drawing is not. */
function logoError({ size, type }: File) {
  if (size === 0) return 'logoNotPicture'
  return type === DRAWING && size > LOGO_MAX_BYTES ? 'logoTooLarge' : null
}

/** Mounted only while the dialog is open, so that it starts with the saved values each time. */
function BrandForm({ application, running, error, save, onCancel }: BrandFormProps) {
  const t = useApplicationsText()
  const dashboard = useDashboardText()
  const fieldText = useFieldText()
  const toastError = useFormErrorToast()
  const fieldTexts = useRefusedFieldTexts()
  const initialValues: BrandValues = {
    colour: application.brandColour ?? '',
    logo: null,
    isLogoRemoved: false,
  }
  const form = useForm({ initialValues, validate: (values) => errorsOf(values, fieldText) })
  const onError = (error: Error) => {
    const refused = error instanceof UnreadablePicture ? { logo: t('logoUnreadable') } : fieldTexts(error)
    if (Object.keys(refused).length === 0) toastError(error)
    form.setErrors(refused)
  }
  return (
    <form {...formProps(form, running, (values) => save(values, { onError }))}>
      <div className={stack('gap24')}>
        <ColourField
          label={t('colour')}
          pickerLabel={t('colourPicker')}
          help={t('colourHint')}
          isHelpKept
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('colour')}
        />
        <FileField
          label={t('logo')}
          help={t('logoHint')}
          isHelpKept
          error={form.errors.logo}
          accept="image/svg+xml,image/webp,image/png,image/jpeg"
          data-path="logo"
          onChange={(event) => form.setFieldValue('logo', event.currentTarget.files?.[0] ?? null)}
        />
        {application.logoPath && form.values.logo === null && (
          <Box
            label={t('removeLogo')}
            checked={form.values.isLogoRemoved}
            onChange={(event) => form.setFieldValue('isLogoRemoved', event.currentTarget.checked)}
          />
        )}
      </div>
      <Refusal error={error} />
      <FormFoot running={running} runningLabel={dashboard('saving')} onCancel={onCancel}>
        {t('save')}
      </FormFoot>
    </form>
  )
}

const base64Of = async (file: Blob): Promise<string> =>
  btoa(String.fromCharCode(...new Uint8Array(await file.arrayBuffer())))
