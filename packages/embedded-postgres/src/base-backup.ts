import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { chmod, mkdir, open, readdir } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { walDirectory } from './archive.ts'
import { run } from './command.ts'
import { EmbeddedPostgresError } from './error.ts'
import { findPostmaster } from './postmaster.ts'
import { addressOf, passwordFile, servingRole, superuser } from './roles.ts'

export interface CopiedFile {
  readonly bytes: number
  readonly sha256: string
}

/** By the path in the backup. */
export type CopiedFiles = Record<string, CopiedFile>

export interface BaseBackup {
  /** By the clock of the database. A restore reaches any moment after `finishedAt`. */
  readonly startedAt: string
  readonly finishedAt: string
  /** The oldest segment of the write-ahead log that a restore reads. */
  readonly firstWal: string
  readonly files: CopiedFiles
}

const stopTimeoutS = 120
const copiesAtOnce = 8

/** Contents that the server writes anew at each start; the directories themselves are part of the backup. */
const emptied = new Set([
  'pg_wal',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const excluded = (name: string): boolean =>
  /^(postmaster\.(pid|opts)|muripo\.conf|pg_internal\.init.*|pgsql_tmp.*|backup_label|tablespace_map)$/.test(
    name,
  )

/** Copies the cluster of a running server into `target`, while the server serves. */
export async function takeBaseBackup(
  dataDir: string,
  backupDir: string,
  target: string,
): Promise<BaseBackup> {
  const cluster = path.join(dataDir, 'postgres')
  const running = findPostmaster(cluster)
  if (!running) throw new EmbeddedPostgresError(`No database runs in ${dataDir}: start Muripo first.`)
  const client = new pg.Client({
    connectionString: addressOf(dataDir, superuser, running, 'postgres'),
    options: `-c idle_session_timeout=0 -c statement_timeout=${stopTimeoutS}s`,
  })
  // Without a listener a lost connection would end the process; the query in progress fails too.
  client.on('error', () => {})
  await client.connect()
  try {
    await refuseWithoutArchive(client, backupDir)
    const started = await one(
      client,
      `select lsn, pg_walfile_name(lsn) as wal, clock_timestamp() as at from pg_backup_start('muripo', fast => true) as lsn`,
    )
    const files: CopiedFiles = {}
    await copyDirectory(cluster, path.join(target, 'postgres'), 'postgres', files)
    for (const role of [superuser, servingRole] as const) {
      const file = passwordFile(dataDir, role)
      const name = path.basename(file)
      files[name] = await copyFile(file, path.join(target, name))
    }
    const stopped = await one(
      client,
      'select labelfile, clock_timestamp() as at from pg_backup_stop(wait_for_archive => true)',
    ).catch((error: unknown) => {
      if ((error as { code?: string }).code !== '57014') throw error
      throw new EmbeddedPostgresError(
        `The write-ahead log does not reach ${walDirectory(backupDir)} within ${stopTimeoutS} s: postgres.log in ${dataDir} contains the reason.`,
      )
    })
    const label = path.join(target, 'postgres/backup_label')
    await writeDurably(label, String(stopped.labelfile))
    files['postgres/backup_label'] = await digest(label)
    return {
      startedAt: (started.at as Date).toISOString(),
      finishedAt: (stopped.at as Date).toISOString(),
      firstWal: String(started.wal),
      files,
    }
  } finally {
    await client.end().catch(() => {})
  }
}

const one = async (client: pg.Client, text: string): Promise<Record<string, unknown>> =>
  (await client.query<Record<string, unknown>>(text)).rows[0] ?? {}

async function refuseWithoutArchive(client: pg.Client, backupDir: string): Promise<void> {
  const { directory } = await one(
    client,
    "select current_setting('basic_archive.archive_directory', true) as directory",
  )
  if (directory !== walDirectory(backupDir)) {
    throw new EmbeddedPostgresError(
      `The running database does not archive its log to ${walDirectory(backupDir)}: start Muripo with this BACKUP_DIR first.`,
    )
  }
}

async function copyDirectory(from: string, to: string, name: string, files: CopiedFiles): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  const waiting: (() => Promise<void>)[] = []
  for (const entry of await entriesOf(from)) {
    if (excluded(entry.name)) continue
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    const entryName = `${name}/${entry.name}`
    if (entry.isDirectory()) {
      if (name === 'postgres' && emptied.has(entry.name)) await mkdir(target, { mode: 0o700 })
      else await copyDirectory(source, target, entryName, files)
    } else if (entry.isFile()) {
      waiting.push(async () => {
        const copied = await copyFile(source, target).catch(ignoreMissing)
        if (copied) files[entryName] = copied
      })
    }
  }
  const next = async (): Promise<void> => {
    for (let copy = waiting.pop(); copy; copy = waiting.pop()) await copy()
  }
  await Promise.all(Array.from({ length: copiesAtOnce }, next))
}

/** A table that is dropped meanwhile takes its files along; the log drops them again. */
function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

const entriesOf = async (directory: string) =>
  (await readdir(directory, { withFileTypes: true }).catch(ignoreMissing)) ?? []

/** Copies a file, readable only by its owner. */
export async function copyFile(from: string, to: string): Promise<CopiedFile> {
  const hash = createHash('sha256')
  let bytes = 0
  const source = createReadStream(from)
  await once(source, 'open')
  const target = await open(to, 'w', 0o600)
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
      await target.writeFile(chunk)
    }
  } finally {
    await target.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

export async function digest(file: string): Promise<CopiedFile> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

export async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await chmod(file, 0o600)
}

/** Flushes everything below a directory; with thousands of files this is faster than to flush each. */
export async function syncTree(directory: string): Promise<void> {
  const flushed = await run('sync', process.platform === 'linux' ? ['-f', directory] : [])
  if (flushed.code !== 0)
    throw new EmbeddedPostgresError(`${directory} cannot be flushed: ${flushed.stderr.trim()}`)
}

export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
