import { dayOf } from '../../lib/format.ts'
import type { Filters } from '../../lib/payment-filters.ts'
import type { PaymentsText } from '../../lib/payments-text.ts'
import { serverNow } from '../../lib/timing.ts'
import { useTimeZone } from '../../lib/use-formats.ts'
import { type DayPreset, dayPresetsAt } from './day-presets.ts'

/** The presets at this moment in the account's time zone. */
export function useDayPresets(): readonly DayPreset[] {
  const timeZone = useTimeZone()
  return dayPresetsAt(dayOf(new Date(serverNow()).toISOString(), timeZone))
}

export const isPresetOf =
  ({ from = '', to = '' }: Filters) =>
  (preset: DayPreset): boolean =>
    preset.from === from && preset.to === to

export function presetText({ name }: DayPreset, t: PaymentsText): string {
  if (typeof name !== 'string') return t('presetMonth', name).trim()
  return t(name)
}
