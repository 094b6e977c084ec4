import { otpField } from '@muripo/contract/fields'
import { useMutation } from '@tanstack/react-query'
import { addTotp, type ShownTotp } from '../../../api/factors.ts'
import { type Save, useFieldRefusal } from '../../../components/error-toast.ts'
import { font, grid, textLinkClass } from '../../../components/ui/classes.ts'
import { Dialog, FormFoot } from '../../../components/ui/dialog.tsx'
import { Facts, KeyFact } from '../../../components/ui/facts.tsx'
import { TextField } from '../../../components/ui/field.tsx'
import { QrCode } from '../../../components/ui/qr-code.tsx'
import { formProps, useForm } from '../../../lib/forms.ts'
import styles from './security.module.css'
import { useSecurityText } from './text.ts'

interface AppDialogProps {
  /** Null while the dialog is closed. */
  readonly shown: ShownTotp | null
  readonly onAdded: (recoveryCodes: readonly string[]) => void
  readonly onClose: () => void
}

/** Shows the secret of the app, and asks for the first code. */
export function AppDialog({ shown, onAdded, onClose }: AppDialogProps) {
  const t = useSecurityText()
  const adding = useMutation({ mutationFn: addTotp, onSuccess: onAdded })
  return (
    <Dialog
      opened={shown !== null}
      onClose={onClose}
      title={t('addAppButton')}
      closesBy="escape"
      running={adding.isPending}
    >
      {shown && <AppForm shown={shown} running={adding.isPending} add={adding.mutate} onCancel={onClose} />}
    </Dialog>
  )
}

interface AppFormProps {
  readonly shown: ShownTotp
  readonly running: boolean
  readonly add: Save<string>
  readonly onCancel: () => void
}

function AppForm({ shown: { secret, uri, qr }, running, add, onCancel }: AppFormProps) {
  const t = useSecurityText()
  const form = useForm({
    initialValues: { code: '' },
    validate: ({ code }): { code?: string } =>
      otpField.error(otpField.clean(code)) === null ? {} : { code: t('codeOfAppForm') },
  })
  const onError = useFieldRefusal(form, 'code', ['validation_failed', 'otp_invalid', 'rate_limited'])
  return (
    <form {...formProps(form, running, ({ code }) => add(otpField.clean(code), { onError }))}>
      <div className={grid('gap20')}>
        <p className={font('quiet')}>{t('scanQr')}</p>
        {qr && (
          <div className={styles.qr}>
            <QrCode drawing={qr} label={t('qrOfSecret')} />
          </div>
        )}
        <Facts>
          <KeyFact name={t('appSecret')}>{secret}</KeyFact>
        </Facts>
        <p>
          <a className={textLinkClass} href={uri}>
            {t('openInApp')}
          </a>
        </p>
        <TextField
          label={t('codeOfApp')}
          help={t('codeOfAppHint')}
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          {...form.getInputProps('code')}
        />
      </div>
      <FormFoot running={running} runningLabel={t('addingApp')} onCancel={onCancel}>
        {t('addAppButton')}
      </FormFoot>
    </form>
  )
}
