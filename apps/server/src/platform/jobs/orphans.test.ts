import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCtx, testCtx } from '../../../test/test-ctx.ts'
import { startJobs } from './jobs.ts'
import { freeOrphans } from './orphans.ts'

let ctx: TestCtx

beforeAll(async () => {
  ctx = await testCtx()
})
afterAll(() => ctx.close())

const add = (name: string) => ctx.db.tx((tx) => ctx.jobs.enqueue(tx, name, {}))

test('another runner takes over the jobs of a dead one, and leaves those of a living one alone', async () => {
  const done: string[] = []
  let finish = () => {}
  const long = new Promise<void>((resolve) => {
    finish = resolve
  })
  await add('orphan')
  await sql`update graphile_worker._private_jobs set locked_by = 'pool-of-the-dead', locked_at = now()`.execute(
    ctx.db.kysely,
  )
  const runner = await startJobs(
    ctx.databaseUrl,
    [
      { name: 'orphan', run: async () => void done.push('orphan') },
      {
        name: 'long',
        run: () => {
          done.push('long')
          return long
        },
      },
    ],
    ctx.log,
  )
  try {
    await add('long')
    await expect.poll(() => done).toEqual(['long'])
    await freeOrphans(ctx.db.kysely)
    await expect.poll(() => done).toEqual(['long', 'orphan'])
    await freeOrphans(ctx.db.kysely)
    const locks = () => sql`select locked_by from graphile_worker._private_jobs`.execute(ctx.db.kysely)
    // The row of a job that has ended is deleted a moment later.
    await expect
      .poll(async () => (await locks()).rows)
      .toEqual([{ locked_by: expect.stringContaining('pool') }])
  } finally {
    finish()
    await runner.stop()
  }
})
