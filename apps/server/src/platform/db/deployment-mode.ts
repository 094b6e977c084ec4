import type { KeyMode } from '../settings.ts'
import type { Database } from './database.ts'

/** The database belongs to the other mode. */
export class DeploymentModeError extends Error {}

/** The mode of the database; null before its gateway's first start. */
export async function modeOf(db: Database): Promise<KeyMode | null> {
  const recorded = await db.kysely.selectFrom('deployment').select('mode').executeTakeFirst()
  return (recorded?.mode as KeyMode | undefined) ?? null
}

/**
 * Records the mode of a new database, or checks it.
 * @throws DeploymentModeError
 */
export async function recordMode(db: Database, mode: KeyMode): Promise<void> {
  await db.kysely
    .insertInto('deployment')
    .values({ mode })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const recorded = await db.kysely.selectFrom('deployment').select('mode').executeTakeFirstOrThrow()
  if (recorded.mode === mode) return
  throw new DeploymentModeError(
    `This database is of a gateway in ${recorded.mode} mode, and MODE is ${mode}: simulated and real money are never kept together. Set MODE=${recorded.mode}, or give this gateway a database of its own`,
  )
}
