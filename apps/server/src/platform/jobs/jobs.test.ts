import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestCtx, testCtx } from '../../../test/test-ctx.ts'
import { createDatabase } from '../db/database.ts'
import { createJobsTable, isAnyRunnerAlive, type Job, runDueJobs, startJobs } from './jobs.ts'
import { renewLeases, takeJobs } from './store-jobs.ts'

const LEASE_MS = 15_000

let ctx: TestCtx
beforeEach(async () => {
  ctx = await testCtx()
})
afterEach(() => ctx.close())

const add = (name: string, options = {}) => ctx.db.tx((tx) => ctx.jobs.enqueue(tx, name, {}, options))
const take = (limit = 10, kinds = ['say']) => takeJobs(ctx.db.kysely, kinds, LEASE_MS, limit)
const rows = async () => (await ctx.db.kysely.selectFrom('jobs').selectAll().orderBy('id').execute()) ?? []
const failing: Job = { name: 'say', run: () => Promise.reject(new Error('no mail server')) }

/** A job that ends when the test says so. */
function heldJob(name: string) {
  const held = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const run = () => {
    started.resolve()
    return held.promise
  }
  return { job: { name, run }, started: started.promise, end: held.resolve }
}

test('a job exists if and only if the transaction of its cause commits', async () => {
  const failed = ctx.db.tx(async (tx) => {
    await ctx.jobs.enqueue(tx, 'say', {})
    throw new Error('no cause')
  })
  await expect(failed).rejects.toThrow('no cause')
  expect(await rows()).toEqual([])
  await add('say')
  expect(await rows()).toMatchObject([{ kind: 'say', attempts: 0, max_attempts: 12 }])
})

test('a job is taken by one process until the end of its lease, which its process renews', async () => {
  await add('say')
  const [job] = await take()
  expect(await take()).toEqual([])
  ctx.clock.advance(LEASE_MS - 1)
  await renewLeases(ctx.db.kysely, [job?.id ?? 0n], LEASE_MS)
  ctx.clock.advance(LEASE_MS - 1)
  expect(await take()).toEqual([])
  ctx.clock.advance(1)
  expect(await take()).toEqual([{ ...job, attempts: 2 }])
})

test('concurrent processes take each job once, up to their limits and the oldest first', async () => {
  for (let count = 0; count < 6; count += 1) {
    await add('say')
    ctx.clock.advance(1)
  }
  const taken = await Promise.all([take(2), take(2)])
  expect(taken.map((each) => each.length)).toEqual([2, 2])
  const [a, b, c, d] = (await rows()).map(({ id }) => id)
  expect(new Set(taken.flat().map(({ id }) => id))).toEqual(new Set([a, b, c, d]))
})

test('the pauses after failures grow to hours, and the last attempt is the last one', async () => {
  await add('say', { maxAttempts: 12 })
  const pauses: number[] = []
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    await runDueJobs(ctx.db.kysely, [failing], ctx.log)
    const [job] = await rows()
    expect(job).toMatchObject({ attempts: attempt, last_error: 'Error: no mail server' })
    const pauseMs = (job?.due_at.getTime() ?? 0) - ctx.clock.now().getTime()
    pauses.push(Math.round(pauseMs / 1000))
    ctx.clock.advance(pauseMs + 1)
  }
  expect(pauses).toEqual([3, 7, 20, 55, 148, 403, 1097, 2981, 8103, 22026, 22026, 22026])
  ctx.clock.advance(86_400_000)
  expect(await take()).toEqual([])
})

test('a failure does not postpone a job that another process has taken over', async () => {
  await add('say')
  let other: Awaited<ReturnType<typeof take>> = []
  const slow: Job = {
    name: 'say',
    async run() {
      ctx.clock.advance(LEASE_MS)
      other = await take()
      throw new Error('late')
    },
  }
  await runDueJobs(ctx.db.kysely, [slow], ctx.log)
  expect(other).toMatchObject([{ attempts: 2 }])
  const leaseEnd = ctx.clock.now().getTime() + LEASE_MS
  expect(await rows()).toMatchObject([{ last_error: null, due_at: new Date(leaseEnd) }])
})

test('a job of a kind that this version does not run is left to the version that does', async () => {
  await add('sing')
  await runDueJobs(ctx.db.kysely, [failing], ctx.log)
  expect(await rows()).toMatchObject([{ kind: 'sing', attempts: 0 }])
})

test('a runner starts a job at its commit, and more of them as places become free', async () => {
  const done: unknown[] = []
  const runner = await startJobs(
    ctx.databaseUrl,
    [{ name: 'say', run: async () => void done.push(1) }],
    ctx.log,
  )
  try {
    await expect.poll(() => isAnyRunnerAlive(ctx.db.kysely)).toBe(true)
    await ctx.db.tx(async (tx) => {
      for (let count = 0; count < 50; count += 1) await ctx.jobs.enqueue(tx, 'say', {})
    })
    // A poll alone would start four jobs in two seconds.
    await expect.poll(() => done.length).toBe(50)
    await expect.poll(rows).toEqual([])
  } finally {
    await runner.stop()
  }
  await expect.poll(() => isAnyRunnerAlive(ctx.db.kysely)).toBe(false)
})

test('a runner that stops waits for its jobs, and starts no other', async () => {
  const { job, started, end } = heldJob('say')
  await add('say')
  const runner = await startJobs(ctx.databaseUrl, [job], ctx.log)
  await started
  let isStopped = false
  const stopping = runner.stop().then(() => {
    isStopped = true
  })
  await add('say')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isStopped).toBe(false)
  end()
  await stopping
  expect(await rows()).toMatchObject([{ attempts: 0 }])
})

test('processes that start at once create the queue of a node, beside the schema of a shard group', async () => {
  await ctx.db.pool.query('drop table jobs; create schema shard_group_0')
  const settings = ['search_path=shard_group_0,public']
  const nodes = Array.from({ length: 4 }, () =>
    createDatabase(ctx.databaseUrl, { maxConnections: 1, settings }),
  )
  try {
    await Promise.all(nodes.map(createJobsTable))
    await add('say')
    expect(await take()).toMatchObject([{ kind: 'say' }])
  } finally {
    for (const node of nodes) await node.close()
  }
})
