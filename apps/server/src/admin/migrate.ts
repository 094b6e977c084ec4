import { parseGatewayConfig } from '../gateway-config.ts'
import { prepareDatabase } from '../platform/jobs/prepare-database.ts'
import { createLog } from '../platform/log.ts'
import type { Environment } from '../platform/settings.ts'
import { type Command, Refused } from './command.ts'

/** With it, no process that serves needs the address of the owner. */
export const migrateCommands: readonly Command[] = [
  {
    words: 'migrate',
    does: 'migrate the database as the owner of MIGRATE_DATABASE_URL, and grant the rights of DATABASE_URL; running processes of this version need no migration',
    runOffline: migrateDatabase,
  },
]

async function migrateDatabase(env: Environment): Promise<string> {
  const { databaseUrl, migrateDatabaseUrl, logLevel } = parseGatewayConfig(env)
  if (databaseUrl === null)
    throw new Refused(
      'The embedded database migrates when its gateway starts. This command needs DATABASE_URL.',
    )
  await prepareDatabase(migrateDatabaseUrl ?? databaseUrl, databaseUrl, createLog(logLevel))
  return 'The database has the schema of this version.'
}
