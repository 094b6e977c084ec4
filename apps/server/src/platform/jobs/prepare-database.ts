import { migrate } from '../db/migrate.ts'
import { grantServing, readRole } from '../db/serving-role.ts'
import type { Log } from '../log.ts'

/** Migrates the database as its owner, and grants the serving role its rights. */
export async function prepareDatabase(ownerUrl: string, servingUrl: string, log: Log): Promise<void> {
  await migrate(ownerUrl, { log: (line) => log.info(line) })
  const serving = await readRole(servingUrl)
  const { name: ownerName } = await readRole(ownerUrl)
  if (serving.name !== ownerName) return grantServing(ownerUrl, serving.name)
  if (serving.ownsTables)
    log.warn(
      `The database role ${serving.name} serves and owns the tables: set MIGRATE_DATABASE_URL to the address of an owner, and DATABASE_URL to that of a role that owns nothing`,
    )
}
