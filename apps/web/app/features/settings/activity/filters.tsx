import { activityGroups } from '@muripo/contract/enums'
import { useMay } from '../../../api/may.ts'
import { useTeam } from '../../../api/team.ts'
import { TypedFilter } from '../../../components/typed-filter.tsx'
import { SelectField } from '../../../components/ui/field.tsx'
import panel from '../../../components/ui/panel.module.css'
import type { ActivityFilterName, ActivityFilters } from '../../../lib/activity-filters.ts'
import { isDay } from '../../../lib/payment-filters.ts'
import { groupTexts, useActivityText } from './text.ts'

interface FiltersProps {
  readonly filters: ActivityFilters
  /** An empty value filters nothing. */
  readonly onChange: (name: ActivityFilterName, value: string) => void
}

export function Filters({ filters, onChange }: FiltersProps) {
  const t = useActivityText()
  const { data: team } = useTeam(useMay('team.read'))
  const members = team?.members ?? []
  const { person = '', group = '' } = filters
  const isFormer = person !== '' && !members.some(({ id }) => id === person)
  const day = (name: 'from' | 'to') => ({
    type: 'date',
    value: filters[name],
    accepts: isDay,
    onEntered: (value: string) => onChange(name, value),
  })
  return (
    <div className={panel.controls}>
      <SelectField
        label={t('by')}
        choices={[
          { value: '', label: t('everybody') },
          ...(isFormer ? [{ value: person, label: t('byFormer') }] : []),
          ...members.map(({ id, fullname }) => ({ value: id, label: fullname })),
        ]}
        value={person}
        onChange={(event) => onChange('person', event.currentTarget.value)}
      />
      <SelectField
        label={t('action')}
        choices={[
          { value: '', label: t('everyAction') },
          ...activityGroups.map((value) => ({ value, label: t(groupTexts[value]) })),
        ]}
        value={group}
        onChange={(event) => onChange('group', event.currentTarget.value)}
      />
      <TypedFilter label={t('fromDay')} {...day('from')} />
      <TypedFilter label={t('toDay')} {...day('to')} />
    </div>
  )
}
