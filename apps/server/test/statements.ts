import type { PoolClient } from 'pg'
import type { Ctx } from '../src/platform/ctx.ts'

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void

/** The statements that some work executes, in order and without values. */
export async function statementsOf(ctx: Ctx, work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  const { pool } = ctx.db
  const connect = pool.connect as (callback?: Connected) => unknown
  const watched = new Map<object, { query: unknown }>()
  // Every way to acquire a connection uses this function.
  const watch = (client: PoolClient): PoolClient => {
    if (watched.has(client)) return client
    const { query } = client
    watched.set(client, { query })
    client.query = ((...args: unknown[]) => {
      const [first] = args
      statements.push(typeof first === 'string' ? first : (first as { text: string }).text)
      return Reflect.apply(query, client, args)
    }) as typeof query
    return client
  }
  // `pool.query` passes a callback.
  pool.connect = ((callback?: Connected) =>
    callback
      ? connect.call(pool, (error, client, release) => callback(error, client && watch(client), release))
      : (connect.call(pool) as Promise<PoolClient>).then(watch)) as typeof pool.connect
  try {
    await work()
  } finally {
    pool.connect = connect as typeof pool.connect
    for (const [client, original] of watched) Object.assign(client, original)
  }
  return statements
}
