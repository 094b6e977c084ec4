import { changePasswordFields, samePasswordError } from '@muripo/contract/auth-fields'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { updatePassword, useAccount } from '../../api/account.ts'
import { useRefusedFieldTexts } from '../../api/api-error.ts'
import { useFieldText } from '../../api/error-texts.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { NewPasswordField, PasswordOwner } from '../../components/password-fields.tsx'
import { dashboardToast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { grid } from '../../components/ui/classes.ts'
import { SecretField } from '../../components/ui/field.tsx'
import {
  englishText,
  type FieldText,
  fieldErrors,
  focusFirst,
  formProps,
  useForm,
  type Values,
} from '../../lib/forms.ts'
import styles from './form.module.css'
import { FormError, Section } from './section.tsx'
import { useSettingsText } from './text.ts'

const blank: Passwords = { currentPassword: '', newPassword: '' }

export function Password() {
  const t = useSettingsText()
  const cache = useQueryClient()
  const { data: account } = useAccount()
  const fieldText = useFieldText()
  const fieldTexts = useRefusedFieldTexts()
  const refusedFields = (error: Error | null) => passwordFieldErrors(fieldTexts(error))
  const form = useForm({ initialValues: blank, validate: (typed) => passwordErrors(typed, fieldText) })
  const saving = useMutation({
    mutationFn: updatePassword,
    onSuccess: async () => {
      form.reset()
      dashboardToast.success(t('passwordChanged'))
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
    <Section title={t('password')} about={t('passwordAbout')}>
      <form className={`${styles.form} ${grid('gap20')}`} {...formProps(form, running, saving.mutate)}>
        <PasswordOwner email={account?.email} />
        <SecretField
          label={t('currentPassword')}
          eyeLabel={t('showCurrentPassword')}
          name="currentPassword"
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordField {...form.getInputProps('newPassword')} />
        <FormError error={isBesideField ? null : saving.error} />
        <Button
          submit
          kind={form.isDirty() ? 'primary' : 'default'}
          className={styles.submit}
          running={running}
          runningLabel={t('changing')}
        >
          {t('changePasswordButton')}
        </Button>
      </form>
    </Section>
  )
}

export type Passwords = Values<typeof changePasswordFields>

/** The errors that the server would find, each beside its field. */
export function passwordErrors(typed: Passwords, textOf: FieldText = englishText): Partial<Passwords> {
  const found = fieldErrors(changePasswordFields, typed, textOf)
  const same = samePasswordError(typed)
  return Object.keys(found).length > 0 || same === null ? found : { newPassword: textOf(same) }
}

/** The server's errors beside the form's fields; none when it refused for another reason. */
export const passwordFieldErrors = (errors: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => field in changePasswordFields))
