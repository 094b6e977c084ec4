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
import { FieldSkeleton, FormError, Section } from './section.tsx'

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
      <FormError error={saving.error} />
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

export interface Choice {
  readonly value: string
  readonly label: string
}

/** Browsers list some places by a name of long ago. Both names mean the same to the server; people look for today's. */
const todaysNames: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Louisville': 'America/Kentucky/Louisville',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
}

/** "GMT+2", as clocks stand there at that moment. */
function distance(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

export const choiceOf = (timeZone: string, at = new Date()): Choice => ({
  value: timeZone,
  label: `${timeZone.replaceAll('_', ' ')} (${distance(timeZone, at)})`,
})

/** Every time zone that the browser knows, and the one that is chosen already, however it came to be. */
export function choicesWith(chosen: string, at = new Date()): Choice[] {
  const known = Intl.supportedValuesOf('timeZone').map((name) => todaysNames[name] ?? name)
  return [...new Set([...known, 'UTC', chosen])].toSorted().map((timeZone) => choiceOf(timeZone, at))
}
