import { runningServerUrl } from '@muripo/embedded-postgres/embedded-postgres'
import { EmbeddedPostgresError } from '@muripo/embedded-postgres/error'
import type { Config } from '../config.ts'

/** The database of a running gateway: the one of DATABASE_URL, or the embedded one of its data directory. */
export function runningDatabaseUrl({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  const url = databaseUrl ?? runningServerUrl(dataDir)
  if (url !== undefined) return url
  throw new EmbeddedPostgresError(
    `No gateway runs on ${dataDir}: start it, or say with MURIPO_DATA or DATABASE_URL where it keeps its data.`,
  )
}
