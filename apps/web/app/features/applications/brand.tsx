import { Button, Checkbox, Group, Input, Modal, TextInput } from '@mantine/core'
import type { Application, Brand } from '@muripo/contract/applications'
import { colourField, LOGO_MAX_BYTES } from '@muripo/contract/brand'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useFieldTexts } from '../../api/api-error.ts'
import { setApplicationInCache, updateBrand } from '../../api/applications.ts'
import { BusyButton, SubmitButton } from '../../components/button.tsx'
import dialogs from '../../components/dialogs.module.css'
import { useErrorToast } from '../../components/error-toast.ts'
import { closeButton } from '../../components/theme.ts'
import { dashboardToast } from '../../components/toast.ts'
import { busy, fieldErrors, formProps, useForm } from '../../lib/forms.ts'
import styles from './brand.module.css'

/** The header of the payer's page, and its change. */
export function BrandPart({ application }: { readonly application: Application }) {
  const [editing, setEditing] = useState(false)
  return (
    <section className={styles.part}>
      <h2>Payment page</h2>
      <p className={dialogs.quiet}>Your customers see this at the top of the page on which they pay.</p>
      <div className={styles.header} style={{ background: application.brandColour ?? undefined }}>
        {application.logoPath && <img src={application.logoPath} alt="Logo" />}
        <b>{application.applicationName}</b>
        <span>USD 25.00</span>
      </div>
      <Button variant="default" mt={16} onClick={() => setEditing(true)}>
        Change Logo and Colour
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
  const cache = useQueryClient()
  const saving = useMutation({
    mutationFn: (brand: Brand) => updateBrand(application._id, brand),
    onSuccess: (saved) => {
      onClose()
      setApplicationInCache(cache, saved)
      dashboardToast.success('Logo and colour saved')
    },
  })
  const close = () => saving.isPending || onClose()
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Change Logo and Colour"
      size={520}
      closeOnClickOutside={false}
      closeOnEscape={!saving.isPending}
      closeButtonProps={{ ...closeButton, ...busy(saving.isPending) }}
    >
      <BrandForm
        application={application}
        running={saving.isPending}
        save={saving.mutateAsync}
        onCancel={close}
      />
    </Modal>
  )
}

interface BrandFormProps {
  readonly application: Application
  readonly running: boolean
  readonly save: (brand: Brand) => Promise<unknown>
  readonly onCancel: () => void
}

interface BrandValues {
  readonly colour: string
  readonly logo: File | null
  readonly isLogoRemoved: boolean
}

function errorsOf({ colour, logo }: BrandValues): { colour?: string; logo?: string } {
  const errors = fieldErrors({ colour: colourField }, { colour })
  return logo && logo.size > LOGO_MAX_BYTES ? { ...errors, logo: 'The logo must be at most 4 kB' } : errors
}

/** Lives as long as the dialog is open, so that it starts with the saved values each time. */
function BrandForm({ application, running, save, onCancel }: BrandFormProps) {
  const toastError = useErrorToast()
  const fieldTexts = useFieldTexts()
  const id = useId()
  const initialValues: BrandValues = {
    colour: application.brandColour ?? '',
    logo: null,
    isLogoRemoved: false,
  }
  const form = useForm({ initialValues, validate: errorsOf })
  const send = async ({ colour, logo, isLogoRemoved }: BrandValues) => {
    try {
      await save({
        colour: colourField.clean(colour),
        ...(logo ? { logo: await base64Of(logo) } : isLogoRemoved && { logo: null }),
      })
    } catch (error) {
      const refused = fieldTexts(error)
      if (Object.keys(refused).length === 0) toastError(error as Error)
      form.setErrors(refused)
    }
  }
  return (
    <form className={dialogs.form} {...formProps(form, running, (values) => void send(values))}>
      <TextInput
        label="Colour"
        description="Dark enough for white text, such as #12306b. Empty for ours."
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('colour')}
      />
      <Input.Wrapper
        id={id}
        label="Logo"
        description="An SVG or WebP file of at most 4 kB. It is shown on white."
        error={form.errors.logo}
      >
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
          label="Remove the present logo"
          checked={form.values.isLogoRemoved}
          onChange={(event) => form.setFieldValue('isLogoRemoved', event.currentTarget.checked)}
        />
      )}
      <Group justify="flex-end">
        <BusyButton variant="default" running={running} onClick={onCancel}>
          Cancel
        </BusyButton>
        <SubmitButton running={running} runningLabel="Saving...">
          Save
        </SubmitButton>
      </Group>
    </form>
  )
}

const base64Of = async (file: File): Promise<string> =>
  btoa(String.fromCharCode(...new Uint8Array(await file.arrayBuffer())))
