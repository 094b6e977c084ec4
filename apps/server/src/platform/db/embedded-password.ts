import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export const superuser = 'muripo'

/** The file with the superuser's password, made once; whoever may read the data directory's secrets may read it. */
export function superuserPasswordFile(dataDir: string): string {
  const file = path.join(dataDir, 'postgres.password')
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

export const superuserPassword = (dataDir: string): string =>
  readFileSync(superuserPasswordFile(dataDir), 'utf8').trim()
