import { walDirectory } from '@muripo/embedded-postgres/archive'
import { readLogArchive } from '../../platform/backup/log-archive.ts'
import type { Config } from '../../platform/config.ts'
import { createDatabase } from '../../platform/db/database.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

/** Segments of 1 MiB with an embedded database, of 16 MiB with most others. */
const WARNED_SEGMENTS = 16

/** The archive of the write-ahead log, without which a restore ends with the newest backup. No line when the database has none. */
export async function checkLogArchive(
  url: string,
  { databaseUrl, backupDir }: Pick<Config, 'databaseUrl' | 'backupDir'>,
): Promise<readonly Finding[]> {
  const ownBackupDir = databaseUrl === null ? backupDir : null
  const db = createDatabase(url, { maxConnections: 1 })
  try {
    const { isOn, isFailing, failedAt, archivedAt, waitingSegments } = await readLogArchive(db, ownBackupDir)
    if (!isOn && ownBackupDir === null) return []
    if (!isOn) return [failure('archive', 'off: restart the gateway with this BACKUP_DIR')]
    const last = `the last segment of the log was archived at ${archivedAt?.toISOString() ?? 'no time'}`
    if (isFailing) {
      const attempt = failedAt === null ? 'the next attempt will fail' : `failed at ${failedAt.toISOString()}`
      const place = ownBackupDir === null ? '' : `: repair ${walDirectory(ownBackupDir)}`
      return [failure('archive', `${attempt}, ${last}${place}; the log of the database contains the reason`)]
    }
    return [
      waitingSegments > WARNED_SEGMENTS
        ? warning('archive', `${waitingSegments} segments wait, ${last}: it is slow or does not answer`)
        : ok('archive', last),
    ]
  } finally {
    await db.close()
  }
}
