import type { exportPayments } from '@muripo/contract/dashboard-payments'
import { ApiError, Failure } from '../../../api/api-error.ts'
import { addressOf, openAnswer, requestInit } from '../../../lib/http.ts'
import type { Filters } from '../../../lib/payment-filters.ts'
import { authorised } from '../../../session/session.ts'

const QUOTE = 0x22
const LINE_FEED = 0x0a

/** Counts the rows of a CSV file in chunks of any size: a line break between quotes does not end a row. */
export function createRecordCounter(): (bytes: Uint8Array) => number {
  let records = 0
  let quoted = false
  return (bytes) => {
    for (const byte of bytes) {
      if (byte === QUOTE) quoted = !quoted
      else if (byte === LINE_FEED && !quoted) records += 1
    }
    return records
  }
}

export interface ExportFile {
  readonly name: string
  readonly rows: number
  readonly content: Blob
}

interface Progress {
  readonly rows: number
  /** The number of rows of the whole file; null when it is unknown. */
  readonly total: number | null
}

const path: (typeof exportPayments)['path'] = '/payments/export'
const ROW_COUNT_HEADER: typeof import('@muripo/contract/dashboard-payments').ROW_COUNT_HEADER = 'row-count'
/** The browser may write a blob to the disk; an array stays in memory. */
const BLOB_BYTES = 4 * 1024 * 1024

/** Downloads the file for the filters. It throws a `Failure`, or the error of an abort. */
export async function download(
  filters: Filters,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<ExportFile> {
  const address = addressOf(path, undefined, filters)
  const result = await authorised((authToken) =>
    openAnswer(address, { ...requestInit('GET', undefined, authToken), signal }),
  )
  signal.throwIfAborted()
  if (result.data === null) throw new ApiError(result, 'exportPayments')
  const { headers, body } = result.data
  const rowCount = headers.get(ROW_COUNT_HEADER)
  const total = rowCount === null ? null : Number(rowCount)
  onProgress({ rows: 0, total })
  const { rows, content } = await gather(body, signal, (read) => onProgress({ rows: read, total }))
  return { name: nameIn(headers), rows, content }
}

async function gather(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<{ rows: number; content: Blob }> {
  const records = createRecordCounter()
  const blobs: Blob[] = []
  let waiting: Uint8Array<ArrayBuffer>[] = []
  let waitingBytes = 0
  let rows = 0
  const reader = body?.getReader()
  try {
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      const bytes = read.value
      // The first record is the header.
      rows = Math.max(0, records(bytes) - 1)
      onRows(rows)
      waiting.push(bytes)
      waitingBytes += bytes.length
      if (waitingBytes < BLOB_BYTES) continue
      blobs.push(new Blob(waiting))
      waiting = []
      waitingBytes = 0
    }
  } catch (error) {
    signal.throwIfAborted()
    throw new Failure('exportBrokeOff', { cause: error })
  }
  return { rows, content: new Blob([...blobs, ...waiting], { type: 'text/csv' }) }
}

const nameIn = (headers: Headers): string =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'muripo-payments.csv'
