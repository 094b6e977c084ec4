import { createWorkbook } from './workbook.ts'

/** A chunk of the CSV file, or its end. */
export type WorkbookRequest = { readonly sheet: string; readonly bytes: Uint8Array<ArrayBuffer> } | 'end'
export type WorkbookResponse = 'added' | 'full' | 'failed' | Blob

let workbook: ReturnType<typeof createWorkbook> | null = null

function answer(request: WorkbookRequest): WorkbookResponse {
  try {
    if (request === 'end') return workbook?.end() ?? 'failed'
    workbook ??= createWorkbook(request.sheet)
    workbook.add(request.bytes)
    return 'added'
  } catch (error) {
    return error instanceof RangeError ? 'full' : 'failed'
  }
}

addEventListener('message', ({ data }: MessageEvent<WorkbookRequest>) => postMessage(answer(data)))
