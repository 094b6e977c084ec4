import { Button, Drawer, Select } from '@mantine/core'
import { useApplicationChoices } from '../../api/applications.ts'
import {
  type FilterName,
  type Filters,
  isAccepted,
  methodChoices,
  statusChoices,
} from '../../lib/payment-filters.ts'
import styles from './payments.module.css'
import { TypedFilter } from './typed-filter.tsx'

export interface FilterFieldsProps {
  readonly filters: Filters
  /** How often they were cleared: each time what is half typed goes too. */
  readonly clears: number
  readonly onChange: (name: FilterName, value: string) => void
  readonly onClear: () => void
}

interface FilterSheetProps extends FilterFieldsProps {
  readonly opened: boolean
  readonly onClose: () => void
  /** Once the sheet is gone. */
  readonly onClosed: () => void
}

/** The same fields for a phone, over the lower part of the page. */
export const FilterSheet = ({ opened, onClose, onClosed, ...fields }: FilterSheetProps) => (
  <Drawer
    opened={opened}
    onClose={onClose}
    onExitTransitionEnd={onClosed}
    position="bottom"
    size="auto"
    padding={0}
    title="Filters"
    closeButtonProps={{ 'aria-label': 'Close filters', size: 44, iconSize: 22 }}
    transitionProps={{ duration: 200 }}
    classNames={{ header: styles.sheetHead ?? '', content: styles.sheet ?? '' }}
  >
    <FilterFields {...fields} />
  </Drawer>
)

export function FilterFields({ filters, clears, onChange, onClear }: FilterFieldsProps) {
  const { data, isError } = useApplicationChoices()
  const applications = isError
    ? []
    : data?.map(({ _id, applicationName }) => ({ value: _id, label: applicationName }))
  const none = applications?.length === 0
  const choices = [
    { value: '', label: 'All Applications' },
    ...(none ? [{ value: 'none', label: 'No applications', disabled: true }] : (applications ?? [])),
  ]
  const typed = (name: FilterName) => ({
    value: filters[name],
    accepts: (value: string) => isAccepted(name, value),
    onEntered: (value: string) => onChange(name, value),
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
