import { useMutation, useQueryClient } from '@tanstack/react-query'
import { updatePassword, useAccount } from '../../api/account.ts'
import { ApiError } from '../../api/errors.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { SubmitButton } from '../../components/button.tsx'
import { NewPasswordField, PasswordOwner, SecretField } from '../../components/password-fields.tsx'
import { dashboardToast } from '../../components/toast.ts'
import { focusFirst, formProps, useForm } from '../../lib/forms.ts'
import styles from './form.module.css'
import { type Passwords, passwordErrors, passwordFieldErrors } from './password-form.ts'
import { errorText, FormError, Section } from './section.tsx'

const blank: Passwords = { currentPassword: '', newPassword: '' }

const refusedFields = (error: Error | null): Record<string, string> =>
  error instanceof ApiError ? passwordFieldErrors(error.fieldErrors) : {}

export function Password() {
  const cache = useQueryClient()
  const { data: account } = useAccount()
  const form = useForm({ initialValues: blank, validate: passwordErrors })
  const saving = useMutation({
    mutationFn: updatePassword,
    onSuccess: async ({ message }) => {
      form.reset()
      dashboardToast.success(message)
      await cache.invalidateQueries({ queryKey: queryKeys.sessions })
    },
    onError: (error) => {
      const refused = refusedFields(error)
      form.setErrors(refused)
      focusFirst(form)(refused)
    },
  })
  const running = saving.isPending
  const isBesideField = Object.keys(refusedFields(saving.error)).length > 0

  return (
    <Section
      title="Password"
      about="Every other device is signed out when you change it, and we tell you by mail. After too many wrong tries you have to wait."
    >
      <form className={styles.form} {...formProps(form, running, saving.mutate)}>
        <PasswordOwner email={account?.email} />
        <SecretField
          label="Current password"
          what="current password"
          name="currentPassword"
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordField {...form.getInputProps('newPassword')} />
        <FormError>{isBesideField ? null : errorText(saving.error)}</FormError>
        <SubmitButton
          variant={form.isDirty() ? 'filled' : 'default'}
          className={styles.submit ?? ''}
          running={running}
          runningLabel="Changing..."
        >
          Change Password
        </SubmitButton>
      </form>
    </Section>
  )
}
