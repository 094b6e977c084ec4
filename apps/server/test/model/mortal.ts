import type { PaymentsCtx } from '../../src/modules/payments/context.ts'
import type { Database, Tx } from '../../src/platform/db/database.ts'
import type { Death } from './life.ts'

/** Nobody catches it by its code: whoever meets it is dead. */
export class Died extends Error {}

type Begin = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

/**
 * The context of a process that dies at one of its commits. From then on it writes nothing. What it had in hand is rolled back, as a
 * server does whose client has gone; what it shared with others is theirs to do again.
 */
export function mortal<Ctx extends PaymentsCtx>(ctx: Ctx, death: Death | null): Ctx {
  if (death === null) return ctx
  let commits = 0
  let isDead = false
  const die = (): never => {
    isDead = true
    throw new Died('this process has died')
  }
  async function commit<Result>(begin: Begin, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    if (isDead) die()
    const isLast = commits === death?.at
    commits += 1
    if (isLast && death?.phase === 'before') die()
    const result = await begin(async (tx) => {
      const done = await work(tx)
      if (isLast && death?.phase === 'midst') die()
      return done
    })
    return isLast ? die() : result
  }
  const { db } = ctx
  const dying: Database = {
    ...db,
    tx: (work) => commit((run) => db.tx(run), work),
    groupCommit: (key, work) => commit((run) => db.groupCommit(key, run), work),
  }
  return {
    ...ctx,
    db: dying,
    // One statement is its whole commit: it is not sent, or its answer is not heard.
    writePayment: async (...given) => {
      if (death.phase !== 'after') die()
      await ctx.writePayment(...given)
      return die()
    },
  }
}
