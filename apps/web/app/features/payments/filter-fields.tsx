import { useApplicationChoices } from '../../api/applications.ts'
import { useMay } from '../../api/may.ts'
import { TypedFilter } from '../../components/typed-filter.tsx'
import { Button } from '../../components/ui/button.tsx'
import { font } from '../../components/ui/classes.ts'
import { DialogFoot } from '../../components/ui/dialog.tsx'
import { SelectField } from '../../components/ui/field.tsx'
import { Sheet } from '../../components/ui/sheet.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import {
  type FilterName,
  type Filters,
  isAccepted,
  methodChoices,
  statusChoices,
} from '../../lib/payment-filters.ts'
import { usePaymentsText } from '../../lib/payments-text.ts'
import { useFormats } from '../../lib/use-formats.ts'
import styles from './payments.module.css'

export interface FilterFieldsProps {
  readonly filters: Filters
  /** The number of times that the filters were cleared: each time, unfinished input is removed too. */
  readonly clears: number
  readonly onChange: (name: FilterName, value: string) => void
  readonly onClear: () => void
}

interface FilterSheetProps extends FilterFieldsProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/** The same fields for a phone, over the lower part of the page. */
export function FilterSheet({ opened, onClose, ...fields }: FilterSheetProps) {
  const t = usePaymentsText()
  return (
    <Sheet opened={opened} onClose={onClose} title={t('filters')} closeLabel={t('closeFilters')}>
      <FilterFields {...fields} />
      <DialogFoot>
        <Button onClick={onClose}>{t('showPayments')}</Button>
      </DialogFoot>
    </Sheet>
  )
}

export function FilterFields({ filters, clears, onChange, onClear }: FilterFieldsProps) {
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  const { methodLabel, statusText } = useFormats()
  const { data: applications } = useApplicationChoices(useMay('applications.read'))
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
        <legend className={font('sm', 'quiet')}>{t('dateRange')}</legend>
        <TypedFilter type="date" label={t('dateFrom')} {...typed('from')} />
        <TypedFilter type="date" label={t('dateTo')} {...typed('to')} />
      </fieldset>
      <fieldset key={`amounts-${clears}`} className={styles.range}>
        <legend className={font('sm', 'quiet')}>{t('amountRange')}</legend>
        <TypedFilter label={t('amountMin')} {...amount} {...typed('minAmount')} />
        <TypedFilter label={t('amountMax')} {...amount} {...typed('maxAmount')} />
      </fieldset>
      <SelectField
        label={dashboard('status')}
        choices={statusChoices(t('everyStatus'), statusText, status)}
        value={status}
        onChange={(event) => onChange('status', event.currentTarget.value)}
      />
      <SelectField
        label={t('paymentMethod')}
        choices={methodChoices(t('everyMethod'), methodLabel)}
        value={filters.method?.toLowerCase() ?? ''}
        onChange={(event) => onChange('method', event.currentTarget.value)}
      />
      <SelectField
        label={t('paymentApplication')}
        choices={choices}
        value={filters.applicationId ?? ''}
        onChange={(event) => onChange('applicationId', event.currentTarget.value)}
      />
      <Button kind="default" className={styles.clearAll} onClick={onClear}>
        {t('clearAllFilters')}
      </Button>
    </div>
  )
}
