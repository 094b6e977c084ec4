import type { World } from './world.ts'

/** Runs a statement with the rights of the gateway; returns the number of its rows. */
export const run = async ({ ctx }: World, text: string, values: unknown[] = []): Promise<number | null> =>
  (await ctx.db.pool.query(text, values)).rowCount

/** The error of a statement that a guard of the database refused. */
export const refusedAs = (code: string) => ({ code })
