import type { Ctx } from '../ctx.ts'
import type { Pools } from './pools.ts'

const coordinators = new WeakMap<object, Pools>()

/** For tests: the sessions of the coordinator, of contexts that have the sessions of a shard group. Copies of a context may have other sessions. */
export function noteCoordinator(ctx: Pick<Ctx, 'db' | 'files'>, pools: Pools): void {
  coordinators.set(ctx.db, pools)
  coordinators.set(ctx.files, pools)
}

/** The context of a gateway beside those of its shard groups: merchants, signing in and callbacks. On one node it is the same context. */
export function coordinatorOf<C extends Ctx>(ctx: C): C {
  const pools = coordinators.get(ctx.db) ?? coordinators.get(ctx.files)
  if (pools === undefined) return ctx
  const { db, reads, heavyReads, background } = pools
  return { ...ctx, db, reads, heavyReads, background }
}
