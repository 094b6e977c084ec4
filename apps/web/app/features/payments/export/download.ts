import * as calls from 'virtual:calls/payment-exports'
import { ApiError, Failure } from '../../../api/api-error.ts'
import { addressOf, openAnswer, requestInit } from '../../../lib/http.ts'
import { authorised } from '../../../session/session.ts'
import type { ExportOrder } from './export-order.ts'
import { csvSink, type FileSink, workbookSink } from './file-sinks.ts'

const QUOTE = 0x22
const LINE_FEED = 0x0a

/**
 * Counts the rows of a CSV file in chunks of any size: a line break between quotes does not end a row. The totals after an empty row are not
 * counted.
 */
export function createRecordCounter(): (bytes: Uint8Array) => number {
  let records = 0
  let quoted = false
  let length = 0
  let isOver = false
  return (bytes) => {
    for (const byte of bytes) {
      if (byte === QUOTE) quoted = !quoted
      else if (byte === LINE_FEED && !quoted) {
        // An empty row has a carriage return only.
        isOver ||= length <= 1
        if (!isOver) records += 1
        length = 0
        continue
      }
      length += 1
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

const routes = { payments: calls.exportPayments, movements: calls.exportMovements } as const
/** The name of the first sheet. */
const sheets = { payments: 'Payments', movements: 'Movements' } as const
const ROW_COUNT_HEADER: typeof import('@muripo/contract/payment-exports').ROW_COUNT_HEADER = 'row-count'
const queryOf = ({ filters, content, format }: ExportOrder) => ({
  ...(content === 'payments' ? filters : { from: filters.from, to: filters.to }),
  ...(format === 'xlsx' && { texts: 'exact' }),
})

/** Downloads a file. It throws a `Failure`, or the error of an abort. */
export async function download(
  order: ExportOrder,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<ExportFile> {
  const address = addressOf(routes[order.content], undefined, queryOf(order))
  const result = await authorised((authToken) =>
    openAnswer(address, { ...requestInit('GET', undefined, authToken), signal }),
  )
  signal.throwIfAborted()
  if (result.data === null) throw new ApiError(result, 'exportPayments')
  const { headers, body } = result.data
  const rowCount = headers.get(ROW_COUNT_HEADER)
  const total = rowCount === null ? null : Number(rowCount)
  onProgress({ rows: 0, total })
  const sink = order.format === 'csv' ? csvSink() : workbookSink(sheets[order.content])
  try {
    const rows = await gather(body, sink, signal, (read) => onProgress({ rows: read, total }))
    return { name: nameIn(headers, order), rows, content: await sink.end() }
  } catch (error) {
    await body?.cancel().catch(() => undefined)
    throw error
  } finally {
    sink.close()
  }
}

async function gather(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  sink: FileSink,
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<number> {
  const records = createRecordCounter()
  let rows = 0
  const reader = body?.getReader()
  try {
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      // The first record is the header.
      rows = Math.max(0, records(read.value) - 1)
      onRows(rows)
      await sink.write(read.value)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof Failure ? error : new Failure('exportBrokeOff', { cause: error })
  } finally {
    reader?.releaseLock()
  }
  return rows
}

const nameIn = (headers: Headers, { content, format }: ExportOrder): string => {
  const sent = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1]
  return (sent ?? `muripo-${content}.csv`).replace(/csv$/, format)
}
