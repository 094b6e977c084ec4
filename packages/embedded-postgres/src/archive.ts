import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { giveTo } from './account.ts'
import type { Cluster } from './cluster.ts'
import { run } from './command.ts'
import { EmbeddedPostgresError } from './error.ts'
import type { Settings } from './settings.ts'

/** The longest time that a commit stays on the disk of the database alone, while there are commits. */
const archiveTimeoutS = 30

/** The directory of the archived write-ahead log below a directory of backups. */
export const walDirectory = (backupDir: string): string => path.join(backupDir, 'wal')

/**
 * Settings that copy each segment of the write-ahead log to the directory of backups. The module of PostgreSQL writes to a
 * temporary name, flushes the file and the directory, and renames; it never replaces a segment with another one.
 */
export function archiveSettings(backupDir: string | undefined): Settings {
  if (backupDir === undefined) return { archive_mode: 'off' }
  return {
    archive_mode: 'on',
    archive_library: 'basic_archive',
    'basic_archive.archive_directory': walDirectory(backupDir),
    archive_timeout: archiveTimeoutS,
  }
}

/** Creates the directory of archived segments for the account of the server. */
export async function prepareArchive({ account }: Cluster, backupDir: string): Promise<void> {
  mkdirSync(backupDir, { recursive: true, mode: 0o711 })
  const directory = walDirectory(backupDir)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  chmodSync(directory, 0o700)
  giveTo(account, directory)
  if ((await run('/bin/sh', ['-c', 'cd "$0" && test -w .', directory], account)).code !== 0) {
    throw new EmbeddedPostgresError(
      `The account of the database cannot write to ${directory}: choose a BACKUP_DIR that it can reach, or start Muripo as an ordinary user.`,
    )
  }
}
