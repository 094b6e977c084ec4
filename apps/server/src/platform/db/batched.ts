import { createBatcher } from './batcher.ts'
import type { Queryable } from './database.ts'

const MAX_CALLS = 256
const MOST_WAITING = 4096
/** A transaction has one connection, where a second statement would wait for the first. */
const maxRunningOf = (db: Queryable): number => (db.isTransaction ? 1 : 2)

/**
 * A batch statement that is called with one key: concurrent calls, in a shared transaction or beside each other, share one statement.
 * @param run returns its results in the order of the calls
 */
export function batched<Db extends Queryable, Call, Result>(
  run: (db: Db, calls: readonly Call[]) => Promise<readonly Result[]>,
): (db: Db, call: Call) => Promise<Result> {
  const ofDatabase = new WeakMap<Db, (call: Call) => Promise<Result>>()
  return (db, call) => {
    let batched = ofDatabase.get(db)
    if (!batched) {
      batched = createBatcher<Call, Result>({
        name: 'shared-statements',
        maxCalls: MAX_CALLS,
        maxRunning: maxRunningOf(db),
        mostWaiting: MOST_WAITING,
        write(calls) {
          const results = run(db, calls)
          return calls.map(async (_, index) => (await results)[index] as Result)
        },
      })
      ofDatabase.set(db, batched)
    }
    return batched(call)
  }
}
