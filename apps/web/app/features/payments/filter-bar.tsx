import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useId, useState } from 'react'
import { CHECK_CONNECTION } from '../../api/errors.ts'
import { IconFilter, IconSearch } from '../../components/icons.ts'
import panel from '../../components/panel.module.css'
import { dashboardToast } from '../../components/toast.ts'
import { useLazyModule } from '../../lib/lazy.ts'
import { countFilters } from '../../lib/payment-filters.ts'
import type { FilterFieldsProps } from './filter-fields.tsx'
import styles from './payments.module.css'
import { TypedFilter } from './typed-filter.tsx'

interface FilterBarProps extends FilterFieldsProps {
  /** Why the search was not finished. */
  readonly searchError: string | undefined
}

export function FilterBar({ searchError, ...props }: FilterBarProps) {
  const { filters, clears, onChange } = props
  const [shown, setShown] = useState(false)
  // They come when they are opened: hidden as they are by default, they would be a quarter of the page's script.
  const fields = useLazyModule(() => import('./filter-fields.tsx'))
  const small = useMediaQuery('(max-width: 39.99em)', undefined, { getInitialValueInEffect: false })
  // They stay closed when the window grows again.
  if (small && shown) setShown(false)
  async function show() {
    if (await fields.load()) setShown(true)
    else dashboardToast.error(CHECK_CONNECTION)
  }
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
          problem={searchError}
          onEntered={(value) => onChange('search', value)}
        />
        <Button
          variant="default"
          aria-expanded={shown}
          aria-controls={areaId}
          disabled={small}
          className={styles.toggle}
          leftSection={<IconFilter size={18} stroke={1.75} aria-hidden />}
          rightSection={active > 0 ? <span className={styles.badge}>{active}</span> : undefined}
          onClick={() => (shown ? setShown(false) : void show())}
        >
          {shown ? 'Hide Filters' : 'Show Filters'}
        </Button>
      </div>
      <div id={areaId} hidden={!shown}>
        {shown && fields.module && <fields.module.FilterFields {...props} />}
      </div>
    </>
  )
}
