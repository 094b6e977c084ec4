import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Owns the cluster and everything in it. A gateway works with it only to migrate. */
export const superuser = 'muripo'
/** Reads and writes rows, and owns nothing. */
export const servingRole = 'muripo_serving'

const files = { [superuser]: 'postgres.password', [servingRole]: 'postgres.serving.password' } as const

type Role = keyof typeof files

/** The file with a role's password, made once; whoever may read the data directory's secrets may read it. */
export function passwordFile(dataDir: string, role: Role): string {
  const file = path.join(dataDir, files[role])
  if (existsSync(file)) return file
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    // A link never replaces: of two first starts at once both go on with the same password.
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

export const embeddedUrl = (dataDir: string, role: Role, port: number, database = 'muripo'): string =>
  `postgres://${role}:${encodeURIComponent(passwordOf(dataDir, role))}@127.0.0.1:${port}/${database}`
