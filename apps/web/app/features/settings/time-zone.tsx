import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { updateTimeZone } from '../../api/account.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Combobox } from '../../components/ui/combobox.tsx'
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
      {(field) => <ZoneField {...field} />}
    </AccountSetting>
  )
}

function ZoneField({ value, saved, onChange }: SettingField<string>) {
  const t = useSettingsText()
  const { clockText, shortDayText } = useFormats()
  // Undefined while the field contains the name of the place.
  const [typed, setTyped] = useState<string>()
  // The list of four hundred places is created when the field is opened, because this takes a while.
  const [opened, setOpened] = useState(false)
  const choices = useMemo(() => (opened ? choicesWith(saved) : [choiceOf(saved)]), [opened, saved])
  const now = new Date().toISOString()
  const there = t('timeThere', {
    time: clockText(now, value),
    day: shortDayText(dayOf(now, value), 'weekday'),
  })
  const label = choiceOf(value).label
  return (
    <Combobox
      label={t('timeZone')}
      help={typed ? `${label}. ${there}` : there}
      value={typed ?? label}
      choices={matchingPlaces(typed ?? '', choices)}
      chosen={value}
      listLabel={t('timeZone')}
      emptyText={t('noTimeZone')}
      onOpen={() => setOpened(true)}
      onClose={() => setTyped(undefined)}
      onType={(text) => {
        setTyped(text)
        onChange(text.trim() === '' ? saved : (matchingPlaces(text, choices)[0]?.value ?? saved))
      }}
      onChoose={onChange}
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
  return [...new Set([...known, 'UTC', chosen])].sort().map((timeZone) => choiceOf(timeZone, at))
}

/** The places whose name contains the text. Those that begin with it are first. */
export function matchingPlaces(text: string, choices: readonly Choice[]): readonly Choice[] {
  const sought = text.trim().toLowerCase()
  if (sought === '') return choices
  const names = choices.map((choice) => ({ choice, name: choice.label.toLowerCase() }))
  const begins = (name: string) => name.slice(name.lastIndexOf('/') + 1).startsWith(sought)
  return [
    ...names.filter(({ name }) => begins(name)),
    ...names.filter(({ name }) => !begins(name) && name.includes(sought)),
  ].map(({ choice }) => choice)
}
