import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import { lastBackupFailure } from '../../platform/backup/last-backup.ts'
import { newestBackup } from '../../platform/backup/manifest.ts'
import type { Config } from '../../platform/config.ts'
import type { Environment } from '../../platform/settings.ts'
import { ageText } from '../print.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

const HOUR_MS = 3_600_000
/** A daily backup that has taken some time, or is missing once. */
const WARNED_MS = 26 * HOUR_MS
const REFUSED_MS = 72 * HOUR_MS

/** The age of the newest complete backup: of the embedded database in BACKUP_DIR, or of pgBackRest. */
export async function checkBackups(
  { databaseUrl, backupDir, dataDir }: Pick<Config, 'databaseUrl' | 'backupDir' | 'dataDir'>,
  env: Environment,
  now: Date,
): Promise<Finding> {
  if (databaseUrl !== null) return pgBackRest(env, now)
  if (backupDir === null)
    return warning('backup', 'BACKUP_DIR is not set: no backup of the embedded database is known')
  const failed = await lastBackupFailure(dataDir, now)
  if (failed !== null) return failure('backup', `the last one failed: ${failed}`)
  const newest = await newestBackup(backupDir)
  return newest === null
    ? failure('backup', `there is no complete backup in ${backupDir}`)
    : findingOf(newest, now)
}

const stanzas = z.array(
  z.object({
    name: z.string(),
    backup: z.array(z.object({ timestamp: z.object({ stop: z.number() }) })),
  }),
)

async function pgBackRest(env: Environment, now: Date): Promise<Finding> {
  try {
    const options = { timeout: 15_000, env: { ...env } }
    const { stdout } = await promisify(execFile)('pgbackrest', ['info', '--output=json'], options)
    const times = stanzas
      .parse(JSON.parse(stdout))
      .flatMap(({ backup }) => backup.map(({ timestamp }) => new Date(1000 * timestamp.stop)))
    const newest = newestOf(times)
    return newest === null ? failure('backup', 'pgBackRest has no complete backup') : findingOf(newest, now)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return warning(
        'backup',
        'pgBackRest is not on this machine: look at the age of the backups where the database is',
      )
    return failure('backup', `pgbackrest info failed: ${(error as Error).message.split('\n')[0]}`)
  }
}

const newestOf = (times: readonly Date[]): Date | null =>
  times.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? null

function findingOf(newest: Date, now: Date): Finding {
  const ageMs = now.getTime() - newest.getTime()
  const text = `the newest is of ${newest.toISOString()}, ${ageText(newest, now)} ago`
  if (ageMs > REFUSED_MS) return failure('backup', `${text}: no backup has succeeded for days`)
  return ageMs > WARNED_MS ? warning('backup', `${text}: the last one is missing`) : ok('backup', text)
}
