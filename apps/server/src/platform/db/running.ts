import path from 'node:path'
import type { Config } from '../config.ts'
import { EmbeddedPostgresError } from './embedded-error.ts'
import { embeddedUrl, servingRole } from './embedded-password.ts'
import { findPostmaster } from './embedded-postmaster.ts'

/** Where the database of a running gateway is: the one that was brought, or the embedded one of its data directory. */
export function runningDatabaseUrl({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl !== null) return databaseUrl
  const running = findPostmaster(path.join(dataDir, 'postgres'))
  if (!running) {
    throw new EmbeddedPostgresError(
      `No gateway runs on ${dataDir}: start it, or say with MURIPO_DATA or DATABASE_URL where it keeps its data.`,
    )
  }
  return embeddedUrl(dataDir, servingRole, running.port)
}
