import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import { clusterParent } from '@muripo/testing/cluster-parent'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { prepareDatabase } from '../platform/jobs/prepare-database.ts'
import { createLog } from '../platform/log.ts'
import { runCommand } from './run-command.ts'

const directory = mkdtempSync(join(clusterParent(), 'muripo-forged-'))
const [dataDir, backupDir, kept] = ['data', 'backups', 'kept'].map((name) => join(directory, name)) as [
  string,
  string,
  string,
]
const masterKey = Buffer.from([...Array(32).keys()]).toString('base64')
const passphrase = 'a long enough passphrase'
const env = { MURIPO_DATA: dataDir, BACKUP_DIR: backupDir, MURIPO_MASTER_KEY: masterKey }
const admin = (change: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  runCommand(args, { account: 'till', machine: 'counter', env: { ...env, ...change } })

beforeAll(async () => {
  const database = await startEmbeddedPostgres({ dataDir, backupDir, log: () => {} })
  try {
    await prepareDatabase(database.url, database.servingUrl, createLog('silent'))
    expect(await admin({ BACKUP_PASSPHRASE: passphrase }, 'backup')).toEqual({
      code: 0,
      output: expect.any(String),
    })
  } finally {
    await database.stop()
  }
  rmSync(dataDir, { recursive: true })
  renameSync(backupDir, kept)
})
afterAll(() => rmSync(directory, { recursive: true }))

/** The only backup, as it was taken. */
let base = ''
beforeEach(() => {
  for (const place of [dataDir, backupDir]) rmSync(place, { recursive: true, force: true })
  execFileSync('cp', ['-a', kept, backupDir])
  const [name = ''] = readdirSync(join(backupDir, 'base'))
  base = join(backupDir, 'base', name)
})

type Json = Record<string, unknown> & { files: Record<string, unknown> }
function rewrite(change: (manifest: Json) => void): void {
  const file = join(base, 'manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Json
  change(manifest)
  writeFileSync(file, JSON.stringify(manifest))
}

const listed = { bytes: 4, sha256: 'a'.repeat(64) }
const version = () => join(base, 'postgres/PG_VERSION')

test('a restore and a check accept what was taken, with the master key or the passphrase of its copy', async () => {
  for (const change of [{}, { MURIPO_MASTER_KEY: '', BACKUP_PASSPHRASE: passphrase }]) {
    const checked = await admin(change, 'backup', 'check')
    expect(checked).toMatchObject({ code: 0 })
    expect(checked.output).not.toContain('not checked')
    expect(await admin(change, 'restore')).toMatchObject({ code: 0 })
    rmSync(dataDir, { recursive: true })
  }
  expect((await admin({ MURIPO_MASTER_KEY: '' }, 'backup', 'check')).output).toContain('not checked')
})

describe('a manifest is refused, and nothing is written,', () => {
  const forgeries: Record<string, [change: () => void, reason: RegExp]> = {
    'with a time of its own': [
      () => rewrite((manifest) => Object.assign(manifest, { finishedAt: '2026-01-01T00:00:00Z' })),
      /wrong signature/,
    ],
    'with another checksum of a changed file': [
      () => {
        writeFileSync(version(), '18\n#')
        const sha256 = createHash('sha256').update('18\n#').digest('hex')
        rewrite(({ files }) => Object.assign(files, { 'postgres/PG_VERSION': { bytes: 4, sha256 } }))
      },
      /wrong signature/,
    ],
    'without its signature': [() => rmSync(join(base, 'manifest.hmac')), /has no signature/],
    'with the signature of another text': [
      () => writeFileSync(join(base, 'manifest.hmac'), 'ab'.repeat(32)),
      /wrong signature/,
    ],
    'of another time under this name': [
      () => {
        renameSync(base, join(backupDir, 'base/20301126T000000000Z'))
        base = join(backupDir, 'base/20301126T000000000Z')
      },
      /manifest of the backup 20301126T000000000Z is damaged/,
    ],
    'that is no JSON': [() => writeFileSync(join(base, 'manifest.json'), '{'), /is damaged/],
    'that is endless': [() => truncateSync(join(base, 'manifest.json'), 1e10), /longer than/],
    'that is a link': [
      () => {
        renameSync(join(base, 'manifest.json'), join(directory, 'elsewhere.json'))
        symlinkSync(join(directory, 'elsewhere.json'), join(base, 'manifest.json'))
      },
      /is a link/,
    ],
  }
  for (const [what, [change, reason]] of Object.entries(forgeries)) {
    test(what, async () => {
      change()
      const { code, output } = await admin({}, 'restore')
      expect(output).toMatch(reason)
      expect(code).toBe(1)
      expect(existsSync(dataDir)).toBe(false)
      if (what !== 'without its signature') expect((await admin({}, 'backup', 'check')).code).toBe(1)
    })
  }

  for (const name of [
    '../../../evil',
    'postgres/../../evil',
    'postgres/./x',
    'postgres//x',
    '/etc/evil',
    'postgres\\..\\evil',
    'postgres/a\nb',
    'postgres/',
    'files/evil',
    'evil',
  ]) {
    test(`with the name ${JSON.stringify(name)}, also when its signature is not checked`, async () => {
      rewrite(({ files }) => Object.assign(files, { [name]: listed }))
      const { code, output } = await admin({}, 'restore', '--unauthenticated')
      expect(output).toMatch(/is damaged/)
      expect(code).toBe(1)
      expect(existsSync(dataDir)).toBe(false)
    })
  }
})

describe('a file of a backup is refused', () => {
  const changes: Record<string, [change: () => void, reason: RegExp]> = {
    'that is a link': [
      () => {
        rmSync(version())
        symlinkSync('/etc/hostname', version())
      },
      /PG_VERSION of the backup is a link/,
    ],
    'below a directory that is a link': [
      () => {
        renameSync(join(base, 'postgres/global'), join(directory, 'global'))
        symlinkSync(join(directory, 'global'), join(base, 'postgres/global'))
      },
      /of the backup is outside of it/,
    ],
    'that is a directory': [
      () => {
        rmSync(version())
        mkdirSync(version())
      },
      /PG_VERSION of the backup is no file/,
    ],
    'that is longer': [() => truncateSync(version(), 1e10), /PG_VERSION of the backup is damaged/],
  }
  for (const [what, [change, reason]] of Object.entries(changes)) {
    test(what, async () => {
      rmSync(join(directory, 'global'), { recursive: true, force: true })
      change()
      expect((await admin({}, 'backup', 'check')).code).toBe(1)
      const { code, output } = await admin({}, 'restore')
      expect(output).toMatch(reason)
      expect(code).toBe(1)
      expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    })
  }
})

test('a backup without a signature is restored with --unauthenticated', async () => {
  rmSync(join(base, 'manifest.hmac'))
  expect(await admin({}, 'restore', '--unauthenticated')).toMatchObject({ code: 0 })
})
