import { Button, Select } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useId, useState } from 'react'
import { IconFilter, IconSearch } from '../../ui/icons.ts'
import panel from '../../ui/panel.module.css'
import { countFilters, type FilterName, type Filters, methodChoices, statusChoices } from './filters.ts'
import styles from './payments.module.css'
import { useApplicationChoices } from './payments-api.ts'
import { TypedFilter } from './typed-filter.tsx'

interface FilterBarProps {
  readonly filters: Filters
  readonly onChange: (name: FilterName, value: string) => void
  readonly onClear: () => void
}

export function FilterBar({ filters, onChange, onClear }: FilterBarProps) {
  const [wanted, setWanted] = useState(false)
  const small = useMediaQuery('(max-width: 39.99em)')
  const shown = wanted && !small
  const areaId = useId()
  const active = countFilters(filters)
  return (
    <>
      <div className={panel.controls}>
        <TypedFilter
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
          disabled={small === true}
          className={styles.toggle}
          leftSection={<IconFilter size={18} stroke={1.75} aria-hidden />}
          rightSection={active > 0 ? <span className={styles.badge}>{active}</span> : undefined}
          onClick={() => setWanted(!shown)}
        >
          {shown ? 'Hide Filters' : 'Show Filters'}
        </Button>
      </div>
      <div id={areaId} hidden={!shown}>
        {shown && <FilterFields filters={filters} onChange={onChange} onClear={onClear} />}
      </div>
    </>
  )
}

function FilterFields({ filters, onChange, onClear }: FilterBarProps) {
  const { data: applications = [] } = useApplicationChoices()
  const choices =
    applications.length > 0
      ? [{ value: '', label: 'All Applications' }, ...applications]
      : [
          { value: '', label: 'All Applications' },
          { value: 'none', label: 'No applications', disabled: true },
        ]
  return (
    <div className={styles.filters}>
      <fieldset className={styles.range}>
        <legend>Date Range</legend>
        <TypedFilter
          type="date"
          label="From"
          value={filters.from}
          onSettle={(value) => onChange('from', value)}
        />
        <TypedFilter type="date" label="To" value={filters.to} onSettle={(value) => onChange('to', value)} />
      </fieldset>
      <fieldset className={styles.range}>
        <legend>Amount Range (USD)</legend>
        <TypedFilter
          label="Min"
          inputMode="decimal"
          value={filters.minAmount}
          onSettle={(value) => onChange('minAmount', value)}
        />
        <TypedFilter
          label="Max"
          inputMode="decimal"
          value={filters.maxAmount}
          onSettle={(value) => onChange('maxAmount', value)}
        />
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
