import { Failure } from '../../../api/api-error.ts'
import type { WorkbookRequest, WorkbookResponse } from './workbook-worker.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Takes the bytes of the CSV file and makes the file to save. */
export interface FileSink {
  write(bytes: Bytes): void | Promise<void>
  end(): Blob | Promise<Blob>
  close(): void
}

/** The browser may write a blob to the disk; an array stays in memory. */
const BLOB_BYTES = 4 * 1024 * 1024

export function csvSink(): FileSink {
  const blobs: Blob[] = []
  let waiting: Bytes[] = []
  let waitingBytes = 0
  return {
    write(bytes) {
      waiting.push(bytes)
      waitingBytes += bytes.length
      if (waitingBytes < BLOB_BYTES) return
      blobs.push(new Blob(waiting))
      waiting = []
      waitingBytes = 0
    },
    end: () => new Blob([...blobs, ...waiting], { type: 'text/csv' }),
    close() {},
  }
}

/** A workbook is written by a worker, so that the page stays responsive. */
export function workbookSink(sheet: string): FileSink {
  const worker = new Worker(new URL('./workbook-worker.ts', import.meta.url), { type: 'module' })
  const request = (sent: WorkbookRequest, transfer: Transferable[] = []): Promise<WorkbookResponse> =>
    new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<WorkbookResponse>) => resolve(data)
      worker.onerror = () => resolve('failed')
      worker.postMessage(sent, transfer)
    })
  const checked = (response: WorkbookResponse): WorkbookResponse => {
    if (response === 'full') throw new Failure('exportTooLong')
    if (response === 'failed') throw new Failure('exportPayments')
    return response
  }
  return {
    async write(bytes) {
      checked(await request({ sheet, bytes }, [bytes.buffer]))
    },
    async end() {
      const file = checked(await request('end'))
      if (!(file instanceof Blob)) throw new Failure('exportPayments')
      return file
    },
    close: () => worker.terminate(),
  }
}
