import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { Figures } from '../metrics/figures.ts'
import { lastBackupFailure } from './last-backup.ts'
import { readLogArchive } from './log-archive.ts'
import { newestBackup } from './manifest.ts'

type Settings = Pick<Config, 'backupDir' | 'databaseUrl' | 'dataDir'>

/** The archive of the log, and the backups of an embedded database. A part that is not configured has no samples. */
export const backupFigures = (db: Database, config: Settings, clock: Clock): Figures => ({
  name: 'backups',
  readsDatabase: true,
  metrics: {
    muripo_log_archive_failing: {
      type: 'gauge',
      help: '1 when the last attempt to archive the log of the database has failed, or its directory is missing',
    },
    muripo_log_archive_waiting_segments: {
      type: 'gauge',
      help: 'Complete segments of the log that are not in the archive',
    },
    muripo_backup_newest_timestamp_seconds: {
      type: 'gauge',
      help: 'Start of the newest complete backup in BACKUP_DIR since 1970; 0 when there is none',
    },
    muripo_backup_failed: { type: 'gauge', help: '1 when the last backup has failed or did not end' },
  },
  async read() {
    const backupDir = config.databaseUrl === null ? config.backupDir : null
    const archive = await readLogArchive(db, backupDir)
    const newest = backupDir === null ? null : await newestBackup(backupDir)
    const failure = await lastBackupFailure(config.dataDir, clock.now())
    return {
      ...((archive.isOn || backupDir !== null) && {
        muripo_log_archive_failing: [{ value: Number(archive.isFailing) }],
        muripo_log_archive_waiting_segments: [{ value: archive.waitingSegments }],
      }),
      ...(backupDir !== null && {
        muripo_backup_newest_timestamp_seconds: [{ value: (newest?.getTime() ?? 0) / 1000 }],
        muripo_backup_failed: [{ value: Number(failure !== null) }],
      }),
    }
  },
})
