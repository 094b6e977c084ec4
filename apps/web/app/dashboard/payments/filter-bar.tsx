import { Button, Select } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useId, useState } from 'react'
import { IconFilter, IconSearch } from '../../ui/icons.ts'
import panel from '../../ui/panel.module.css'
import {
  countFilters,
  type FilterName,
  type Filters,
  isAccepted,
  methodChoices,
  statusChoices,
} from './filters.ts'
import styles from './payments.module.css'
import { useApplicationChoices } from './payments-api.ts'
import { TypedFilter } from './typed-filter.tsx'

interface FilterBarProps {
  readonly filters: Filters
  /** How often they were cleared: each time what is half typed goes too. */
  readonly clears: number
  readonly onChange: (name: FilterName, value: string) => void
  readonly onClear: () => void
}

export function FilterBar(props: FilterBarProps) {
  const { filters, clears, onChange } = props
  const [shown, setShown] = useState(false)
  const small = useMediaQuery('(max-width: 39.99em)', undefined, { getInitialValueInEffect: false })
  // They stay closed when the window grows again.
  if (small && shown) setShown(false)
  const areaId = useId()
  const active = countFilters(filters)
  return (
    <>
      <div className={panel.controls}>
        <TypedFilter
          key={clears}
          type="search"
          aria-label="Search by payment ID"
          placeholder="Search by payment ID..."
          leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
          value={filters.search}
          onSettle={(value) => onChange('search', value)}
        />
        <Button
          variant="default"
          aria-expanded={shown}
          aria-controls={areaId}
          disabled={small}
          className={styles.toggle}
          leftSection={<IconFilter size={18} stroke={1.75} aria-hidden />}
          rightSection={active > 0 ? <span className={styles.badge}>{active}</span> : undefined}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide Filters' : 'Show Filters'}
        </Button>
      </div>
      <div id={areaId} hidden={!shown}>
        {shown && <FilterFields {...props} />}
      </div>
    </>
  )
}

function FilterFields({ filters, clears, onChange, onClear }: FilterBarProps) {
  const { data: applications } = useApplicationChoices()
  const none = applications?.length === 0
  const choices = [
    { value: '', label: 'All Applications' },
    ...(none ? [{ value: 'none', label: 'No applications', disabled: true }] : (applications ?? [])),
  ]
  const typed = (name: FilterName) => ({
    value: filters[name],
    accepts: (value: string) => isAccepted(name, value),
    onSettle: (value: string) => onChange(name, value),
  })
  const amount = { inputMode: 'decimal', complaint: 'An amount like 25 or 25.50' } as const
  return (
    <div className={styles.filters}>
      <fieldset key={`days-${clears}`} className={styles.range}>
        <legend>Date Range</legend>
        <TypedFilter type="date" label="From" {...typed('from')} />
        <TypedFilter type="date" label="To" {...typed('to')} />
      </fieldset>
      <fieldset key={`amounts-${clears}`} className={styles.range}>
        <legend>Amount Range (USD)</legend>
        <TypedFilter label="Min" {...amount} {...typed('minAmount')} />
        <TypedFilter label="Max" {...amount} {...typed('maxAmount')} />
      </fieldset>
      <Select
        label="Status"
        data={statusChoices}
        allowDeselect={false}
        value={filters.status?.toLowerCase() ?? ''}
        onChange={(value) => onChange('status', value ?? '')}
      />
      <Select
        label="Payment Method"
        data={methodChoices}
        allowDeselect={false}
        value={filters.method?.toLowerCase() ?? ''}
        onChange={(value) => onChange('method', value ?? '')}
      />
      <Select
        label="Application"
        data={choices}
        allowDeselect={false}
        value={filters.applicationId ?? ''}
        onChange={(value) => onChange('applicationId', value ?? '')}
      />
      <Button variant="default" className={styles.clearAll} onClick={onClear}>
        Clear All Filters
      </Button>
    </div>
  )
}
