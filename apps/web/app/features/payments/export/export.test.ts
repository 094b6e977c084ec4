import { failures } from '@muripo/locales/failures'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiError, Failure } from '../../../api/api-error.ts'
import type { Filters } from '../../../lib/payment-filters.ts'
import { createRecordCounter, download } from './download.ts'
import type { ExportChoice, ExportOrder } from './export-order.ts'
import { createExport } from './export-run.ts'

const orderOf = (filters: Filters, choice: Partial<ExportChoice> = {}): ExportOrder => ({
  filters,
  content: 'payments',
  format: 'csv',
  ...choice,
})
const bytesOf = (text: string) => new TextEncoder().encode(text)
const head = 'Date,Purpose\r\n'

describe('rows are counted', () => {
  const file = `${head}1,"a ""b""\nc"\r\n2,"\r\n"\r\n3,é\r\n`
  test.each([1, 2, 3, 5, 7, 1000])('in chunks of %i bytes', (size) => {
    const count = createRecordCounter()
    const bytes = bytesOf(file)
    let records = 0
    for (let at = 0; at < bytes.length; at += size) records = count(bytes.subarray(at, at + size))
    expect(records).toBe(4)
  })
  test('without the totals after an empty row', () => {
    expect(createRecordCounter()(bytesOf(`${file}\r\n"Total",5.00\r\n`))).toBe(4)
  })
})

/** A response of these pieces, after which the connection breaks on request. */
function answer(pieces: readonly string[], { breaks = false } = {}): Response {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const piece of pieces) controller.enqueue(bytesOf(piece))
      await Promise.resolve()
      if (breaks) controller.error(new TypeError('terminated'))
      else controller.close()
    },
  })
  return new Response(body, {
    headers: { 'row-count': '2', 'content-disposition': 'attachment; filename="muripo-payments-x-all.csv"' },
  })
}
const served = (response: () => Response) => {
  const fetched = vi.fn(async (_address: string, _init: RequestInit) => response())
  vi.stubGlobal('fetch', fetched)
  return fetched
}
afterEach(() => vi.unstubAllGlobals())
const never = new AbortController().signal

describe('[PAY-04] the download', () => {
  test('sends the filters along and returns the file with its name', async () => {
    const fetched = served(() => answer([head, '1,a\r\n', '2,b\r\n']))
    const progresses: object[] = []
    const file = await download(orderOf({ status: 'failed', search: 'x' }), never, (progress) =>
      progresses.push(progress),
    )
    expect(fetched.mock.calls[0]?.[0]).toBe('/v1/payments/export?status=failed&search=x')
    expect(file).toMatchObject({ name: 'muripo-payments-x-all.csv', rows: 2 })
    expect(await file.content.text()).toBe(`${head}1,a\r\n2,b\r\n`)
    expect(progresses.at(0)).toEqual({ rows: 0, total: 2 })
    expect(progresses.at(-1)).toEqual({ rows: 2, total: 2 })
  })
  test('of movements sends the days along only', async () => {
    const fetched = served(() => answer([head, '1,a\r\n']))
    const filters = { from: '2026-11-01', to: '2026-11-30', status: 'failed' }
    await download(orderOf(filters, { content: 'movements' }), never, () => {})
    expect(fetched.mock.calls[0]?.[0]).toBe('/v1/payments/export/movements?from=2026-11-01&to=2026-11-30')
  })
  test('of an unknown number of rows reports its number', async () => {
    served(() => new Response(bytesOf(`${head}1,a\r\n`)))
    const progresses: object[] = []
    await download(orderOf({}), never, (progress) => progresses.push(progress))
    expect(progresses.at(-1)).toEqual({ rows: 1, total: null })
  })
  test('that breaks off returns no file', async () => {
    served(() => answer([head, '1,a\r\n'], { breaks: true }))
    await expect(download(orderOf({}), never, () => {})).rejects.toThrow(failures.exportBrokeOff)
  })
  test.each([
    ['{"message":"Two exports are already running"}', 429, 'Two exports are already running'],
    ['<h1>Bad Gateway</h1>', 502, failures.exportPayments],
  ])('that is refused has the reason: %s', async (body, status, words) => {
    served(() => new Response(body, { status }))
    await expect(download(orderOf({}), never, () => {})).rejects.toThrow(words)
  })
  test('without a network has its error', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('failed to fetch')
    })
    await expect(download(orderOf({}), never, () => {})).rejects.toThrow(
      'Network error. Please check your connection and try again.',
    )
  })
})

describe('an export', () => {
  const file = { name: 'x.csv', rows: 2, content: new Blob() }
  const settled = () => new Promise((resolve) => setTimeout(resolve))

  test('runs, reports its progress, and saves the file', async () => {
    const saved: string[] = []
    const run = createExport({
      download: async (_filters, _signal, onProgress) => {
        onProgress({ rows: 1, total: 2 })
        expect(run.get()).toEqual({ phase: 'running', content: 'payments', rows: 1, total: 2 })
        return file
      },
      save: ({ name }) => saved.push(name),
    })
    run.start(orderOf({}))
    await settled()
    expect(saved).toEqual(['x.csv'])
    expect(run.get()).toEqual({ phase: 'done', content: 'payments', name: 'x.csv', rows: 2 })
    run.end()
    expect(run.get()).toEqual({ phase: 'idle' })
  })

  test('reports the last number when the connection stalls after it', async () => {
    vi.useFakeTimers()
    const run = createExport({
      download: (_filters, _signal, onProgress) => {
        onProgress({ rows: 0, total: 9 })
        onProgress({ rows: 4, total: 9 })
        return new Promise(() => {})
      },
      save: vi.fn(),
    })
    run.start(orderOf({}))
    expect(run.get()).toEqual({ phase: 'running', content: 'payments', rows: 0, total: 9 })
    await vi.advanceTimersByTimeAsync(100)
    expect(run.get()).toEqual({ phase: 'running', content: 'payments', rows: 4, total: 9 })
    run.end()
    await vi.advanceTimersByTimeAsync(1000)
    expect(run.get()).toEqual({ phase: 'idle' })
    vi.useRealTimers()
  })

  test('that is cancelled aborts its call and saves nothing that still arrives', async () => {
    const save = vi.fn()
    const signals: AbortSignal[] = []
    const { promise, resolve } = Promise.withResolvers<typeof file>()
    const run = createExport({
      download: (_filters, signal) => {
        signals.push(signal)
        return promise.then((done) => {
          signal.throwIfAborted()
          return done
        })
      },
      save,
    })
    run.start(orderOf({}))
    run.start(orderOf({}))
    expect(signals).toHaveLength(1)
    run.end()
    expect(signals[0]?.aborted).toBe(true)
    resolve(file)
    await settled()
    expect(save).not.toHaveBeenCalled()
    expect(run.get()).toEqual({ phase: 'idle' })
  })

  test('that fails has the reason, and none when the session has ended', async () => {
    const brokeOff = new Failure('exportBrokeOff')
    for (const [error, state] of [
      [brokeOff, { phase: 'failed', error: brokeOff }],
      [
        new ApiError({ status: 401, message: null, error: 'Authentication failed' }, 'exportPayments'),
        { phase: 'idle' },
      ],
    ] as const) {
      const run = createExport({ download: () => Promise.reject(error), save: vi.fn() })
      run.start(orderOf({}))
      await settled()
      expect(run.get()).toEqual(state)
    }
  })
})
