import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readOptions } from './options.ts'

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
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
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
