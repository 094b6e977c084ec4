import { Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { updateTimeZone } from '../../api/account.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { dayOf } from '../../lib/format.ts'
import { useFormats } from '../../lib/use-formats.ts'
import { AccountSetting, type SettingField } from './account-setting.tsx'
import { useSettingsText } from './text.ts'

export function TimeZone() {
  const t = useSettingsText()
  const cache = useQueryClient()
  return (
    <AccountSetting
      title={t('timeZone')}
      about={t('timeZoneAbout')}
      readValue={({ timeZone }) => timeZone}
      save={updateTimeZone}
      onSaved={async () => {
        // Every figure that is counted by days is refetched, after the confirmation.
        void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== queryKeys.account[0] })
      }}
      saveLabel={t('saveTimeZoneButton')}
      savedText={t('timeZoneSaved')}
    >
      {(field) => <ZoneSelect {...field} />}
    </AccountSetting>
  )
}

function ZoneSelect({ value, saved, onChange }: SettingField<string>) {
  const t = useSettingsText()
  const { clockText, shortDayText } = useFormats()
  // The list of four hundred places is created when the field is opened, because this takes a while.
  const [opened, setOpened] = useState(false)
  const choices = useMemo(() => (opened ? choicesWith(saved) : [choiceOf(saved)]), [opened, saved])
  const now = new Date().toISOString()
  const day = shortDayText(dayOf(now, value), 'weekday')
  return (
    <Select
      label={t('timeZone')}
      description={t('timeThere', { time: clockText(now, value), day })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('noTimeZone')}
      maxDropdownHeight={280}
      data={choices}
      value={value}
      onChange={(timeZone) => onChange(timeZone ?? value)}
      onDropdownOpen={() => setOpened(true)}
    />
  )
}

export interface Choice {
  readonly value: string
  readonly label: string
}

/** Browsers list some places by a former name. The server accepts both names; users search for the present one. */
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

/** The offset of a time zone at a time: "GMT+2". */
function distance(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

export const choiceOf = (timeZone: string, at = new Date()): Choice => ({
  value: timeZone,
  label: `${timeZone.replaceAll('_', ' ')} (${distance(timeZone, at)})`,
})

/** Every time zone that the browser knows, and the chosen one, which the browser may not know. */
export function choicesWith(chosen: string, at = new Date()): Choice[] {
  const known = Intl.supportedValuesOf('timeZone').map((name) => todaysNames[name] ?? name)
  return [...new Set([...known, 'UTC', chosen])].toSorted().map((timeZone) => choiceOf(timeZone, at))
}
