import { accountFieldError } from '@muripo/contract/auth-fields'
import { PASSKEY_NAME_MAX_LENGTH } from '@muripo/contract/constants'
import type { Passkey } from '@muripo/contract/passkeys'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFieldText } from '../../../api/error-texts.ts'
import { PromptError, updatePasskeyName } from '../../../api/passkeys.ts'
import { type Save, useFieldRefusal } from '../../../components/error-toast.ts'
import { notice, stack } from '../../../components/ui/classes.ts'
import { Dialog, FormFoot } from '../../../components/ui/dialog.tsx'
import { SecretField, TextField } from '../../../components/ui/field.tsx'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { formProps, useForm } from '../../../lib/forms.ts'
import { useSettingsText } from '../text.ts'

interface PasswordDialogProps<T> {
  readonly opened: boolean
  readonly title: string
  readonly confirm: string
  /** The button's text while the request runs. */
  readonly confirming: string
  readonly danger?: boolean
  readonly act: (password: string) => Promise<T>
  readonly onDone: (result: T) => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Asks for the password before an action that a session alone must not be enough for. */
export function PasswordDialog<T>({ opened, title, act, onDone, onClose, ...rest }: PasswordDialogProps<T>) {
  const action = useMutation({ mutationFn: act, onSuccess: onDone })
  const close = () => {
    action.reset()
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title={title} closesBy="escape" running={action.isPending}>
      <PasswordForm
        {...rest}
        running={action.isPending}
        trouble={action.error instanceof PromptError ? action.error.message : null}
        onConfirm={action.mutate}
        onCancel={close}
      />
    </Dialog>
  )
}

interface PasswordFormProps<T>
  extends Pick<PasswordDialogProps<T>, 'confirm' | 'confirming' | 'danger' | 'children'> {
  readonly running: boolean
  readonly trouble: string | null
  readonly onConfirm: Save<string>
  readonly onCancel: () => void
}

/** Mounted only while the dialog is open, so that the entered password is not kept. */
function PasswordForm<T>({
  confirm,
  confirming,
  danger,
  children,
  running,
  trouble,
  onConfirm,
  onCancel,
}: PasswordFormProps<T>) {
  const t = useSettingsText()
  const fieldText = useFieldText()
  const form = useForm({
    initialValues: { password: '' },
    validate: ({ password }): { password?: string } =>
      password === '' ? { password: fieldText(accountFieldError('passwordMissing')) } : {},
  })
  const showRefusal = useFieldRefusal(form, 'password', ['validation_failed', 'rate_limited'])
  const onError = (error: Error) => error instanceof PromptError || showRefusal(error)
  return (
    <form {...formProps(form, running, ({ password }) => onConfirm(password, { onError }))}>
      <div className={stack('gap24')}>
        {children}
        <SecretField
          label={t('yourPassword')}
          eyeLabel={t('showPassword')}
          name="password"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
        {trouble !== null && (
          <p className={notice('failure')} role="alert">
            {trouble}
          </p>
        )}
      </div>
      <FormFoot running={running} runningLabel={confirming} danger={danger} onCancel={onCancel}>
        {confirm}
      </FormFoot>
    </form>
  )
}

interface RenameDialogProps {
  /** Null while the dialog is closed. */
  readonly passkey: Passkey | null
  readonly onRenamed: (passkey: Passkey) => void
  readonly onClose: () => void
}

export function RenameDialog({ passkey, onRenamed, onClose }: RenameDialogProps) {
  const t = useSettingsText()
  const renaming = useMutation({
    mutationFn: ({ _id, name }: Pick<Passkey, '_id' | 'name'>) => updatePasskeyName(_id, name),
    onSuccess: onRenamed,
  })
  return (
    <Dialog
      opened={passkey !== null}
      onClose={onClose}
      title={t('renamePasskeyTitle')}
      running={renaming.isPending}
    >
      {passkey && (
        <RenameForm
          passkey={passkey}
          running={renaming.isPending}
          save={renaming.mutate}
          onCancel={onClose}
        />
      )}
    </Dialog>
  )
}

interface RenameFormProps {
  readonly passkey: Passkey
  readonly running: boolean
  readonly save: Save<Pick<Passkey, '_id' | 'name'>>
  readonly onCancel: () => void
}

function RenameForm({ passkey, running, save, onCancel }: RenameFormProps) {
  const t = useSettingsText()
  const dashboard = useDashboardText()
  const form = useForm({
    initialValues: { name: passkey.name },
    validate: ({ name }): { name?: string } => (name.trim() === '' ? { name: t('passkeyNameMissing') } : {}),
  })
  const onError = useFieldRefusal(form, 'name')
  return (
    <form {...formProps(form, running, ({ name }) => save({ _id: passkey._id, name }, { onError }))}>
      <div className={stack('gap24')}>
        <TextField
          label={dashboard('name')}
          help={t('passkeyNameHint')}
          autoComplete="off"
          maxLength={PASSKEY_NAME_MAX_LENGTH}
          data-autofocus
          {...form.getInputProps('name')}
        />
      </div>
      <FormFoot running={running} runningLabel={dashboard('saving')} onCancel={onCancel}>
        {t('saveNameButton')}
      </FormFoot>
    </form>
  )
}
