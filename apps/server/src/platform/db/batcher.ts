import type { Queryable } from './database.ts'
import { isErrorOfOneRow, QueueFull } from './failures.ts'
import type { Queues } from './queues.ts'

/**
 * Batches concurrent calls: while one batch is being written, the next calls wait and form another batch. Without a batch in progress a
 * call runs at once, so a quiet system has no delay and a busy one shares its commits.
 */
export interface BatcherOptions<Call, Result> {
  /** For the figures of batches; batchers of one name are counted together. */
  readonly name: string
  readonly maxCalls: number
  /**
   * The size of a batch when many calls wait: half of them, and no more than this. A turn of the event loop starts at most `maxRunning`
   * batches, and under an overload its other calls make it long.
   */
  readonly maxCallsUnderLoad?: number
  readonly maxRunning: number
  /** A further concurrent batch starts only when so many calls wait: each batch costs as much as some dozen calls. */
  readonly minWaitingForAnother?: number
  /** With more waiting calls than this, a call is rejected with QueueFull before anything of it is written. */
  readonly mostWaiting: number
  /** Where the waiting time of this queue counts. */
  readonly queues?: Queues
  /** Returns one promise for each call, in the order of the calls: one may fail or wait without the others. */
  write(calls: readonly Call[]): readonly Promise<Result>[]
}

interface Waiting<Call, Result> {
  readonly call: Call
  readonly since: number
  readonly settle: (written: Promise<Result>) => void
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
/** The duration of a full batch says nothing about later times. */
const MEASURED_FOR_MS = 1000

export function createBatcher<Call, Result>(
  options: BatcherOptions<Call, Result>,
): (call: Call) => Promise<Result> {
  const { maxCalls, maxCallsUnderLoad = maxCalls } = options
  const waiting: Waiting<Call, Result>[] = []
  const count = countsOf(options.name)
  let running = 0
  let isDispatchDue = false
  let overdueCheck: NodeJS.Timeout | null = null
  let full = { at: Number.NEGATIVE_INFINITY, msPerCall: 0 }

  // The calls of one turn of the event loop arrive together, so the age of the oldest alone would admit too many of them.
  options.queues?.add((now) => {
    const expectedMs = now - full.at < MEASURED_FOR_MS ? waiting.length * full.msPerCall : 0
    return Math.max(expectedMs, now - (waiting[0]?.since ?? now))
  })

  const least = (): number => (running === 0 ? 1 : (options.minWaitingForAnother ?? 1))

  // The batch starts after the present turn of the event loop, so that it contains all calls of this turn.
  function plan(): void {
    if (isDispatchDue || running >= options.maxRunning || waiting.length < least()) return
    isDispatchDue = true
    setImmediate(dispatch)
  }

  function dispatch(): void {
    isDispatchDue = false
    const batch = waiting.splice(0, Math.max(maxCalls, Math.min(maxCallsUnderLoad, waiting.length >> 1)))
    running += 1
    const [startedAt, concurrent] = [performance.now(), running]
    count.batches += 1
    count.calls += batch.length
    count.waiting -= batch.length
    const written = options.write(batch.map(({ call }) => call))
    batch.forEach(({ settle }, index) => {
      settle(written[index] ?? Promise.reject(new Error('a batch has a result for each of its calls')))
    })
    void Promise.allSettled(written).then(() => {
      running -= 1
      const at = performance.now()
      // A smaller batch costs more for each call, and does not occur while many wait.
      if (batch.length >= maxCalls) {
        full = { at, msPerCall: (at - startedAt) / batch.length / concurrent }
      }
      plan()
    })
    plan()
    watchQueue()
  }

  /** One timer serves the whole queue, whose calls are in the order of their arrival. */
  function rejectOverdue(): void {
    overdueCheck = null
    const before = performance.now() - WAIT_MS
    const fresh = waiting.findIndex(({ since }) => since > before)
    for (const { settle } of waiting.splice(0, fresh === -1 ? waiting.length : fresh)) {
      count.waiting -= 1
      settle(Promise.reject(new QueueFull()))
    }
    watchQueue()
  }

  function watchQueue(): void {
    const oldest = waiting[0]
    if (!oldest || overdueCheck) return
    overdueCheck = setTimeout(rejectOverdue, Math.max(1, oldest.since + WAIT_MS - performance.now()))
    overdueCheck.unref()
  }

  return (call) =>
    new Promise((settle, reject) => {
      if (waiting.length >= options.mostWaiting) {
        reject(new QueueFull())
        return
      }
      waiting.push({ call, settle, since: performance.now() })
      count.waiting += 1
      plan()
      if (running > 0) watchQueue()
    })
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
): ((db: Db, call: Call) => Promise<Result>) =>
  batcherPerDatabase<Db, Call, Result>((db) => ({
    name: 'shared-statements',
    maxCalls: MAX_CALLS,
    maxRunning: maxRunningOf(db),
    mostWaiting: MOST_WAITING,
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
