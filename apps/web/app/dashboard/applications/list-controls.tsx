import { Select, TextInput } from '@mantine/core'
import { IconSearch } from '../../ui/icons.ts'
import panel from '../../ui/panel.module.css'
import type { ListFilters } from './application-list.ts'

interface ListControlsProps {
  readonly filters: ListFilters
  readonly onChange: (filters: ListFilters) => void
}

const sorts = [
  { value: 'newest', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
]
const statuses = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
]

export const ListControls = ({ filters, onChange }: ListControlsProps) => (
  <div className={panel.controls}>
    <TextInput
      type="search"
      aria-label="Search applications"
      placeholder="Search applications..."
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
      value={filters.search}
      onChange={(event) => onChange({ ...filters, search: event.currentTarget.value })}
    />
    <Select
      aria-label="Sort"
      data={sorts}
      allowDeselect={false}
      value={filters.sort}
      onChange={(sort) => onChange({ ...filters, sort: (sort ?? 'newest') as ListFilters['sort'] })}
    />
    <Select
      aria-label="Status"
      data={statuses}
      allowDeselect={false}
      value={filters.status}
      onChange={(status) => onChange({ ...filters, status: (status ?? 'all') as ListFilters['status'] })}
    />
  </div>
)
