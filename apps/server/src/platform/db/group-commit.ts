import { AppError } from '../errors.ts'
import { createBatcher } from './batcher.ts'
import { noteCommit } from './commit-scope.ts'
import { isDatabaseAway } from './failures.ts'
import type { Transact, Tx } from './transaction.ts'

/**
 * Runs `work` in a transaction that other work may share: under load the waiting work begins and commits together, and its statements of
 * the same moment are batched (`batched.ts`). Each work is written as if the transaction were its own.
 * @param key the object of the work. Two works with one key never share a transaction, because neither would see the other's writes
 */
export type GroupCommit = <Result>(key: string, work: (tx: Tx) => Promise<Result>) => Promise<Result>

interface Shared {
  readonly key: string
  readonly work: (tx: Tx) => Promise<unknown>
}

const MAX_WORKS = 64
/** While the database commits one transaction, the next one fills. */
const MAX_RUNNING = 2
const MIN_WAITING_FOR_ANOTHER = 32
const MAX_WAITING = 1024

export function createGroupCommit(tx: Transact): GroupCommit {
  const batched = createBatcher<Shared, unknown>({
    maxCalls: MAX_WORKS,
    maxRunning: MAX_RUNNING,
    minWaitingForAnother: MIN_WAITING_FOR_ANOTHER,
    mostWaiting: MAX_WAITING,
    write(calls) {
      const firsts = calls.filter(({ key }, at) => calls.findIndex((call) => call.key === key) === at)
      const results = run(tx, firsts)
      return calls.map(async (call) => {
        const settled = (await results).get(call)
        if (!settled) return tx(call.work)
        if (settled.status === 'rejected') throw settled.reason
        return settled.value
      })
    },
  })
  return async <Result>(key: string, work: (tx: Tx) => Promise<Result>) => {
    const result = (await batched({ key, work })) as Result
    // The transaction may have run in the scope of another caller.
    noteCommit()
    return result
  }
}

type Results = Map<Shared, PromiseSettledResult<unknown>>

/** A refused work rolls the shared transaction back, so the others run again without it; after any other error each work runs alone. */
async function run(tx: Transact, works: readonly Shared[]): Promise<Results> {
  const done: Results = new Map()
  let left = works
  while (left.length > 1) {
    const results = await tryGroup(tx, left)
    if (results === null) break
    const refused = left.filter((work) => results.get(work)?.status === 'rejected')
    const settled = refused.length === 0 ? left : refused
    for (const work of settled) {
      const result = results.get(work)
      if (result) done.set(work, result)
    }
    left = left.filter((work) => !settled.includes(work))
  }
  await Promise.all(
    left.map(async (each) => {
      const [result] = await Promise.allSettled([tx(each.work)])
      done.set(each, result)
    }),
  )
  return done
}

class Undone extends Error {}

/** The result of each work when all succeeded or some were refused; null after any other error, when nothing was written. */
async function tryGroup(transact: Transact, works: readonly Shared[]): Promise<Results | null> {
  let results: Results = new Map()
  try {
    await transact(async (tx) => {
      const settled = await Promise.allSettled(works.map(({ work }) => work(tx)))
      results = new Map(works.map((work, index) => [work, settled[index] as PromiseSettledResult<unknown>]))
      if (settled.some(({ status }) => status === 'rejected')) throw new Undone()
    })
    return results
  } catch (error) {
    const faults = [...results.values()].flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    // The outcome of the commit is unknown, so no work may run again.
    const away = [error, ...faults].find(isDatabaseAway)
    if (away) throw away
    return error instanceof Undone && faults.every((fault) => fault instanceof AppError) ? results : null
  }
}
