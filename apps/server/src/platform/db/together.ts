import { AppError } from '../errors.ts'
import { createBatcher } from './batcher.ts'
import type { Database, Tx } from './database.ts'
import { isDatabaseAway } from './failures.ts'

/**
 * Runs `work` in a transaction that others may share: under load those who wait begin and commit together, and what they ask at the
 * same moment goes as one statement (`gathered.ts`). Each is written as if the transaction were its own.
 * @param key what it works on. Two works on one thing never share a transaction, for neither would see what the other decides
 */
export type Together = <Result>(key: string, work: (tx: Tx) => Promise<Result>) => Promise<Result>

type Transact = Database['tx']

interface Shared {
  readonly key: string
  readonly work: (tx: Tx) => Promise<unknown>
}

const MOST_WORKS = 64
/** While the database works on one transaction, the next is filled. */
const MOST_FLIGHTS = 2
const WORTH_ANOTHER = 32
const MOST_WAITING = 1024

export function createTogether(tx: Transact): Together {
  const batched = createBatcher<Shared, unknown>({
    mostCalls: MOST_WORKS,
    mostFlights: MOST_FLIGHTS,
    worthAnother: WORTH_ANOTHER,
    mostWaiting: MOST_WAITING,
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
  return <Result>(key: string, work: (tx: Tx) => Promise<Result>) => batched({ key, work }) as Promise<Result>
}

type Results = Map<Shared, PromiseSettledResult<unknown>>

/** A refusal takes what it has written with it, so the others go again without it; after a fault each goes for itself. */
async function run(tx: Transact, works: readonly Shared[]): Promise<Results> {
  const done: Results = new Map()
  let left = works
  while (left.length > 1) {
    const tried = await tryTogether(tx, left)
    if (tried === null) break
    const refused = left.filter((work) => tried.get(work)?.status === 'rejected')
    const settled = refused.length === 0 ? left : refused
    for (const work of settled) {
      const result = tried.get(work)
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

/** What became of each when all went well or some were refused; null when anything else went wrong, and nothing was done. */
async function tryTogether(transact: Transact, works: readonly Shared[]): Promise<Results | null> {
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
    // Whether it was committed nobody can say, so nobody may try again by himself.
    const away = [error, ...faults].find(isDatabaseAway)
    if (away) throw away
    return error instanceof Undone && faults.every((fault) => fault instanceof AppError) ? results : null
  }
}
