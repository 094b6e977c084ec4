import { type Caller, makeCaller } from './app.ts'
import { test as base } from './fixtures.ts'
import { makeManyPayments } from './many-payments.ts'
import { forkSearchers } from './searchers.ts'

export const order = { amount: 12.5, currency: 'USD', description: 'Order 1001' } as const

/** A served gateway with a merchant of 100,000 payments, processes that search in them, and a merchant without payments. */
export const test = base
  .extend('url', { scope: 'file' }, ({ app }) => app.listen({ host: '127.0.0.1', port: 0 }))
  .extend('crowded', { scope: 'file' }, async ({ world }): Promise<Caller> => {
    const caller = await makeCaller(world.ctx)
    await makeManyPayments(world.ctx, caller, 100_000)
    return caller
  })
  .extend('calm', { scope: 'file' }, ({ world }) => makeCaller(world.ctx))
  .extend('searchers', { scope: 'file' }, async ({ url, crowded }, { onCleanup }) => {
    const searchers = await forkSearchers()
    onCleanup(() => searchers.close())
    const { authorization } = crowded.withSession
    return {
      start: (clients: number) => searchers.start({ url, authorization, clients }),
      count: () => searchers.count(),
      stop: () => searchers.stop(),
    }
  })
