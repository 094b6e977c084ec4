import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import { clusterParent } from '@muripo/testing/cluster-parent'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysOf } from '../../test/master-key.ts'
import { listBackups } from '../platform/backup/manifest.ts'
import { systemClock } from '../platform/clock.ts'
import { parseConfig } from '../platform/config.ts'
import { developmentMasterKey } from '../platform/crypto/keys.ts'
import { createFiles } from '../platform/files/files.ts'
import { prepareDatabase } from '../platform/jobs/prepare-database.ts'
import { createLog } from '../platform/log.ts'
import { runCommand } from './run-command.ts'

const directory = mkdtempSync(join(clusterParent(), 'muripo-backup-'))
const dataDir = join(directory, 'data')
const backupDir = join(directory, 'backups')
const env = { MURIPO_DATA: dataDir, BACKUP_DIR: backupDir }
const terminal = { account: 'till', machine: 'counter' }
const admin = (change: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  runCommand(args, { ...terminal, env: { ...env, ...change } })

let database: EmbeddedPostgres
const start = async () => {
  database = await startEmbeddedPostgres({ dataDir, backupDir, log: () => {} })
}

async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

const note = (text: string) => query(`insert into notes values ('${text}')`)
const notes = async () =>
  (await query<{ text: string }>('select text from notes order by 1')).map(({ text }) => text)

/** A moment that no commit shares, by the database's clock. */
async function moment(): Promise<string> {
  await sleep(20)
  const [row] = await query<{ now: Date }>('select clock_timestamp() as now')
  await sleep(20)
  return row?.now.toISOString() ?? ''
}

async function lose(): Promise<void> {
  await query('select pg_switch_wal()')
  // A stop archives the rest of the log.
  await database.stop()
  rmSync(dataDir, { recursive: true })
}

beforeAll(async () => {
  await start()
  await prepareDatabase(database.url, database.servingUrl, createLog('silent'))
  await query('create table notes (text text)')
  developmentMasterKey(dataDir)
})

afterAll(async () => {
  await database?.stop()
  rmSync(directory, { recursive: true, force: true })
})

test('a backup and the archived log restore the database, uploads and master key of any later moment', async () => {
  const key = developmentMasterKey(dataDir)
  const files = createFiles(parseConfig(env), keysOf(key).fileEncryption, systemClock)
  const upload = async (name: string) => {
    const received = await files.receive(
      (async function* () {
        yield Buffer.from(name)
      })(),
      1000,
    )
    await files.keep(name, received)
    await query(
      `insert into documents (id, storage_key, size_bytes, sha256, uploaded_at) values (gen_random_uuid(), '${name}', 5, sha256('x'), now())`,
    )
  }
  await note('in the backup')
  const taken = await admin({}, 'backup')
  expect(taken).toMatchObject({ code: 0, output: expect.stringContaining('Master key  included') })
  await note('before')
  await upload('earlier')
  const to = await moment()
  await note('after')
  await upload('later')
  const refused = await admin({}, 'restore')
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('is not empty') })
  await lose()

  const restored = await admin({}, 'restore', '--to', to)
  expect(restored).toMatchObject({ code: 0, output: expect.stringMatching(/Uploads +1\n/) })
  expect(developmentMasterKey(dataDir)).toEqual(key)
  expect(readdirSync(join(dataDir, 'files'))).toEqual(['earlier'])
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
  await start()
  expect(await notes()).toEqual(['before', 'in the backup'])
  await database.stop()
  rmSync(dataDir, { recursive: true })

  // A restore of another moment does not follow the timeline of the first one.
  expect(await admin({}, 'restore')).toMatchObject({ code: 0 })
  await start()
  expect(await notes()).toEqual(['after', 'before', 'in the backup'])
  expect(readdirSync(join(dataDir, 'files')).sort()).toEqual(['earlier', 'later'])
})

test('a later backup restores the second timeline, with a master key that only its passphrase decrypts', async () => {
  const passphrase = { BACKUP_PASSPHRASE: 'a long enough passphrase' }
  const key = developmentMasterKey(dataDir)
  const { code, output } = await admin(passphrase, 'backup', '--keep', '1')
  expect(output).toContain('encrypted with BACKUP_PASSPHRASE')
  expect(output).toContain('Removed 1 earlier')
  expect(code).toBe(0)
  expect((await admin({}, 'backup', 'list')).output).toContain('encrypted with BACKUP_PASSPHRASE')
  const [backup, ...others] = await listBackups(backupDir)
  expect(others).toEqual([])
  const segments = readdirSync(join(backupDir, 'wal')).filter((name) => /^[0-9A-F]{24}/.test(name))
  const needed = backup?.manifest.firstWal.slice(8) ?? ''
  expect(segments.filter((name) => name.slice(8, 24) < needed)).toEqual([])
  await note('on the second timeline')
  await lose()

  const other = { MURIPO_MASTER_KEY: Buffer.from([...Array(32).keys()]).toString('base64') }
  const refusals: [Record<string, string>, string][] = [
    [{}, 'set BACKUP_PASSPHRASE'],
    [{ BACKUP_PASSPHRASE: 'another long passphrase' }, 'set the right BACKUP_PASSPHRASE'],
    [other, 'is not the key of this backup'],
  ]
  for (const [change, reason] of refusals)
    expect(await admin(change, 'restore')).toMatchObject({ code: 1, output: expect.stringContaining(reason) })
  expect(existsSync(dataDir)).toBe(false)
  expect(await admin(passphrase, 'restore')).toMatchObject({ code: 0 })
  expect(developmentMasterKey(dataDir)).toEqual(key)
  await start()
  expect(await notes()).toContain('on the second timeline')
})

test('times outside of the archive and damaged files are refused, and nothing remains', async () => {
  const future = new Date(Date.now() + 3_600_000).toISOString()
  await lose()
  expect(await admin({}, 'restore', '--to', '2026-01-01T00:00:00Z')).toMatchObject({
    code: 1,
    output: expect.stringContaining('The oldest backup'),
  })
  expect(await admin({}, 'restore', '--to', 'yesterday')).toMatchObject({ code: 2 })
  const passphrase = { BACKUP_PASSPHRASE: 'a long enough passphrase' }
  expect(await admin(passphrase, 'restore', '--to', future)).toMatchObject({
    code: 1,
    output: expect.stringContaining('The archive contains no commit after'),
  })
  expect(readdirSync(dataDir)).toEqual(['postgres.log'])
  expect(await admin({}, 'backup', 'check')).toMatchObject({ code: 0 })
  const newest = (await listBackups(backupDir)).at(-1)
  appendFileSync(join(newest?.directory ?? '', 'postgres/PG_VERSION'), ' ')
  expect(await admin({}, 'backup', 'check')).toMatchObject({
    code: 1,
    output: expect.stringContaining('postgres/PG_VERSION'),
  })
  expect(await admin(passphrase, 'restore')).toMatchObject({
    code: 1,
    output: expect.stringContaining('postgres/PG_VERSION of the backup is damaged'),
  })
})
