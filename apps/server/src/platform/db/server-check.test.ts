import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PrivateCluster, startPrivateCluster } from '../../../test/private-cluster.ts'
import { checkServer, problemsOf, requirements, ServerError } from './server-check.ts'

let cluster: PrivateCluster
/** A session of a role without superuser rights, as a gateway should have. */
let url: string

beforeAll(async () => {
  cluster = await startPrivateCluster({ checksums: false })
  await cluster.execute("create role ordinary login password 'ordinary'")
  const ordinary = new URL(cluster.url)
  ordinary.username = 'ordinary'
  ordinary.password = 'ordinary'
  url = ordinary.href
})
afterAll(() => cluster.stop())

const linesOf = async (ofUrl = url) => (await checkServer(ofUrl, 'development')).toSorted()
const refusalOf = (ofUrl = url) =>
  checkServer(ofUrl, 'production').then(
    () => null,
    (error: unknown) => (error instanceof ServerError ? error.message.split('\n') : String(error)),
  )

/** The only requirement that the embedded cluster of this file does not meet. */
const withoutChecksums = expect.stringMatching(/^The database has data_checksums = off: enable it with /)

test('a server without checksums is warned of and starts in production', async () => {
  expect(await linesOf()).toEqual([withoutChecksums])
  expect(await checkServer(url, 'production')).toEqual([withoutChecksums])
})

describe.each([
  ['fsync', 'off', 'refuse'],
  ['full_page_writes', 'off', 'refuse'],
  ['synchronous_commit', 'off', 'refuse'],
  ['synchronous_commit', 'local', 'refuse'],
  ['default_transaction_isolation', 'serializable', 'refuse'],
  ['TimeZone', 'Africa/Harare', 'warn'],
  ['log_parameter_max_length', '-1', 'warn'],
  ['log_parameter_max_length_on_error', '100', 'warn'],
  ['log_error_verbosity', 'default', 'warn'],
] as const)('a server with %s = %s', (name, value, otherwise) => {
  beforeAll(() => cluster.set({ [name]: value }))
  afterAll(() => cluster.reset(name))

  test(`is named in one line, and production ${otherwise === 'refuse' ? 'refuses it' : 'warns of it'}`, async () => {
    const line = expect.stringMatching(new RegExp(`^The database has ${name} = ${value}: set it to .+[^.]$`))
    const lines = await linesOf()
    expect(lines).toHaveLength(2)
    expect(lines).toContainEqual(line)
    expect(await refusalOf()).toEqual(otherwise === 'refuse' ? [line] : null)
  })
})

test('stronger commits, and logs that hold no statement, are accepted', async () => {
  await cluster.set({
    synchronous_commit: 'remote_apply',
    log_parameter_max_length: '-1',
    log_min_duration_statement: '-1',
  })
  expect(await linesOf()).toEqual([withoutChecksums])
  await cluster.reset('synchronous_commit', 'log_parameter_max_length', 'log_min_duration_statement')
})

test('a role that disabled a setting for itself is refused, and all refusals are reported together', async () => {
  await cluster.execute('alter role ordinary set synchronous_commit = off')
  await cluster.execute('alter role ordinary set default_transaction_read_only = on')
  expect(await refusalOf()).toEqual([
    expect.stringContaining('synchronous_commit = off'),
    expect.stringContaining('default_transaction_read_only = on'),
  ])
  await cluster.execute('alter role ordinary reset all')
})

test('a superuser that serves is refused in production and warned of in development', async () => {
  const line = expect.stringMatching(
    /superuser = on: serve with a role of its own: set MIGRATE_DATABASE_URL /,
  )
  expect(await refusalOf(cluster.url)).toEqual([line])
  expect(await linesOf(cluster.url)).toEqual([withoutChecksums, line])
})

test('a server that continues after a failed write is refused', async () => {
  await cluster.set({ data_sync_retry: 'on' })
  await cluster.restart()
  expect(await refusalOf(url)).toEqual([expect.stringContaining('data_sync_retry = on')])
})

test('a version before 15, and a setting that the server does not report, are refused by name', () => {
  expect(problemsOf({ server_version_num: '140012' })).toEqual(
    requirements.map(({ name, otherwise }) => ({ name, otherwise, line: expect.stringContaining(name) })),
  )
})
