import english from 'virtual:texts/stepUp/en'
import { accountFieldError } from '@muripo/contract/auth-fields'
import { secondStepField } from '@muripo/contract/fields'
import type { stepUp } from '@muripo/locales/security'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useFieldText } from '../../api/error-texts.ts'
import { confirmPerson, type Proof, useFactors } from '../../api/factors.ts'
import { type Save, useFieldRefusal } from '../../components/error-toast.ts'
import { font, stack, textLinkClass } from '../../components/ui/classes.ts'
import { Dialog, FormFoot } from '../../components/ui/dialog.tsx'
import { SecretField, TextField } from '../../components/ui/field.tsx'
import { fieldErrors, formProps, useForm } from '../../lib/forms.ts'
import { usePageText } from '../../lib/page-text.ts'

/** Shows the question; true once the person is confirmed, false when the person gives no answer. */
export const ask = (show: (dialog: ReactNode) => void): Promise<boolean> =>
  new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      show(<StepUpDialog opened={false} onAnswer={answer} />)
      resolve(isConfirmed)
    }
    show(<StepUpDialog opened onAnswer={answer} />)
  })

interface StepUpDialogProps {
  readonly opened: boolean
  readonly onAnswer: (isConfirmed: boolean) => void
}

/** Asks for the password, or for a code where the person has an authenticator app. */
export function StepUpDialog({ opened, onAnswer }: StepUpDialogProps) {
  const t = usePageText<typeof stepUp>(english)
  const confirmation = useMutation({ mutationFn: confirmPerson, onSuccess: () => onAnswer(true) })
  return (
    <Dialog
      opened={opened}
      onClose={() => onAnswer(false)}
      title={t('stepUpTitle')}
      closesBy="escape"
      running={confirmation.isPending}
    >
      <StepUpForm
        running={confirmation.isPending}
        confirm={confirmation.mutate}
        onCancel={() => onAnswer(false)}
      />
    </Dialog>
  )
}

interface StepUpFormProps {
  readonly running: boolean
  readonly confirm: Save<Proof>
  readonly onCancel: () => void
}

function StepUpForm({ running, confirm, onCancel }: StepUpFormProps) {
  const t = usePageText<typeof stepUp>(english)
  const fieldText = useFieldText()
  const hasApp = useFactors().data?.totp != null
  const [by, setBy] = useState<'password' | 'code'>('password')
  const isCode = hasApp && by === 'code'
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: ({ password, code }): { password?: string; code?: string } => {
      if (isCode) return fieldErrors({ code: secondStepField }, { code }, fieldText)
      return password === '' ? { password: fieldText(accountFieldError('passwordMissing')) } : {}
    },
  })
  const onError = useFieldRefusal(form, isCode ? 'code' : 'password', [
    'validation_failed',
    'otp_invalid',
    'rate_limited',
  ])
  const send = ({ password, code }: typeof form.values) =>
    confirm(isCode ? { code: secondStepField.clean(code) } : { password }, { onError })
  return (
    <form {...formProps(form, running, send)}>
      <div className={stack('gap24')}>
        <p className={font('quiet')}>{t('stepUpAbout')}</p>
        {isCode ? (
          <TextField
            key="code"
            label={t('appCode')}
            help={t('appCodeHint')}
            inputMode="numeric"
            autoComplete="one-time-code"
            data-autofocus
            {...form.getInputProps('code')}
          />
        ) : (
          <SecretField
            key="password"
            label={t('stepUpPassword')}
            eyeLabel={t('showStepUpPassword')}
            name="password"
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
        )}
        {hasApp && (
          <button type="button" className={textLinkClass} onClick={() => setBy(isCode ? 'password' : 'code')}>
            {t(isCode ? 'usePassword' : 'useCode')}
          </button>
        )}
      </div>
      <FormFoot running={running} runningLabel={t('confirming')} onCancel={onCancel}>
        {t('confirm')}
      </FormFoot>
    </form>
  )
}
