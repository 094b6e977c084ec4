import type pg from 'pg'
import type { PaymentsCtx } from '../../src/modules/payments/context.ts'
import type { Database } from '../../src/platform/db/database.ts'
import type { Crash } from './sequence.ts'

/** No code catches this error by its code: its process has crashed. */
export class Crashed extends Error {}

const crashed = new WeakSet<Database>()

/** Whether the process of this context has crashed: all of its commits fail from then on. */
export const hasCrashed = ({ db }: Pick<PaymentsCtx, 'db'>): boolean => crashed.has(db)

/**
 * The context of a process that crashes at one of its commits and writes nothing afterwards. Its open transactions are rolled back, as a
 * server does when the client disconnects.
 */
export function withCrash<Ctx extends PaymentsCtx>(ctx: Ctx, crash: Crash | null): Ctx {
  if (crash === null) return ctx
  let commits = 0
  const crashNow = (): never => {
    crashed.add(crashing)
    throw new Crashed('this process has died')
  }
  /** @returns whether the process crashes at this commit */
  function beginCommit(): boolean {
    if (crashed.has(crashing)) crashNow()
    const isLast = commits === crash?.at
    commits += 1
    if (isLast && crash?.phase === 'before') crashNow()
    return isLast
  }
  const { db } = ctx
  // A create is the only statement that is sent to the pool itself.
  const insertPayments = async (statement: pg.QueryConfig) => {
    if (crash.phase !== 'after') crashNow()
    await db.pool.query(statement)
    return crashNow()
  }
  const crashing: Database = {
    ...db,
    pool: Object.assign(Object.create(db.pool), { query: insertPayments }),
    async tx(work) {
      const isLast = beginCommit()
      const result = await db.tx(async (tx) => {
        const done = await work(tx)
        if (isLast && crash.phase === 'midst') crashNow()
        return done
      })
      return isLast ? crashNow() : result
    },
    // One statement is its whole commit: either it is not sent, or its result is not received.
    async commitStatement(statement) {
      const isLast = beginCommit()
      if (isLast && crash.phase === 'midst') crashNow()
      const rows = await db.commitStatement(statement)
      return isLast ? crashNow() : rows
    },
  }
  return { ...ctx, db: crashing }
}
