import { Select } from '@mantine/core'
import type { Account } from '@muripo/contract/account'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { updateTimeZone, useAccount } from '../../api/account.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { SubmitButton } from '../../components/button.tsx'
import { dashboardToast } from '../../components/toast.ts'
import { clockText, dayOf, shortDayText } from '../../lib/format.ts'
import styles from './form.module.css'
import { errorText, FieldSkeleton, FormError, Section } from './section.tsx'
import { choiceOf, choicesWith } from './time-zones.ts'

export function TimeZone() {
  const { data: account, error } = useAccount()
  // The profile above shows the error.
  if (error && !account) return null
  return (
    <Section
      title="Time zone"
      about="Your days begin at midnight here: today's figures, date filters and every time on the dashboard follow it."
      busy={!account}
    >
      {account ? <TimeZoneForm account={account} /> : <FieldSkeleton />}
    </Section>
  )
}

function TimeZoneForm({ account }: { readonly account: Account }) {
  const cache = useQueryClient()
  const [chosen, setChosen] = useState(account.timeZone)
  // A list of four hundred places takes a while, so it is built when the field is opened.
  const [opened, setOpened] = useState(false)
  const choices = useMemo(
    () => (opened ? choicesWith(account.timeZone) : [choiceOf(account.timeZone)]),
    [opened, account.timeZone],
  )
  const saving = useMutation({
    mutationFn: updateTimeZone,
    onSuccess: async (saved) => {
      cache.setQueryData(queryKeys.account, saved)
      dashboardToast.success('Time zone saved')
      // Every figure that is counted by days is refetched.
      await cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== queryKeys.account[0] })
    },
  })
  const now = new Date().toISOString()
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
        label="Time zone"
        description={`It is ${clockText(now, chosen)} there now, ${shortDayText(dayOf(now, chosen), 'weekday')}`}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No time zone is called so. Try the name of a large city nearby."
        maxDropdownHeight={280}
        data={choices}
        value={chosen}
        onChange={(timeZone) => {
          if (timeZone !== null) setChosen(timeZone)
          saving.reset()
        }}
        onDropdownOpen={() => setOpened(true)}
      />
      <FormError>{errorText(saving.error)}</FormError>
      <SubmitButton
        variant={chosen === account.timeZone ? 'default' : 'filled'}
        className={styles.submit ?? ''}
        running={saving.isPending}
        runningLabel="Saving..."
      >
        Save Time Zone
      </SubmitButton>
    </form>
  )
}
