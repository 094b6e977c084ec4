import type { PaymentsCtx } from '../../src/modules/payments/context.ts'
import type { Database, Tx } from '../../src/platform/db/database.ts'
import type { Crash } from './sequence.ts'

/** No code catches this error by its code: its process has crashed. */
export class Crashed extends Error {}

type Begin = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

/**
 * The context of a process that crashes at one of its commits and writes nothing afterwards. Its open transactions are rolled back, as a
 * server does when the client disconnects; operations that share a transaction with others are retried by those.
 */
export function withCrash<Ctx extends PaymentsCtx>(ctx: Ctx, crash: Crash | null): Ctx {
  if (crash === null) return ctx
  let commits = 0
  let hasCrashed = false
  const crashNow = (): never => {
    hasCrashed = true
    throw new Crashed('this process has died')
  }
  async function commit<Result>(begin: Begin, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    if (hasCrashed) crashNow()
    const isLast = commits === crash?.at
    commits += 1
    if (isLast && crash?.phase === 'before') crashNow()
    const result = await begin(async (tx) => {
      const done = await work(tx)
      if (isLast && crash?.phase === 'midst') crashNow()
      return done
    })
    return isLast ? crashNow() : result
  }
  const { db } = ctx
  const crashing: Database = {
    ...db,
    tx: (work) => commit((run) => db.tx(run), work),
    groupCommit: (key, work) => commit((run) => db.groupCommit(key, run), work),
  }
  return {
    ...ctx,
    db: crashing,
    // One statement is its whole commit: either it is not sent, or its result is not received.
    writePayment: async (...given) => {
      if (crash.phase !== 'after') crashNow()
      await ctx.writePayment(...given)
      return crashNow()
    },
  }
}
