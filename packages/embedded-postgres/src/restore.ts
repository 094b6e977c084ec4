import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { accountFor, giveTo } from './account.ts'
import { walDirectory } from './archive.ts'
import { readBackupFile } from './backup-files.ts'
import { type CopiedFiles, syncDirectory } from './base-backup.ts'
import { findBinaries } from './binaries.ts'
import { type Cluster, startPostmaster, stopPostmaster, unfinishedRestore } from './cluster.ts'
import type { Account } from './command.ts'
import { EmbeddedPostgresError } from './error.ts'
import { refuseOtherServers } from './open-servers.ts'
import { findPostmaster } from './postmaster.ts'
import { addressOf, databaseName, superuser } from './roles.ts'
import { socketDirectory } from './socket-directory.ts'

export interface RestoreOptions {
  /** Missing, or an empty directory. */
  readonly dataDir: string
  readonly backupDir: string
  /** The directory of one base backup. */
  readonly backup: string
  readonly files: CopiedFiles
  /** Null: to the end of the archive. */
  readonly to: Date | null
  /** Runs on the recovered database as its owner, before the directory gets its name. */
  readonly visit: (ownerUrl: string) => Promise<void>
}

const recoveryPollMs = 100

/** Refuses a directory while the server of an earlier database at this path, or of another restore, still runs. */
export async function refuseOpenDirectory(dataDir: string): Promise<void> {
  for (const directory of [path.join(dataDir, 'postgres'), unfinishedRestore(dataDir)])
    await refuseOtherServers(directory)
}

/**
 * Copies a base backup into an empty data directory, replays the archived log up to a moment, and stops the server. Until it is complete
 * the cluster has another name, so that no start can serve it.
 * @returns the time of the last replayed commit; null when there was none after the base backup
 */
export async function restoreCluster(options: RestoreOptions): Promise<Date | null> {
  const { dataDir, backupDir, backup, files } = options
  const binaries = await findBinaries()
  const directory = unfinishedRestore(dataDir)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const account = await accountFor(directory, binaries)
  const cluster: Cluster = {
    directory,
    logFile: path.join(dataDir, 'postgres.log'),
    socketDir: socketDirectory(dataDir),
    binaries,
    account,
  }
  giveTo(account, directory)
  await copyBack(backup, dataDir, directory, files, account)
  writeFileSync(path.join(directory, 'recovery.signal'), '', { mode: 0o600 })
  giveTo(account, path.join(directory, 'recovery.signal'))
  try {
    // Ready before the end of the recovery, as soon as it answers queries.
    await startPostmaster(cluster, {
      archive_mode: 'off',
      // A link or a pipe is no segment.
      restore_command: ((segment) => `test -f ${segment} && test ! -h ${segment} && cp ${segment} "%p"`)(
        `"${shellQuoted(walDirectory(backupDir))}/%f"`,
      ),
      // A restore beside the running database begins another timeline, which no later restore may follow.
      recovery_target_timeline: 'current',
      recovery_target_action: 'promote',
      // The copied files are flushed at once, and not one by one.
      ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
      ...(options.to && { recovery_target_time: inSettings(options.to) }),
    })
    const lastCommit = await whenRecovered(cluster, dataDir, options)
    await stopPostmaster(cluster)
    announceTimeline(cluster)
    renameSync(directory, path.join(dataDir, 'postgres'))
    await syncDirectory(dataDir)
    return lastCommit
  } catch (error) {
    await stopPostmaster(cluster)
    throw error
  }
}

/** The setting takes no time with a `T` and a `Z`. */
const inSettings = (time: Date): string => time.toISOString().replace('T', ' ').replace('Z', '+00')

async function copyBack(
  backup: string,
  dataDir: string,
  directory: string,
  files: CopiedFiles,
  account: Account,
): Promise<void> {
  const made = new Set<string>()
  const giveDirectory = async (target: string): Promise<void> => {
    if (made.has(target) || target === dataDir) return
    made.add(target)
    await giveDirectory(path.dirname(target))
    await mkdir(target, { recursive: true, mode: 0o700 })
    if (target.startsWith(directory)) giveTo(account, target)
  }
  for (const entry of readdirSync(path.join(backup, 'postgres'), { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory())
      await giveDirectory(
        path.join(directory, path.relative(path.join(backup, 'postgres'), entry.parentPath), entry.name),
      )
  }
  for (const [name, { bytes, sha256 }] of Object.entries(files)) {
    const isOfCluster = name.startsWith('postgres/')
    const target = isOfCluster
      ? path.join(directory, name.slice('postgres/'.length))
      : path.join(dataDir, name)
    await giveDirectory(path.dirname(target))
    const copied = await readBackupFile(backup, name, bytes, target)
    if (copied.bytes !== bytes || copied.sha256 !== sha256)
      throw new EmbeddedPostgresError(
        `${name} of the backup is damaged: its checksum is not that of the manifest.`,
      )
    if (isOfCluster) giveTo(account, target)
  }
}

/** Waits for the end of the recovery. */
async function whenRecovered(
  cluster: Cluster,
  dataDir: string,
  { to, visit }: RestoreOptions,
): Promise<Date | null> {
  for (;;) {
    const running = findPostmaster(cluster.directory)
    if (!running) throw recoveryFailed(cluster, to)
    const client = new pg.Client({ connectionString: addressOf(dataDir, superuser, running, databaseName) })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ recovering: boolean; at: Date | null }>(
        'select pg_is_in_recovery() as recovering, pg_last_xact_replay_timestamp() as at',
      )
      if (rows[0]?.recovering === false) {
        await visit(addressOf(dataDir, superuser, running, databaseName))
        return rows[0].at
      }
    } catch (error) {
      // Refused while the server starts, and ended by a server that stops.
      if (findPostmaster(cluster.directory) && !isOfStart(error)) throw error
    } finally {
      await client.end().catch(() => {})
    }
    await sleep(recoveryPollMs)
  }
}

/** A session that a stopping server ends in the middle of its sign-in has no code. */
const isOfStart = (error: unknown): boolean =>
  /^(57P0[123]|ECONN\w+|ENOENT)$/.test((error as { code?: string }).code ?? '') ||
  (error as Error).message.startsWith('Connection terminated')

function recoveryFailed({ logFile }: Cluster, to: Date | null): EmbeddedPostgresError {
  const log = readFileSync(logFile, 'utf8')
  if (log.includes('recovery ended before configured recovery target was reached')) {
    return new EmbeddedPostgresError(
      `The archive contains no commit after ${to?.toISOString()}: it ends before. Choose an earlier time, or restore to the end without --to.`,
    )
  }
  const fatal = log.split('\n').findLast((line) => /FATAL|PANIC/.test(line))
  return new EmbeddedPostgresError(
    `The database did not recover: ${fatal?.replace(/^.*(FATAL|PANIC):\s*/, '') ?? 'it stopped'} (${logFile})`,
  )
}

/** The next start with an archive copies the history of the new timeline there, so that no other restore takes its number. */
function announceTimeline({ directory, account }: Cluster): void {
  const wal = path.join(directory, 'pg_wal')
  for (const name of readdirSync(wal).filter((each) => each.endsWith('.history'))) {
    const done = path.join(wal, 'archive_status', `${name}.done`)
    const ready = path.join(wal, 'archive_status', `${name}.ready`)
    if (existsSync(done)) continue
    writeFileSync(ready, '', { mode: 0o600 })
    giveTo(account, ready)
  }
}

/** `%` is special to PostgreSQL; the others to the shell between double quotes. */
const shellQuoted = (text: string): string => text.replace(/[\\"$`]/g, '\\$&').replaceAll('%', '%%')
