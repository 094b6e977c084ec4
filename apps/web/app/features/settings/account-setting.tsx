import type { Account } from '@muripo/contract/account'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { dashboardToast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { grid } from '../../components/ui/classes.ts'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import styles from './form.module.css'
import { FormError, Section } from './section.tsx'

interface FormProps<Value> {
  readonly readValue: (account: Account) => Value
  readonly save: (value: Value) => Promise<Account>
  /** The effect of the saved account on the page, before the confirmation. */
  readonly onSaved: (account: Account) => Promise<unknown>
  readonly saveLabel: string
  /** The confirmation, in the language of the saved account. */
  readonly savedText: string
  /** The field of the value. */
  readonly children: (field: SettingField<Value>) => ReactNode
}

export interface SettingField<Value> {
  readonly value: Value
  readonly saved: Value
  readonly onChange: (value: Value) => void
}

interface AccountSettingProps<Value> extends FormProps<Value> {
  readonly title: string
  readonly about: string
}

/** A section with one value of the account, which a button saves. */
export function AccountSetting<Value>({ title, about, ...form }: AccountSettingProps<Value>) {
  const query = useAccount()
  const { data: account, error } = query
  // The profile above shows the error.
  if (error && !account) return null
  return (
    <Section title={title} about={about} query={query} isForm>
      {account ? <SettingForm account={account} {...form} /> : <FieldSkeleton />}
    </Section>
  )
}

function SettingForm<Value>({
  account,
  readValue,
  save,
  onSaved,
  saveLabel,
  savedText,
  children,
}: FormProps<Value> & { readonly account: Account }) {
  const t = useDashboardText()
  const cache = useQueryClient()
  const saved = readValue(account)
  const [value, setValue] = useState(saved)
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (changed) => {
      cache.setQueryData(queryKeys.account, changed)
      return onSaved(changed)
    },
  })
  const { isSuccess } = saving
  const confirm = useEffectEvent(() => dashboardToast.success(savedText))
  useEffect(() => {
    if (isSuccess) confirm()
  }, [isSuccess])
  const onChange = (next: Value) => {
    setValue(next)
    saving.reset()
  }
  return (
    <form
      className={`${styles.form} ${grid('gap20')}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!saving.isPending) saving.mutate(value)
      }}
    >
      {children({ value, saved, onChange })}
      <FormError error={saving.error} />
      <Button
        submit
        kind={value === saved ? 'default' : 'primary'}
        className={styles.submit}
        running={saving.isPending}
        runningLabel={t('saving')}
      >
        {saveLabel}
      </Button>
    </form>
  )
}

/** As high as a form with one field and a button. */
const FieldSkeleton = () => (
  <div className={`${styles.form} ${grid('gap20')}`} aria-hidden="true">
    <div>
      <Skeleton h={14} w={96} my={5} />
      <Skeleton h={42} mt={11} />
      <Skeleton h={12} w={200} mt={10} mb={5} />
    </div>
    <Skeleton h={42} w={160} />
  </div>
)
