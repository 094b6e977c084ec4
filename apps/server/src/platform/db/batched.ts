import { type BatcherOptions, createBatcher } from './batcher.ts'
import type { Queryable } from './database.ts'

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
