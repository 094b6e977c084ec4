import { useId, useState } from 'react'
import { useLocation } from 'react-router'
import { IconFilter, IconSearch } from '../../components/icons.ts'
import { dashboardToast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { font, row } from '../../components/ui/classes.ts'
import panel from '../../components/ui/panel.module.css'
import { useLazyModule } from '../../lib/lazy.ts'
import { useCommonText } from '../../lib/page-text.ts'
import { SEARCHES } from '../../lib/paths.ts'
import { countFilters, type Filters } from '../../lib/payment-filters.ts'
import { usePaymentsText } from '../../lib/payments-text.ts'
import { useMedia } from '../../lib/use-media.ts'
import { isPresetOf, presetText, useDayPresets } from './days-text.ts'
import type { FilterFieldsProps } from './filter-fields.tsx'
import styles from './payments.module.css'
import { TypedFilter } from './typed-filter.tsx'

interface FilterBarProps extends FilterFieldsProps {
  /** The reason why the search was not finished. */
  readonly searchError: string | undefined
  /** Sets several filters at once. */
  readonly onChoose: (values: Filters) => void
}

export function FilterBar({ searchError, onChoose, ...props }: FilterBarProps) {
  const t = usePaymentsText()
  const { module, open } = useFilterFields()
  const [isAreaOpen, setAreaOpen] = useState(false)
  const [isSheetOpen, setSheetOpen] = useState(false)
  const isSmall = useMedia('(max-width: 39.99em)')
  // The fields stay closed when the width of the window changes between the layouts.
  if (isSmall && isAreaOpen) setAreaOpen(false)
  if (!isSmall && isSheetOpen) setSheetOpen(false)
  const areaId = useId()
  const active = countFilters(props.filters)
  const button = { kind: 'default', icon: IconFilter } as const
  const count = active > 0 && <span className={`${styles.badge} ${font('xs', 'semibold')}`}>{active}</span>
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
          {count}
        </Button>
        <Button
          {...button}
          aria-haspopup="dialog"
          className={styles.sheetToggle}
          onClick={() => void open(setSheetOpen)}
        >
          {t('filters')}
          {count}
        </Button>
      </div>
      <DayPresets filters={props.filters} onChoose={onChoose} />
      <div id={areaId} hidden={!isAreaOpen}>
        {isAreaOpen && module && <module.FilterFields {...props} />}
      </div>
      {module && <module.FilterSheet {...props} opened={isSheetOpen} onClose={() => setSheetOpen(false)} />}
    </>
  )
}

function DayPresets({ filters, onChoose }: Pick<FilterBarProps, 'filters' | 'onChoose'>) {
  const t = usePaymentsText()
  const presets = useDayPresets()
  const isChosen = isPresetOf(filters)
  return (
    <fieldset className={`${styles.presets} ${row('wrap', 'gap8')}`} aria-label={t('presets')}>
      {presets.map((preset) => (
        <button
          key={preset.from + preset.to}
          type="button"
          className={`${styles.preset} ${font('sm', 'medium')}`}
          aria-pressed={isChosen(preset)}
          onClick={() => onChoose({ from: preset.from, to: preset.to })}
        >
          {presetText(preset, t)}
        </button>
      ))}
    </fieldset>
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
  const { state } = useLocation()
  return (
    <TypedFilter
      type="search"
      autoFocus={state === SEARCHES}
      aria-keyshortcuts="Control+K Meta+K"
      label={t('searchPayments')}
      className={panel.search}
      placeholder={t('searchPaymentsHint')}
      icon={IconSearch}
      value={filters.search}
      refusal={error}
      onEntered={(value) => onChange('search', value)}
    />
  )
}
