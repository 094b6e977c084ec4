import { Button, Drawer, Select } from '@mantine/core'
import { useApplicationChoices } from '../../api/applications.ts'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import {
  type FilterName,
  type Filters,
  isAccepted,
  methodChoices,
  statusChoices,
} from '../../lib/payment-filters.ts'
import { useFormats } from '../../lib/use-formats.ts'
import styles from './payments.module.css'
import { usePaymentsText } from './text.ts'
import { TypedFilter } from './typed-filter.tsx'

export interface FilterFieldsProps {
  readonly filters: Filters
  /** How often the filters were cleared: each time, unfinished input is removed too. */
  readonly clears: number
  readonly onChange: (name: FilterName, value: string) => void
  readonly onClear: () => void
}

interface FilterSheetProps extends FilterFieldsProps {
  readonly opened: boolean
  readonly onClose: () => void
  /** Called when the sheet has faded out. */
  readonly onClosed: () => void
}

/** The same fields for a phone, over the lower part of the page. */
export function FilterSheet({ opened, onClose, onClosed, ...fields }: FilterSheetProps) {
  const t = usePaymentsText()
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      position="bottom"
      size="auto"
      padding={0}
      title={t('filters')}
      closeButtonProps={{ 'aria-label': t('closeFilters'), size: 44, iconSize: 22 }}
      transitionProps={{ duration: 200 }}
      classNames={{ header: styles.sheetHead ?? '', content: styles.sheet ?? '' }}
    >
      <FilterFields {...fields} />
      <div className={styles.sheetFoot}>
        <Button fullWidth onClick={onClose}>
          {t('showPayments')}
        </Button>
      </div>
    </Drawer>
  )
}

export function FilterFields({ filters, clears, onChange, onClear }: FilterFieldsProps) {
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  const { methodLabel, statusText } = useFormats()
  const { data: applications } = useApplicationChoices()
  const none = applications?.length === 0
  const choices = [
    { value: '', label: t('everyApplication') },
    ...(none ? [{ value: 'none', label: t('noApplications'), disabled: true }] : []),
    ...(applications ?? []).map(({ _id, applicationName }) => ({ value: _id, label: applicationName })),
  ]
  const status = filters.status?.toLowerCase() ?? ''
  const typed = (name: FilterName) => ({
    value: filters[name],
    accepts: (value: string) => isAccepted(name, value),
    onEntered: (value: string) => onChange(name, value),
  })
  const amount = { inputMode: 'decimal', invalidText: t('amountExample') } as const
  return (
    <div className={styles.filters}>
      <fieldset key={`days-${clears}`} className={styles.range}>
        <legend>{t('dateRange')}</legend>
        <TypedFilter type="date" label={t('dateFrom')} {...typed('from')} />
        <TypedFilter type="date" label={t('dateTo')} {...typed('to')} />
      </fieldset>
      <fieldset key={`amounts-${clears}`} className={styles.range}>
        <legend>{t('amountRange')}</legend>
        <TypedFilter label={t('amountMin')} {...amount} {...typed('minAmount')} />
        <TypedFilter label={t('amountMax')} {...amount} {...typed('maxAmount')} />
      </fieldset>
      <Select
        label={dashboard('status')}
        data={statusChoices(t('everyStatus'), statusText, status)}
        allowDeselect={false}
        value={status}
        onChange={(value) => onChange('status', value ?? '')}
      />
      <Select
        label={t('paymentMethod')}
        data={methodChoices(t('everyMethod'), methodLabel)}
        allowDeselect={false}
        value={filters.method?.toLowerCase() ?? ''}
        onChange={(value) => onChange('method', value ?? '')}
      />
      <Select
        label={t('paymentApplication')}
        data={choices}
        allowDeselect={false}
        value={filters.applicationId ?? ''}
        onChange={(value) => onChange('applicationId', value ?? '')}
      />
      <Button variant="default" className={styles.clearAll} onClick={onClear}>
        {t('clearAllFilters')}
      </Button>
    </div>
  )
}
