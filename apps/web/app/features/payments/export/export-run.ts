import { ApiError } from '../../../api/errors.ts'
import type { Filters } from '../../../lib/payment-filters.ts'
import { throttled } from '../../../lib/timing.ts'
import type { download, ExportFile } from './download.ts'

export type ExportState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly rows: number; readonly total: number | null }
  | { readonly phase: 'done'; readonly name: string; readonly rows: number }
  | { readonly phase: 'failed'; readonly message: string }

const IDLE: ExportState = { phase: 'idle' }
/** More often than this nobody reads a number. */
const REPORT_EVERY_MS = 100

interface ExportDeps {
  readonly download: typeof download
  readonly save: (file: ExportFile) => void
}

/** One export at a time. It goes on while its merchant looks at other pages, until the sign-out. */
export function createExport({ download, save }: ExportDeps) {
  let state: ExportState = IDLE
  let running: AbortController | null = null
  const listeners = new Set<() => void>()

  function change(next: ExportState): void {
    state = next
    for (const listener of listeners) listener()
  }

  async function run(filters: Filters, own: AbortController): Promise<ExportState> {
    let reached: { rows: number; total: number | null } = { rows: 0, total: 0 }
    // The last number is reported too, because no other may follow.
    const report = throttled(
      () => running === own && change({ phase: 'running', ...reached }),
      REPORT_EVERY_MS,
    )
    try {
      const file = await download(filters, own.signal, (progress) => {
        reached = progress
        report()
      })
      save(file)
      return { phase: 'done', name: file.name, rows: file.rows }
    } catch (error) {
      const leaving = error instanceof ApiError && error.sessionEnded
      return leaving ? IDLE : { phase: 'failed', message: (error as Error).message }
    }
  }

  return {
    get: (): ExportState => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    start(filters: Filters): void {
      if (running) return
      const own = new AbortController()
      running = own
      change({ phase: 'running', rows: 0, total: null })
      void run(filters, own).then((end) => {
        if (running !== own) return
        running = null
        change(end)
      })
    },
    /** Stops what runs, here and on the server, and puts away what was said. */
    end(): void {
      running?.abort()
      running = null
      if (state !== IDLE) change(IDLE)
    },
  }
}
