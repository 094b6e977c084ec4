import { type Database, runNamed, type Tx } from '../../../platform/db/database.ts'

interface Execution {
  /** Runs first in the transaction, and throws to refuse it. */
  readonly before: (tx: Tx) => Promise<void>
  /** Whether the result of the transaction is that of an executed action. Otherwise nothing is committed. */
  readonly isDone: (result: unknown) => boolean
  /** Runs last in the transaction. */
  readonly after: (tx: Tx) => Promise<void>
}

/** The action has returned without executing anything. */
export class NotDone extends Error {}

/**
 * The same context for one action, whose first committed transaction contains the approval: the action and the state of its proposal
 * commit together, or neither does. Later transactions, such as those that record a provider's answer, are the action's own.
 */
export function executing<C extends { readonly db: Database }>(
  ctx: C,
  { before, isDone, after }: Execution,
): { readonly ctx: C; hasCommitted(): boolean } {
  let hasCommitted = false
  const tx = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    if (hasCommitted) return ctx.db.tx(work)
    const result = await ctx.db.tx(async (tx) => {
      await before(tx)
      const result = await work(tx)
      if (!isDone(result)) throw new NotDone()
      await after(tx)
      return result
    })
    hasCommitted = true
    return result
  }
  const db: Database = {
    ...ctx.db,
    tx,
    commitStatement: (statement) => tx((tx) => runNamed(tx, statement)),
  }
  return { ctx: { ...ctx, db }, hasCommitted: () => hasCommitted }
}

/** The same context, whose first transaction confirms the caller after its last statement. */
export const confirmedOnce = <C extends { readonly db: Database }>(
  ctx: C,
  confirm: (tx: Tx) => Promise<void>,
): C => executing(ctx, { before: async () => undefined, isDone: () => true, after: confirm }).ctx
