import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { CallError } from '../../api/errors.ts'
import { busy } from '../../components/busy.ts'
import { NewPasswordField, PasswordOwner, SecretField } from '../../components/password-fields.tsx'
import { dashboardToast } from '../../components/toast.ts'
import { focusFirst } from '../../lib/forms.ts'
import styles from './form.module.css'
import { FormFault, faultText } from './form-parts.tsx'
import { faultsIn, type Passwords, passwordFaults } from './password-rules.ts'
import { Section } from './section.tsx'
import { sessionsKey, setPassword } from './settings-api.ts'

const blank: Passwords = { currentPassword: '', newPassword: '' }

export function Password() {
  const cache = useQueryClient()
  const { data: account } = useAccount()
  const [running, setRunning] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const form = useForm({ initialValues: blank, validate: passwordFaults })

  async function change(passwords: Passwords) {
    if (running) return
    setRunning(true)
    setFault(null)
    const result = await setPassword(passwords)
    setRunning(false)
    if (result.data !== null) {
      form.reset()
      dashboardToast.success(result.data.message)
      await cache.invalidateQueries({ queryKey: sessionsKey })
      return
    }
    const found = faultsIn(result.body)
    form.setErrors(found)
    if (Object.keys(found).length > 0) focusFirst(form)(found)
    else setFault(faultText(new CallError(result, 'Failed to change the password')))
  }

  return (
    <Section
      title="Password"
      about="Every other device is signed out when you change it, and we tell you by mail. After too many wrong tries you have to wait."
    >
      <form
        className={styles.form}
        noValidate
        onSubmit={form.onSubmit((typed) => void change(typed), focusFirst(form))}
      >
        <PasswordOwner email={account?.email} />
        <SecretField
          label="Current password"
          what="current password"
          name="currentPassword"
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordField {...form.getInputProps('newPassword')} />
        <FormFault>{fault}</FormFault>
        <Button
          type="submit"
          variant={form.isDirty() ? 'filled' : 'default'}
          className={styles.submit ?? ''}
          {...busy(running)}
        >
          {running ? 'Changing...' : 'Change Password'}
        </Button>
      </form>
    </Section>
  )
}
