import { stat } from 'node:fs/promises'
import { walDirectory } from '@muripo/embedded-postgres/archive'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** The state of the archive of the write-ahead log. */
export interface LogArchive {
  /** The server archives its log. */
  readonly isOn: boolean
  /** The last attempt to archive has failed, or cannot succeed. */
  readonly isFailing: boolean
  readonly failedAt: Date | null
  readonly archivedAt: Date | null
  /** Complete segments that are not in the archive. An archive that hangs reports no failure. */
  readonly waitingSegments: number
}

/**
 * Reads the state of the archive.
 * @param backupDir the directory of backups of an embedded database, else null
 */
export async function readLogArchive(db: Database, backupDir: string | null): Promise<LogArchive> {
  const { rows } = await sql<{
    on: boolean
    failed_at: Date | null
    archived_at: Date | null
    waiting: number
  }>`
    select current_setting('archive_mode') <> 'off' as on, last_failed_time as failed_at, last_archived_time as archived_at,
      case when pg_is_in_recovery() or last_archived_wal !~ '^[0-9A-F]{24}' then 0
        else greatest(0, ${segmentNumber(sql`pg_walfile_name(pg_current_wal_lsn())`)} - ${segmentNumber(sql`last_archived_wal`)} - 1)
      end::int as waiting
    from pg_stat_archiver`.execute(db.kysely)
  const [row] = rows
  const failedAt = row?.failed_at ?? null
  const archivedAt = row?.archived_at ?? null
  const isOn = row?.on ?? false
  const hasFailed = failedAt !== null && (archivedAt === null || failedAt > archivedAt)
  const isMissing = backupDir !== null && !(await isDirectory(walDirectory(backupDir)))
  return {
    isOn,
    isFailing: (isOn && hasFailed) || isMissing || (backupDir !== null && !isOn),
    failedAt,
    archivedAt,
    waitingSegments: row?.waiting ?? 0,
  }
}

/** The digits of a segment's name after its timeline: a file of 4 GiB of log, and the segment in it. */
const segmentNumber = (name: ReturnType<typeof sql>) => sql`
  (('x' || substr(${name}, 9, 8))::bit(32)::bigint * (4294967296 / pg_size_bytes(current_setting('wal_segment_size')))
    + ('x' || substr(${name}, 17, 8))::bit(32)::bigint)`

const isDirectory = (directory: string): Promise<boolean> =>
  stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  )
