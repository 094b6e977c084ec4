import { spawnSync } from 'node:child_process'
import path from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../apps/server/test/test-database.ts'
import { postgresCpu, postmasterOf, processCpu } from '../bench/lib/meter.ts'
import { readOptions } from '../bench/lib/options.ts'
import { inEachGroup, ofOneNode, sumOfGroups } from './lib/citus/sessions.ts'
import { repository } from './lib/repository.ts'

const citus = 'postgres://postgres@127.0.0.1:5541/muripo'

test('with CITUS_URL the bench measures creates and lives there, and nothing else', () => {
  expect(readOptions([], citus)).toMatchObject({
    parts: ['creates', 'lives'],
    cluster: { url: citus, shards: 4 },
  })
  expect(readOptions(['--only', 'lives', '--shards', '8'], citus)).toMatchObject({
    parts: ['lives'],
    cluster: { url: citus, shards: 8 },
  })
  expect(() => readOptions(['--only', 'lists'], citus)).toThrow(
    'only creates and lives can be measured on Citus (CITUS_URL), and not lists',
  )
  for (const option of ['flush-delay', 'payments'])
    expect(() => readOptions([`--${option}`, '1'], citus)).toThrow(`--${option} does not work on Citus`)
})

test('npm run bench refuses other parts with CITUS_URL before it starts anything', () => {
  const main = path.join(repository, 'bench/main.ts')
  const { status, stderr } = spawnSync(process.execPath, [main, '--only', 'webhooks'], {
    env: { PATH: process.env.PATH, CITUS_URL: citus },
    encoding: 'utf8',
  })
  expect(stderr).toBe(
    'No figures: only creates and lives can be measured on Citus (CITUS_URL), and not webhooks\n',
  )
  expect(status).toBe(1)
})

test('without CITUS_URL the bench has a PostgreSQL of its own, and no shards', () => {
  expect(readOptions([])).toMatchObject({
    parts: ['creates', 'lives', 'statements', 'sign-in', 'webhooks', 'memory', 'lists'],
    cluster: null,
  })
  expect(() => readOptions(['--shards', '8'])).toThrow('--shards needs the address of Citus')
})

test('the postmaster of a session is found on this machine, with the processor time of its processes', async () => {
  const client = new pg.Client({ connectionString: (await testDatabase()).url })
  await client.connect()
  try {
    const { rows } = await client.query(
      "select pg_read_file('postmaster.pid') as lines, pg_backend_pid() as pid",
    )
    const postmaster = Number(rows[0].lines.split('\n')[0])
    expect(await postmasterOf(client)).toBe(postmaster)
    expect(postgresCpu(postmaster)).toBeGreaterThan(0)
    expect(postgresCpu(postmaster)).toBeGreaterThanOrEqual(processCpu(rows[0].pid))
    expect(postgresCpu()).toBeNaN()
  } finally {
    await client.end()
  }
})

test('counts of shard groups are added up', async () => {
  const client = new pg.Client({ connectionString: (await testDatabase()).url })
  await client.connect()
  const sessions = ofOneNode(client)
  try {
    const both = { groups: { ...sessions.groups, all: [client, client] as const } }
    const text = 'select 2 as paid, 3 as refused'
    expect(await inEachGroup(both, text)).toEqual([[{ paid: 2, refused: 3 }], [{ paid: 2, refused: 3 }]])
    expect(await sumOfGroups(both, text)).toEqual({ paid: 4, refused: 6 })
  } finally {
    await sessions.end()
  }
})
