import { Worker } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import type { PdfFault } from './inspect.ts'

/** Of processor time: at its low priority the thread waits for others, and a document is not refused for that. */
const LONGEST_MS = 10_000
/** Time on the clock, as a multiple of processor time. */
const MOST_WAITING = 6
const LOOK_MS = 250
/** Buffers are outside of the heap: 10 MiB for the file, and twice the limit of one stream. */
const HEAP_MIB = 128
const YOUNG_MIB = 32

/**
 * Throws unless the file is a document that does nothing. Beside the thread that answers everybody, and ended when it takes too much
 * time or memory: what is looked at was sent by a stranger.
 */
export async function checkPdf(path: string, longestMs = LONGEST_MS): Promise<void> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: path,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
  })
  const limit = endAfter(worker, longestMs)
  try {
    const fault = await new Promise<PdfFault | null>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      // After an answer this comes too late to matter.
      worker.once('exit', () => resolve('pdf_unreadable'))
    })
    if (fault !== null) throw new AppError(fault)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new AppError('pdf_unreadable')
    throw error
  } finally {
    limit.clear()
    await worker.terminate()
  }
}

function endAfter(worker: Worker, longestMs: number): { clear(): void } {
  const end = () => void worker.terminate()
  const deadline = setTimeout(end, MOST_WAITING * longestMs)
  const look = setInterval(
    () => {
      worker.cpuUsage().then(
        ({ user, system }) => {
          if ((user + system) / 1000 > longestMs) end()
        },
        // It has ended already.
        () => undefined,
      )
    },
    Math.min(LOOK_MS, longestMs),
  )
  return {
    clear() {
      clearTimeout(deadline)
      clearInterval(look)
    },
  }
}
