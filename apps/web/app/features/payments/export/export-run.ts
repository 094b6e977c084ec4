import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { NETWORK_ERROR } from '../../../lib/http.ts'
import { loadModule, useLazyModule } from '../../../lib/lazy.ts'
import { useCommonText } from '../../../lib/page-text.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { createListeners } from '../../../lib/signals.ts'
import { throttled } from '../../../lib/timing.ts'
import { session } from '../../../session/session.ts'
import type { download, ExportFile } from './download.ts'
import type { ExportOrder } from './export-order.ts'

type Of = Pick<ExportOrder, 'content'>

export type ExportState =
  | { readonly phase: 'idle' }
  | (Of & { readonly phase: 'running'; readonly rows: number; readonly total: number | null })
  | (Of & { readonly phase: 'done'; readonly name: string; readonly rows: number })
  | { readonly phase: 'failed'; readonly error: Error }

const IDLE: ExportState = { phase: 'idle' }
/** A number that changes more often cannot be read. */
const REPORT_EVERY_MS = 100

interface ExportDeps {
  readonly download: typeof download
  readonly save: (file: ExportFile) => void
}

/** One export at a time. It continues on the other pages of the dashboard, until the sign-out. */
export function createExport({ download, save }: ExportDeps) {
  let state: ExportState = IDLE
  let running: AbortController | null = null
  const changes = createListeners()

  function change(next: ExportState): void {
    state = next
    changes.notify()
  }

  async function run(order: ExportOrder, own: AbortController): Promise<ExportState> {
    const { content } = order
    let reached: { rows: number; total: number | null } = { rows: 0, total: 0 }
    // The last number is reported too, because no other may follow.
    const report = throttled(
      () => running === own && change({ phase: 'running', content, ...reached }),
      REPORT_EVERY_MS,
    )
    try {
      const file = await download(order, own.signal, (progress) => {
        reached = progress
        report()
      })
      save(file)
      return { phase: 'done', content, name: file.name, rows: file.rows }
    } catch (error) {
      const leaving = error instanceof ApiError && error.sessionEnded
      return leaving ? IDLE : { phase: 'failed', error: error as Error }
    }
  }

  return {
    get: (): ExportState => state,
    subscribe: changes.subscribe,
    start(order: ExportOrder): void {
      if (running) return
      const own = new AbortController()
      running = own
      change({ phase: 'running', content: order.content, rows: 0, total: null })
      void run(order, own).then((end) => {
        if (running !== own) return
        running = null
        change(end)
      })
    },
    /** Cancels the running export, here and on the server, and removes its result. */
    end(): void {
      running?.abort()
      running = null
      if (state !== IDLE) change(IDLE)
    },
  }
}

const fetchAndDownload: typeof download = async (...order) => {
  const code = await loadModule(() => import('./download.ts'))
  if (code === null) throw new ApiError({ status: 0, message: null, error: NETWORK_ERROR }, 'exportPayments')
  return code.download(...order)
}

const run = createExport({
  download: fetchAndDownload,
  save: ({ name, content }) => saveFile(name, content),
})
let ended = session.ended()
session.subscribe(() => {
  if (session.ended() !== ended) run.end()
  ended = session.ended()
})

const warnOfLoss = (event: BeforeUnloadEvent) => event.preventDefault()

export function useExport() {
  const state: ExportState = useSyncExternalStore(run.subscribe, run.get, run.get)
  const isRunning = state.phase === 'running'
  const exportButton = useRef<HTMLButtonElement>(null)
  const endButton = useRef<HTMLButtonElement>(null)
  const pressed = useRef(false)
  const { isPending, ...question } = useExportDialog()
  const order = useRef<ExportOrder>(undefined)

  // The pressed button is disabled or removed afterwards, so the other one receives the focus.
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
    ...question,
    isPending,
    start(chosen: ExportOrder) {
      question.close()
      order.current = chosen
      pressed.current = true
      run.start(chosen)
    },
    /** Starts the last export again. */
    retry() {
      pressed.current = true
      if (order.current) run.start(order.current)
    },
    end() {
      pressed.current = true
      run.end()
    },
  }
}

/** The dialog of an export, whose code is fetched when it is asked for. */
function useExportDialog() {
  const common = useCommonText()
  const { module: dialog, load } = useLazyModule(() => import('./export-dialog.tsx'))
  const [isPending, setPending] = useState(false)
  return {
    dialog,
    isPending,
    close: () => setPending(false),
    async open() {
      if (await load()) setPending(true)
      else dashboardToast.error(common('checkConnection'))
    },
  }
}
