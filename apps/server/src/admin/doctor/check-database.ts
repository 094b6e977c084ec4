import type { Config } from '../../platform/config.ts'
import { createDatabase } from '../../platform/db/database.ts'
import { ClockSkewError, createDatabaseClock, MOST_SKEW_MS } from '../../platform/db/database-time.ts'
import { pendingMigrations } from '../../platform/db/migrate.ts'
import { serverProblems } from '../../platform/db/server-check.ts'
import { createLog } from '../../platform/log.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

/** Settings that refuse the start in production weaken a development gateway only. */
export async function checkSettings(url: string, { mode }: Pick<Config, 'mode'>): Promise<Finding[]> {
  const problems = await serverProblems(url)
  if (problems.length === 0) return [ok('database', 'reached, with the settings that the gateway requires')]
  return problems.map(({ line, otherwise }) =>
    (otherwise === 'refuse' && mode === 'production' ? failure : warning)('database', line),
  )
}

export async function checkMigrations(url: string): Promise<Finding> {
  const pending = await pendingMigrations(url)
  if (pending.length === 0) return ok('migrations', 'the database has the schema of this version')
  return failure(
    'migrations',
    `${pending.length} are pending, from ${pending[0]} on: start this version of the gateway`,
  )
}

const WARNED_SKEW_MS = MOST_SKEW_MS / 4

export async function checkClock(url: string): Promise<Finding> {
  const db = createDatabase(url, { maxConnections: 1 })
  try {
    const clock = await createDatabaseClock(db.pool, createLog('silent'))
    const skewMs = Math.round(clock.skewMs())
    const text = `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} the database's`
    return Math.abs(skewMs) > WARNED_SKEW_MS
      ? warning('clock', `${text}: synchronise both with NTP`)
      : ok('clock', text)
  } catch (error) {
    if (error instanceof ClockSkewError) return failure('clock', error.message)
    throw error
  } finally {
    await db.close()
  }
}
