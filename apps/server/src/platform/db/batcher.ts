import type { Queryable } from './database.ts'
import { isErrorOfOneRow, QueueFull } from './failures.ts'
import type { Queues } from './queues.ts'

/**
 * Batches concurrent calls: while one batch is being written, the next calls wait and form another batch. Without a batch in progress a
 * call runs at once, so a quiet system has no delay and a busy one shares its commits.
 */
export interface BatcherOptions<Call, Result> {
  /** The name in the metrics of batches; batchers with one name are counted together. */
  readonly name: string
  readonly maxCalls: number
  /**
   * The size of a batch when many calls wait: half of them, and no more than this. A turn of the event loop starts at most `maxRunning`
   * batches, and takes long under an overload.
   */
  readonly maxCallsUnderLoad?: number
  readonly maxRunning: number
  /** A further concurrent batch starts only when so many calls wait: each batch costs as much as some dozen calls. */
  readonly minWaitingForAnother?: number
  /** With more waiting calls than this, a call is rejected with QueueFull before anything of it is written. */
  readonly mostWaiting: number
  /** The same for the size of the calls that wait and of those that are being written, where a call can be large. */
  readonly size?: { readonly mostBytes: number; bytesOf(call: Call): number }
  /** The queues to which this one belongs, for the waiting time of calls. */
  readonly queues?: Queues
  /** Returns one promise for each call, in the order of the calls: one may fail or wait without the others. */
  write(calls: readonly Call[]): readonly Promise<Result>[]
}

interface Waiting<Call, Result> {
  readonly call: Call
  readonly since: number
  readonly resolve: (written: Promise<Result>) => void
}

/** Counters of this process since its start, and the calls that wait now. */
export interface BatchCounts {
  readonly batches: number
  readonly calls: number
  readonly waiting: number
}

const counts = new Map<string, { batches: number; calls: number; waiting: number }>()

/** The batches of this process by the name of their batcher. */
export const batchCounts = (): ReadonlyMap<string, BatchCounts> => counts

function countsOf(name: string) {
  const known = counts.get(name) ?? { batches: 0, calls: 0, waiting: 0 }
  counts.set(name, known)
  return known
}

/** A call that has waited for so long is rejected with QueueFull: the batches in progress do not return. */
const WAIT_MS = 5000
/** The duration of a full batch predicts the waiting time for this long. */
const MEASURED_FOR_MS = 1000

/** @returns adds a call to a batch; the promise resolves with the result of the call */
export function createBatcher<Call, Result>(
  options: BatcherOptions<Call, Result>,
): (call: Call) => Promise<Result> {
  const batcher = new Batcher(options)
  options.queues?.add(batcher)
  return (call) => batcher.add(call)
}

class Batcher<Call, Result> {
  readonly #options: BatcherOptions<Call, Result>
  readonly #waiting: Waiting<Call, Result>[] = []
  readonly #count: ReturnType<typeof countsOf>
  #running = 0
  #bytes = 0
  #isDispatchDue = false
  #overdueCheck: NodeJS.Timeout | null = null
  #fullBatch = { at: Number.NEGATIVE_INFINITY, msPerCall: 0 }

  constructor(options: BatcherOptions<Call, Result>) {
    this.#options = options
    this.#count = countsOf(options.name)
  }

  add(call: Call): Promise<Result> {
    return new Promise((resolve, reject) => {
      const bytes = this.#bytes + this.#bytesOf([call])
      if (
        this.#waiting.length >= this.#options.mostWaiting ||
        bytes > (this.#options.size?.mostBytes ?? bytes)
      ) {
        reject(new QueueFull())
        return
      }
      this.#bytes = bytes
      this.#waiting.push({ call, resolve, since: performance.now() })
      this.#count.waiting += 1
      this.#plan()
      if (this.#running > 0) this.#watchQueue()
    })
  }

  length(): number {
    return this.#waiting.length
  }

  #bytesOf(calls: readonly Call[]): number {
    const { size } = this.#options
    return size ? calls.reduce((sum, call) => sum + size.bytesOf(call), 0) : 0
  }

  /** The calls of one turn of the event loop arrive together, so the age of the oldest call alone would admit too many of them. */
  waitMs(now: number): number {
    const { at, msPerCall } = this.#fullBatch
    const expectedMs = now - at < MEASURED_FOR_MS ? this.#waiting.length * msPerCall : 0
    return Math.max(expectedMs, now - (this.#waiting[0]?.since ?? now))
  }

  /** The batch starts after the present turn of the event loop, so that it contains all calls of this turn. */
  #plan(): void {
    const { maxRunning, minWaitingForAnother = 1 } = this.#options
    const minWaiting = this.#running === 0 ? 1 : minWaitingForAnother
    if (this.#isDispatchDue || this.#running >= maxRunning || this.#waiting.length < minWaiting) return
    this.#isDispatchDue = true
    setImmediate(() => this.#dispatch())
  }

  #dispatch(): void {
    this.#isDispatchDue = false
    const batch = this.#takeBatch()
    this.#running += 1
    const [startedAt, concurrent] = [performance.now(), this.#running]
    const calls = batch.map(({ call }) => call)
    const written = this.#options.write(calls)
    batch.forEach(({ resolve }, index) => {
      resolve(written[index] ?? Promise.reject(new Error('a batch has a result for each of its calls')))
    })
    void Promise.allSettled(written).then(() => {
      this.#running -= 1
      this.#bytes -= this.#bytesOf(calls)
      const at = performance.now()
      // A smaller batch costs more for each call, and does not occur while many wait.
      if (batch.length >= this.#options.maxCalls)
        this.#fullBatch = { at, msPerCall: (at - startedAt) / batch.length / concurrent }
      this.#plan()
    })
    this.#plan()
    this.#watchQueue()
  }

  #takeBatch(): Waiting<Call, Result>[] {
    const { maxCalls, maxCallsUnderLoad = maxCalls } = this.#options
    const size = Math.max(maxCalls, Math.min(maxCallsUnderLoad, this.#waiting.length >> 1))
    const batch = this.#waiting.splice(0, size)
    this.#count.batches += 1
    this.#count.calls += batch.length
    this.#count.waiting -= batch.length
    return batch
  }

  /** One timer serves the whole queue, whose calls are in the order of their arrival. */
  #watchQueue(): void {
    const oldest = this.#waiting[0]
    if (!oldest || this.#overdueCheck) return
    const delayMs = Math.max(1, oldest.since + WAIT_MS - performance.now())
    this.#overdueCheck = setTimeout(() => this.#rejectOverdue(), delayMs)
    this.#overdueCheck.unref()
  }

  #rejectOverdue(): void {
    this.#overdueCheck = null
    const before = performance.now() - WAIT_MS
    const fresh = this.#waiting.findIndex(({ since }) => since > before)
    const overdue = this.#waiting.splice(0, fresh === -1 ? this.#waiting.length : fresh)
    this.#count.waiting -= overdue.length
    this.#bytes -= this.#bytesOf(overdue.map(({ call }) => call))
    for (const { resolve } of overdue) resolve(Promise.reject(new QueueFull()))
    this.#watchQueue()
  }
}

/**
 * Writes the calls of a batch in one statement, and each call alone after one row of the batch failed.
 * @returns the result of the statement that a call was written in
 */
export function writeTogether<Call, Written>(
  calls: readonly Call[],
  write: (calls: readonly Call[]) => Promise<Written>,
): (call: Call) => Promise<Written> {
  const together = write(calls).catch((error: unknown) => {
    if (calls.length > 1 && isErrorOfOneRow(error)) return null
    throw error
  })
  return async (call) => (await together) ?? write([call])
}

/** A batcher of each database, which is created with its first call. */
export function batcherPerDatabase<Db extends WeakKey, Call, Result>(
  optionsFor: (db: Db) => BatcherOptions<Call, Result>,
): (db: Db, call: Call) => Promise<Result> {
  const ofDatabase = new WeakMap<Db, (call: Call) => Promise<Result>>()
  return (db, call) => {
    let batcher = ofDatabase.get(db)
    if (!batcher) {
      batcher = createBatcher(optionsFor(db))
      ofDatabase.set(db, batcher)
    }
    return batcher(call)
  }
}

const MAX_CALLS = 256
const MOST_WAITING = 4096
/** A transaction has one connection, where a second statement would wait for the first. */
const maxRunningOf = (db: Queryable): number => (db.isTransaction ? 1 : 2)

/**
 * A batch statement that is called with one key: concurrent calls, in a shared transaction or beside each other, share one statement.
 * @param run returns its results in the order of the calls
 */
export const batched = <Db extends Queryable, Call, Result>(
  run: (db: Db, calls: readonly Call[]) => Promise<readonly Result[]>,
  size?: BatcherOptions<Call, Result>['size'],
): ((db: Db, call: Call) => Promise<Result>) =>
  batcherPerDatabase<Db, Call, Result>((db) => ({
    name: 'shared-statements',
    maxCalls: MAX_CALLS,
    maxRunning: maxRunningOf(db),
    mostWaiting: MOST_WAITING,
    ...(size && { size }),
    write(calls) {
      const results = run(db, calls)
      return calls.map(async (_, index) => (await results)[index] as Result)
    },
  }))

/** The key of a row in a batch statement. It contains the owner, so that rows of different merchants are never confused. */
export type RowKey<Owner extends 'account_id' | 'merchant_id' = 'account_id'> = Readonly<
  Record<Owner | 'id', string>
>

const nameOf = (key: RowKey | RowKey<'merchant_id'>): string =>
  `${'account_id' in key ? key.account_id : key.merchant_id} ${key.id}`

/** The row of each key, in the order of the keys. The id alone would not suffice: another merchant may have sent it. */
export function alignRows<Row extends RowKey | RowKey<'merchant_id'>>(
  rowKeys: readonly (RowKey | RowKey<'merchant_id'>)[],
  rows: readonly Row[],
): (Row | undefined)[] {
  const found = new Map(rows.map((row) => [nameOf(row), row]))
  return rowKeys.map((each) => found.get(nameOf(each)))
}
