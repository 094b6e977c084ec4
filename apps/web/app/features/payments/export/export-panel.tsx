import type { Ref } from 'react'
import { useErrorText } from '../../../api/api-error.ts'
import { IconDownload } from '../../../components/icons.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, row, surface } from '../../../components/ui/classes.ts'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { countText } from '../../../lib/format.ts'
import { useCommonText } from '../../../lib/page-text.ts'
import { type PaymentsText, usePaymentsText } from '../../../lib/payments-text.ts'
import styles from './export-panel.module.css'
import type { ExportState } from './export-run.ts'

interface ExportButtonProps {
  readonly button: Ref<HTMLButtonElement>
  readonly running: boolean
  readonly onClick: () => void
}

export function ExportButton({ button, running, onClick }: ExportButtonProps) {
  const t = usePaymentsText()
  return (
    <Button ref={button} kind="default" running={running} onClick={onClick} icon={IconDownload}>
      {t('exportButton')}
    </Button>
  )
}

interface ExportPanelProps {
  readonly state: Exclude<ExportState, { phase: 'idle' }>
  readonly endButton: Ref<HTMLButtonElement>
  readonly onEnd: () => void
  readonly onRetry: () => void
}

/** The progress of the file. Screen readers announce the title, and not each number. */
export function ExportPanel({ state, endButton, onEnd, onRetry }: ExportPanelProps) {
  const errorText = useErrorText()
  const t = usePaymentsText()
  const common = useCommonText()
  const dashboard = useDashboardText()
  return (
    <section
      className={`${styles.panel} ${row('wrap', 'centre', 'gap20', 'rows12')} ${surface('surface')}`}
      aria-label={t('exportButton')}
      data-phase={state.phase}
    >
      <div className={styles.words}>
        <p
          className={`${styles.title} ${font('md', 'semibold', 'anywhere')}`}
          role={state.phase === 'failed' ? 'alert' : 'status'}
        >
          {state.phase === 'failed' ? errorText(state.error) : titleOf(state, t)}
        </p>
        {state.phase !== 'failed' && <p className={font('sm', 'quiet', 'numbers')}>{rowsOf(state, t)}</p>}
      </div>
      {state.phase === 'running' && (
        <progress
          className={styles.bar}
          aria-label={t('exportProgress')}
          max={Math.max(1, state.total ?? 1)}
          // A bar without a value shows an unknown progress.
          {...(state.total === null ? {} : { value: Math.min(state.rows, state.total) })}
        />
      )}
      <div className={`${styles.actions} ${row('gap8')}`}>
        {state.phase === 'failed' && <Button onClick={onRetry}>{dashboard('retry')}</Button>}
        {/* One button for both phases, so that it keeps the focus. */}
        <Button ref={endButton} kind="default" onClick={onEnd}>
          {state.phase === 'running' ? common('cancel') : dashboard('close')}
        </Button>
      </div>
    </section>
  )
}

type Shown = Exclude<ExportPanelProps['state'], { phase: 'failed' }>

const titleOf = (state: Shown, t: PaymentsText): string =>
  state.phase === 'running'
    ? t(state.content === 'payments' ? 'exporting' : 'exportingMovements')
    : t('exportedAs', { name: state.name })

function rowsOf(state: Shown, t: PaymentsText): string {
  const total = state.phase === 'running' ? state.total : null
  const isOfPayments = state.content === 'payments'
  const count = countText(state.rows)
  if (total !== null) {
    const values = { count, total: countText(total) }
    return isOfPayments
      ? t('exportedRowsOf', { payments: total, ...values })
      : t('exportedMovementsOf', { movements: total, ...values })
  }
  if (state.phase === 'running' && state.rows === 0) return t('exportStarting')
  return isOfPayments
    ? t('exportedRows', { payments: state.rows, count })
    : t('exportedMovements', { movements: state.rows, count })
}
