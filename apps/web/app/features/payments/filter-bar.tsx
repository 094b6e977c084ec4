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
  /** Why the search was not finished. */
  readonly searchError: string | undefined
}

export function FilterBar({ searchError, ...props }: FilterBarProps) {
  const { filters, clears, onChange } = props
  const common = useCommonText()
  const t = usePaymentsText()
  const [shown, setShown] = useState(false)
  // They come when they are opened: hidden as they are by default, they would be a quarter of the page's script.
  const fields = useLazyModule(() => import('./filter-fields.tsx'))
  const small = useMediaQuery('(max-width: 39.99em)', undefined, { getInitialValueInEffect: false })
  // They stay closed when the window grows again.
  if (small && shown) setShown(false)
  const opener = useRef<HTMLButtonElement>(null)
  const [sheetOpen, setSheetOpen] = useState(false)
  if (!small && sheetOpen) setSheetOpen(false)
  async function show(open: (opened: boolean) => void) {
    if (await fields.load()) open(true)
    else dashboardToast.error(common('checkConnection'))
  }
  const areaId = useId()
  const active = countFilters(filters)
  const badge = active > 0 ? <span className={styles.badge}>{active}</span> : undefined
  return (
    <>
      <div className={panel.controls}>
        <TypedFilter
          key={clears}
          type="search"
          label={t('searchPayments')}
          className={panel.search}
          placeholder={t('searchPaymentsHint')}
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
          rightSection={badge}
          onClick={() => (shown ? setShown(false) : void show(setShown))}
        >
          {t(shown ? 'hideFilters' : 'showFilters')}
        </Button>
        <Button
          variant="default"
          ref={opener}
          aria-haspopup="dialog"
          className={styles.sheetToggle}
          leftSection={<IconFilter size={18} stroke={1.75} aria-hidden />}
          rightSection={badge}
          onClick={() => void show(setSheetOpen)}
        >
          {t('filters')}
        </Button>
      </div>
      <div id={areaId} hidden={!shown}>
        {shown && fields.module && <fields.module.FilterFields {...props} />}
      </div>
      {fields.module && (
        <fields.module.FilterSheet
          {...props}
          opened={sheetOpen}
          onClose={() => setSheetOpen(false)}
          // Mantine returns the focus only where the sheet was there before it opened.
          onClosed={() => opener.current?.focus()}
        />
      )}
    </>
  )
}
