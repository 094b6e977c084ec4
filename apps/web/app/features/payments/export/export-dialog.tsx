import { type FormEvent, useState } from 'react'
import { font, grid, row } from '../../../components/ui/classes.ts'
import { Dialog, FormFoot } from '../../../components/ui/dialog.tsx'
import type { Filters } from '../../../lib/payment-filters.ts'
import { usePaymentsText } from '../../../lib/payments-text.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import { isPresetOf, presetText, useDayPresets } from '../days-text.ts'
import styles from './export-dialog.module.css'
import { contents, type ExportOrder, fileFormats } from './export-order.ts'

interface ExportDialogProps extends Pick<ExportOrder, 'filters'> {
  readonly opened: boolean
  readonly onExport: (choice: Omit<ExportOrder, 'filters'>) => void
  readonly onClose: () => void
}

/** Asks for the content and the format of the file. The days are those of the filters. */
export function ExportDialog({ filters, opened, onExport, onClose }: ExportDialogProps) {
  const t = usePaymentsText()
  const daysText = useDaysText()
  const [content, setContent] = useState<ExportOrder['content']>('payments')
  const [format, setFormat] = useState<ExportOrder['format']>('csv')
  function submit(event: FormEvent) {
    event.preventDefault()
    onExport({ content, format })
  }
  return (
    <Dialog opened={opened} onClose={onClose} title={t('exportButton')}>
      <form onSubmit={submit}>
        <fieldset className={`${styles.choices} ${grid('gap4')}`}>
          <legend className={font('semibold')}>{t('exportRows')}</legend>
          {contents.map((value) => (
            <label key={value} className={`${styles.choice} ${row('gap12')}`}>
              <input
                type="radio"
                name="content"
                checked={content === value}
                onChange={() => setContent(value)}
              />
              <span>
                {t(value === 'payments' ? 'exportPaymentRows' : 'exportMovementRows')}
                <small className={font('sm', 'quiet')}>
                  {t(value === 'payments' ? 'exportPaymentRowsHint' : 'exportMovementRowsHint')}
                </small>
              </span>
            </label>
          ))}
        </fieldset>
        <fieldset className={`${styles.choices} ${grid('gap4')}`}>
          <legend className={font('semibold')}>{t('exportFormat')}</legend>
          {fileFormats.map((value) => (
            <label key={value} className={`${styles.choice} ${row('gap12')}`}>
              <input
                type="radio"
                name="format"
                checked={format === value}
                onChange={() => setFormat(value)}
              />
              <span>{value === 'csv' ? 'CSV' : 'Excel (XLSX)'}</span>
            </label>
          ))}
        </fieldset>
        <p className={font('sm', 'quiet')}>{t('exportDays', { days: daysText(filters) })}</p>
        <FormFoot running={false} runningLabel={t('exportButton')} onCancel={onClose}>
          {t('exportButton')}
        </FormFoot>
      </form>
    </Dialog>
  )
}

/** The days of some filters: by the name of a preset, or by their dates. */
function useDaysText(): (filters: Filters) => string {
  const t = usePaymentsText()
  const presets = useDayPresets()
  const { dayText } = useFormats()
  return (filters) => {
    const preset = presets.find(isPresetOf(filters))
    if (preset) return presetText(preset, t)
    const { from, to } = filters
    if (from && to) return t('daysFromTo', { from: dayText(from), to: dayText(to) })
    return from ? t('daysFrom', { from: dayText(from) }) : t('daysUntil', { to: dayText(to ?? '') })
  }
}
