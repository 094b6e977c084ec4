import { Worker } from 'node:worker_threads'
import type { PdfRejection } from './inspect.ts'

/** Processor time. The thread waits for others at its low priority, and waiting does not count. */
const LONGEST_MS = 10_000
/** The limit of elapsed time, as a multiple of the processor time. */
const ELAPSED_FACTOR = 6
const CHECK_MS = 250
/** Buffers are outside of the heap: 10 MiB for the file, and twice the limit of one stream. */
const HEAP_MIB = 128
const YOUNG_MIB = 32

/**
 * The reason to refuse a file, or null for a document without active content. The check runs in a thread of its own with limits of time
 * and memory, because anybody may have sent the file.
 */
export async function checkPdf(path: string, longestMs = LONGEST_MS): Promise<PdfRejection | null> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: path,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
  })
  const limit = endAfter(worker, longestMs)
  try {
    return await new Promise<PdfRejection | null>((resolve, reject) => {
      // A busy process may learn of the end of the time and of the result at once.
      worker.once('message', (result) => resolve(limit.isOver() ? 'pdf_unreadable' : result))
      worker.once('error', reject)
      // The promise is resolved already when the thread has answered.
      worker.once('exit', () => resolve('pdf_unreadable'))
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return 'pdf_unreadable'
    throw error
  } finally {
    limit.clear()
    await worker.terminate()
  }
}

function endAfter(worker: Worker, longestMs: number): { isOver(): boolean; clear(): void } {
  const end = () => void worker.terminate()
  const endsAt = performance.now() + ELAPSED_FACTOR * longestMs
  const deadline = setTimeout(end, ELAPSED_FACTOR * longestMs)
  const check = setInterval(
    () => {
      worker.cpuUsage().then(
        ({ user, system }) => {
          if ((user + system) / 1000 > longestMs) end()
        },
        // The thread has ended already.
        () => undefined,
      )
    },
    Math.min(CHECK_MS, longestMs),
  )
  return {
    isOver: () => performance.now() > endsAt,
    clear() {
      clearTimeout(deadline)
      clearInterval(check)
    },
  }
}
