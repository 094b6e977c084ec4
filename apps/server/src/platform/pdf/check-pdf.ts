import { Worker } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import type { PdfFault } from './inspect.ts'

const LONGEST_MS = 10_000
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
  const timer = setTimeout(() => void worker.terminate(), longestMs)
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
    clearTimeout(timer)
    await worker.terminate()
  }
}
