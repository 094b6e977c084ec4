import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ServerAddress } from './postmaster.ts'

/** Owns the cluster and everything in it. */
export const superuser = 'muripo'
/** Owns nothing; its rights are granted by the schema's owner. */
export const servingRole = 'muripo_serving'
export const databaseName = 'muripo'

const files = { [superuser]: 'postgres.password', [servingRole]: 'postgres.serving.password' } as const

type Role = keyof typeof files

/** The file with a role's password, created once. */
export function passwordFile(dataDir: string, role: Role): string {
  const file = path.join(dataDir, files[role])
  if (existsSync(file)) return file
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    // A link never replaces a file: two concurrent first starts go on with the same password.
    linkSync(draft, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    unlinkSync(draft)
  }
  return file
}

export const passwordOf = (dataDir: string, role: Role): string =>
  readFileSync(passwordFile(dataDir, role), 'utf8').trim()

/** A host that is a directory is the place of the server's socket; libpq and `pg` read it percent-encoded. */
export const addressOf = (
  dataDir: string,
  role: Role,
  { host, port }: ServerAddress,
  database: string,
): string =>
  `postgres://${role}:${encodeURIComponent(passwordOf(dataDir, role))}@${encodeURIComponent(host)}:${port}/${database}`
