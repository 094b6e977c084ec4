import { Select } from '@mantine/core'
import type { Account } from '@muripo/contract/account'
import { locales } from '@muripo/contract/enums'
import { languageNames, localeIn } from '@muripo/locales/languages'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { updateLanguage, useAccount } from '../../api/account.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { SubmitButton } from '../../components/button.tsx'
import { dashboardToast } from '../../components/toast.ts'
import { useCommonText } from '../../lib/common-text.ts'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { useChooseLanguage } from '../../lib/page-text.ts'
import styles from './form.module.css'
import { FieldSkeleton, FormError, Section } from './section.tsx'

export function Language() {
  const t = useDashboardText()
  const common = useCommonText()
  const { data: account, error } = useAccount()
  // The profile above shows the error.
  if (error && !account) return null
  return (
    <Section title={common('language')} about={t('languageAbout')} busy={!account}>
      {account ? <LanguageForm account={account} /> : <FieldSkeleton />}
    </Section>
  )
}

function LanguageForm({ account }: { readonly account: Account }) {
  const t = useDashboardText()
  const common = useCommonText()
  const cache = useQueryClient()
  const choose = useChooseLanguage()
  const [chosen, setChosen] = useState(account.locale)
  const saving = useMutation({
    mutationFn: updateLanguage,
    onSuccess: async (saved) => {
      cache.setQueryData(queryKeys.account, saved)
      await choose(saved.locale)
    },
  })
  const { isSuccess } = saving
  // In the new language.
  const confirm = useEffectEvent(() => dashboardToast.success(t('languageSaved')))
  useEffect(() => {
    if (isSuccess) confirm()
  }, [isSuccess])
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!saving.isPending) saving.mutate(chosen)
      }}
    >
      <Select
        label={common('language')}
        allowDeselect={false}
        data={[
          { value: '', label: t('languageOfBrowser') },
          ...locales.map((locale) => ({ value: locale, label: languageNames[locale] })),
        ]}
        value={chosen ?? ''}
        onChange={(value) => {
          setChosen(localeIn(value))
          saving.reset()
        }}
      />
      <FormError error={saving.error} />
      <SubmitButton
        variant={chosen === account.locale ? 'default' : 'filled'}
        className={styles.submit ?? ''}
        running={saving.isPending}
        runningLabel={t('saving')}
      >
        {t('saveLanguageButton')}
      </SubmitButton>
    </form>
  )
}
