import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useId, useRef, useState } from 'react'
import { IconFilter, IconSearch } from '../../components/icons.ts'
import panel from '../../components/panel.module.css'
import { dashboardToast } from '../../components/toast.ts'
import { useLazyModule } from '../../lib/lazy.ts'
import { useCommonText } from '../../lib/page-text.ts'
import { countFilters } from '../../lib/payment-filters.ts'
import type { FilterFieldsProps } from './filter-fields.tsx'
import styles from './payments.module.css'
import { usePaymentsText } from './text.ts'
import { TypedFilter } from './typed-filter.tsx'

interface FilterBarProps extends FilterFieldsProps {
  /** The reason why the search was not finished. */
  readonly searchError: string | undefined
}

export function FilterBar({ searchError, ...props }: FilterBarProps) {
  const t = usePaymentsText()
  const { module, open } = useFilterFields()
  const [isAreaOpen, setAreaOpen] = useState(false)
  const [isSheetOpen, setSheetOpen] = useState(false)
  const isSmall = useMediaQuery('(max-width: 39.99em)', undefined, { getInitialValueInEffect: false })
  // The fields stay closed when the width of the window changes between the layouts.
  if (isSmall && isAreaOpen) setAreaOpen(false)
  if (!isSmall && isSheetOpen) setSheetOpen(false)
  const sheetButton = useRef<HTMLButtonElement>(null)
  const areaId = useId()
  const active = countFilters(props.filters)
  const button = {
    variant: 'default',
    leftSection: <IconFilter size={18} stroke={1.75} aria-hidden />,
    rightSection: active > 0 && <span className={styles.badge}>{active}</span>,
  } as const
  return (
    <>
      <div className={panel.controls}>
        <SearchField key={props.clears} {...props} error={searchError} />
        <Button
          {...button}
          aria-expanded={isAreaOpen}
          aria-controls={areaId}
          disabled={isSmall}
          className={styles.toggle}
          onClick={() => (isAreaOpen ? setAreaOpen(false) : void open(setAreaOpen))}
        >
          {t(isAreaOpen ? 'hideFilters' : 'showFilters')}
        </Button>
        <Button
          {...button}
          ref={sheetButton}
          aria-haspopup="dialog"
          className={styles.sheetToggle}
          onClick={() => void open(setSheetOpen)}
        >
          {t('filters')}
        </Button>
      </div>
      <div id={areaId} hidden={!isAreaOpen}>
        {isAreaOpen && module && <module.FilterFields {...props} />}
      </div>
      {module && (
        <module.FilterSheet
          {...props}
          opened={isSheetOpen}
          onClose={() => setSheetOpen(false)}
          // Mantine returns the focus only if the sheet was mounted before it opened.
          onClosed={() => sheetButton.current?.focus()}
        />
      )}
    </>
  )
}

/** The fields are loaded when they are opened: they would be a quarter of the page's script. */
function useFilterFields() {
  const common = useCommonText()
  const { module, load } = useLazyModule(() => import('./filter-fields.tsx'))
  async function open(setOpen: (isOpen: boolean) => void) {
    if (await load()) setOpen(true)
    else dashboardToast.error(common('checkConnection'))
  }
  return { module, open }
}

interface SearchFieldProps extends Pick<FilterFieldsProps, 'filters' | 'onChange'> {
  readonly error: string | undefined
}

function SearchField({ filters, onChange, error }: SearchFieldProps) {
  const t = usePaymentsText()
  return (
    <TypedFilter
      type="search"
      label={t('searchPayments')}
      className={panel.search}
      placeholder={t('searchPaymentsHint')}
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
      value={filters.search}
      refusal={error}
      onEntered={(value) => onChange('search', value)}
    />
  )
}
