import { changePasswordFields, samePasswordError } from '@muripo/contract/fields'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { updatePassword, useAccount } from '../../api/account.ts'
import { useFieldTexts } from '../../api/api-error.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { SubmitButton } from '../../components/button.tsx'
import { NewPasswordField, PasswordOwner, SecretField } from '../../components/password-fields.tsx'
import { dashboardToast } from '../../components/toast.ts'
import { fieldErrors, focusFirst, formProps, useForm, type Values } from '../../lib/forms.ts'
import styles from './form.module.css'
import { FormError, Section } from './section.tsx'

const blank: Passwords = { currentPassword: '', newPassword: '' }

export function Password() {
  const cache = useQueryClient()
  const { data: account } = useAccount()
  const fieldTexts = useFieldTexts()
  const refusedFields = (error: Error | null) => passwordFieldErrors(fieldTexts(error))
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
      about="Every other device is signed out when you change it, and you receive an email. After too many wrong passwords you have to wait."
    >
      <form className={styles.form} {...formProps(form, running, saving.mutate)}>
        <PasswordOwner email={account?.email} />
        <SecretField
          label="Current password"
          eyeLabel="Show or hide current password"
          name="currentPassword"
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordField {...form.getInputProps('newPassword')} />
        <FormError error={isBesideField ? null : saving.error} />
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

export type Passwords = Values<typeof changePasswordFields>

/** The sentences beside the fields, as the server would say them. */
export function passwordErrors(typed: Passwords): Partial<Passwords> {
  const found = fieldErrors(changePasswordFields, typed)
  const same = samePasswordError(typed)
  return Object.keys(found).length > 0 || same === null ? found : { newPassword: same }
}

/** The server's errors beside the form's fields; none when it refused for another reason. */
export const passwordFieldErrors = (errors: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => field in changePasswordFields))
