import { useEffect, useRef, useSyncExternalStore } from 'react'
import { ApiError } from '../../../api/errors.ts'
import { NETWORK_ERROR } from '../../../lib/http.ts'
import { loadModule } from '../../../lib/lazy.ts'
import type { Filters } from '../../../lib/payment-filters.ts'
import { session } from '../../../session/session.ts'
import type { download, ExportFile } from './download.ts'
import { createExport, type ExportState } from './export-run.ts'

/** By then every browser has taken the file. */
const RETENTION_MS = 60_000

function save({ name, content }: ExportFile): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), RETENTION_MS)
}

const fetchAndDownload: typeof download = async (...order) => {
  const code = await loadModule(() => import('./download.ts'))
  if (code === null) throw new ApiError({ status: 0, message: null, error: NETWORK_ERROR }, NETWORK_ERROR)
  return code.download(...order)
}

const run = createExport({ download: fetchAndDownload, save })
session.onSignedOut(run.end)

const warnOfLoss = (event: BeforeUnloadEvent) => event.preventDefault()

export function useExport() {
  const state: ExportState = useSyncExternalStore(run.subscribe, run.get, run.get)
  const isRunning = state.phase === 'running'
  const exportButton = useRef<HTMLButtonElement>(null)
  const endButton = useRef<HTMLButtonElement>(null)
  const pressed = useRef(false)

  // A button that was pressed is disabled or gone then: the focus goes to the other one.
  useEffect(() => {
    if (!pressed.current) return
    pressed.current = false
    if (state.phase === 'running') endButton.current?.focus()
    if (state.phase === 'idle') exportButton.current?.focus()
  }, [state.phase])

  useEffect(() => {
    if (!isRunning) return
    window.addEventListener('beforeunload', warnOfLoss)
    return () => window.removeEventListener('beforeunload', warnOfLoss)
  }, [isRunning])
  return {
    state,
    exportButton,
    endButton,
    start(filters: Filters) {
      pressed.current = true
      run.start(filters)
    },
    end() {
      pressed.current = true
      run.end()
    },
  }
}
