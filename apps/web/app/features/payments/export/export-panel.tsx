import { Button } from '@mantine/core'
import type { Ref } from 'react'
import { useErrorText } from '../../../api/api-error.ts'
import { BusyButton } from '../../../components/button.tsx'
import { IconDownload } from '../../../components/icons.ts'
import { count } from '../../../lib/format.ts'
import styles from './export-panel.module.css'
import type { ExportState } from './export-run.ts'

interface ExportButtonProps {
  readonly button: Ref<HTMLButtonElement>
  readonly running: boolean
  readonly onClick: () => void
}

export const ExportButton = ({ button, running, onClick }: ExportButtonProps) => (
  <BusyButton
    ref={button}
    variant="default"
    running={running}
    onClick={onClick}
    leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
  >
    Export
  </BusyButton>
)

interface ExportPanelProps {
  readonly state: Exclude<ExportState, { phase: 'idle' }>
  readonly endButton: Ref<HTMLButtonElement>
  readonly onEnd: () => void
  readonly onRetry: () => void
}

/** How far the file has come. The words alone are announced, not each number. */
export function ExportPanel({ state, endButton, onEnd, onRetry }: ExportPanelProps) {
  const errorText = useErrorText()
  return (
    <section className={styles.panel} aria-label="Export" data-phase={state.phase}>
      <div className={styles.words}>
        <p className={styles.title} role={state.phase === 'failed' ? 'alert' : 'status'}>
          {state.phase === 'failed' ? errorText(state.error) : titleOf(state)}
        </p>
        {state.phase !== 'failed' && <p className={styles.rows}>{rowsOf(state)}</p>}
      </div>
      {state.phase === 'running' && (
        <progress
          className={styles.bar}
          aria-label="Payments exported"
          max={Math.max(1, state.total ?? 1)}
          // Without a value the bar says that nothing is known yet.
          {...(state.total === null ? {} : { value: Math.min(state.rows, state.total) })}
        />
      )}
      <div className={styles.actions}>
        {state.phase === 'failed' && <Button onClick={onRetry}>Try Again</Button>}
        {/* One button all along, so that the focus stays where it is. */}
        <Button ref={endButton} variant="default" onClick={onEnd}>
          {state.phase === 'running' ? 'Cancel' : 'Close'}
        </Button>
      </div>
    </section>
  )
}

type Shown = Exclude<ExportPanelProps['state'], { phase: 'failed' }>

const titleOf = (state: Shown): string =>
  state.phase === 'running' ? 'Exporting payments' : `Saved as ${state.name}`

function rowsOf(state: Shown): string {
  if (state.phase === 'done') return `${count(state.rows)} payments`
  if (state.total !== null) return `${count(state.rows)} of ${count(state.total)} payments`
  return state.rows === 0 ? 'Getting ready' : `${count(state.rows)} payments`
}
