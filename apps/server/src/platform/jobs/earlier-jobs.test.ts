import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCtx, testCtx } from '../../../test/test-ctx.ts'
import { moveEarlierJobs } from './earlier-jobs.ts'

/** The columns of the earlier queue that the move reads, as its last version created them. */
const earlierQueue = `
  create schema graphile_worker;
  create table graphile_worker._private_tasks (id int primary key generated always as identity, identifier text not null unique);
  create table graphile_worker._private_jobs (
    id bigint primary key generated always as identity, task_id int not null, payload json not null default '{}',
    run_at timestamptz not null default now(), attempts smallint not null default 0, max_attempts smallint not null default 25,
    last_error text, created_at timestamptz not null default now(), locked_at timestamptz
  );
  insert into graphile_worker._private_tasks (identifier) values ('send-mail'), ('send-reset-code');`

let ctx: TestCtx
beforeAll(async () => {
  ctx = await testCtx()
})
afterAll(() => ctx.close())

test('a database without the earlier queue has nothing to move', async () => {
  await moveEarlierJobs(ctx.db.kysely)
  expect(await ctx.db.kysely.selectFrom('jobs').selectAll().execute()).toEqual([])
})

test('open jobs are moved with their payloads and attempts, and those of running processes are left to them', async () => {
  await ctx.db.pool.query(earlierQueue)
  const now = ctx.clock.now().getTime()
  const lockedAt = [null, new Date(now - 60_000), new Date(now - 121_000), null]
  for (const [index, at] of lockedAt.entries())
    await ctx.db.pool.query(
      'insert into graphile_worker._private_jobs (task_id, payload, run_at, attempts, max_attempts, locked_at) values ($1, $2, $3, $4, 8, $5)',
      [1 + (index % 2), { encrypted: `mail ${index}` }, new Date(now + index), index === 3 ? 8 : index, at],
    )
  await moveEarlierJobs(ctx.db.kysely)
  await moveEarlierJobs(ctx.db.kysely)
  const moved = await ctx.db.kysely.selectFrom('jobs').selectAll().orderBy('due_at').execute()
  expect(moved).toMatchObject([
    { kind: 'send-mail', payload: { encrypted: 'mail 0' }, attempts: 0, max_attempts: 8 },
    { kind: 'send-mail', payload: { encrypted: 'mail 2' }, attempts: 2, due_at: new Date(now + 2) },
    { kind: 'send-reset-code', payload: { encrypted: 'mail 3' }, attempts: 8, max_attempts: 8 },
  ])
  const { rows } = await ctx.db.pool.query(
    "select payload->>'encrypted' as mail from graphile_worker._private_jobs",
  )
  expect(rows).toEqual([{ mail: 'mail 1' }])
})
