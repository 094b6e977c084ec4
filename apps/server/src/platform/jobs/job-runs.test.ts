import { afterAll, beforeEach, expect, test } from 'vitest'
import { testCtx } from '../../../test/test-ctx.ts'
import { createRunRecorder, deleteOldRuns, lastRuns, selectRuns } from './job-runs.ts'

const ctx = await testCtx()
const db = ctx.db.kysely
afterAll(() => ctx.close())
beforeEach(() => ctx.db.pool.query('delete from job_runs'))

const done = async () => 'result'
const failing = () => Promise.reject(new Error('no mail server'))
const all = { isFailed: false, limit: 100 }

test('a run is recorded with its name, time and error, and its result is passed on', async () => {
  const recorder = createRunRecorder(ctx)
  expect(await recorder.record('mail', done)).toBe('result')
  await expect(recorder.record('mail', failing)).rejects.toThrow('no mail server')
  await recorder.write()
  expect(await selectRuns(db, all)).toEqual([
    expect.objectContaining({
      name: 'mail',
      error: 'Error: no mail server',
      startedAt: ctx.clock.now(),
      tookMs: expect.any(Number),
    }),
    expect.objectContaining({ name: 'mail', error: null }),
  ])
  expect(await selectRuns(db, { ...all, isFailed: true })).toHaveLength(1)
})

test('one run a minute without a failure, and twenty failures of a name until the next write, are recorded', async () => {
  const recorder = createRunRecorder(ctx)
  await recorder.record('fold', done)
  await recorder.record('fold', done)
  for (let run = 0; run < 25; run += 1) await recorder.record('mail', failing).catch(() => undefined)
  await recorder.write()
  expect(await selectRuns(db, { ...all, name: 'fold' })).toHaveLength(1)
  expect(await selectRuns(db, { ...all, name: 'mail' })).toHaveLength(20)
  ctx.clock.advance(60_000)
  await recorder.record('fold', done)
  await recorder.write()
  await recorder.write()
  expect(await selectRuns(db, { ...all, name: 'fold' })).toHaveLength(2)
})

test('runs that could not be written are written next', async () => {
  let isBroken = true
  const insertInto: typeof db.insertInto = (table) => {
    if (isBroken) throw new Error('the database does not answer')
    return db.insertInto(table)
  }
  const broken = Object.assign(Object.create(db), { insertInto })
  const recorder = createRunRecorder({ ...ctx, db: { ...ctx.db, kysely: broken } })
  await recorder.record('mail', done)
  await expect(recorder.write()).rejects.toThrow('does not answer')
  isBroken = false
  await recorder.write()
  expect(await selectRuns(db, all)).toHaveLength(1)
})

test('the last run of each name is found among others, and a list continues after a run', async () => {
  expect(await lastRuns(db)).toEqual([])
  const recorder = createRunRecorder(ctx)
  for (const name of ['mail', 'fold', 'mail', 'prune']) {
    ctx.clock.advance(60_000)
    await recorder.record(name, done)
  }
  await recorder.write()
  const last = await lastRuns(db)
  expect(last.map(({ name }) => name)).toEqual(['fold', 'mail', 'prune'])
  const [newest, older] = await selectRuns(db, { ...all, name: 'mail' })
  expect(last[1]).toEqual(newest)
  expect(await selectRuns(db, { ...all, name: 'mail', before: newest?.id })).toEqual([older])
})

test('a run is deleted after three days', async () => {
  const recorder = createRunRecorder(ctx)
  await recorder.record('mail', done)
  await recorder.write()
  ctx.clock.advance(72 * 3_600_000)
  await deleteOldRuns(ctx)
  expect(await selectRuns(db, all)).toHaveLength(1)
  ctx.clock.advance(1)
  await deleteOldRuns(ctx)
  expect(await selectRuns(db, all)).toEqual([])
})
