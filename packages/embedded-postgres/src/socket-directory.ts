import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { giveTo } from './account.ts'
import type { Account } from './command.ts'
import { EmbeddedPostgresError } from './error.ts'

/** Part of the socket's name only: each cluster has a directory of its own, so no two sockets meet. */
export const port = 5432

/** `sun_path` without its closing zero byte. */
const maxPathBytes = process.platform === 'linux' ? 107 : 103

export const socketFile = (directory: string): string => path.join(directory, `.s.PGSQL.${port}`)

const fits = (directory: string): boolean => Buffer.byteLength(socketFile(directory)) <= maxPathBytes

/** The directory of a data directory's socket: below it, or in the system's temporary directory when the path would be too long. */
export function socketDirectory(dataDir: string): string {
  const within = path.join(dataDir, 'socket')
  if (fits(within)) return within
  const short = path.join(
    tmpdir(),
    `muripo-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`,
  )
  if (fits(short)) return short
  throw new EmbeddedPostgresError(
    `A socket's path has at most ${maxPathBytes} bytes, which neither ${within} nor ${short} leaves room for: choose a shorter MURIPO_DATA or TMPDIR.`,
  )
}

/** Only the account of the server enters it, so no other account can listen there or connect. */
export function prepareSocketDirectory(directory: string, account: Account): void {
  try {
    mkdirSync(directory, { mode: 0o700 })
    giveTo(account, directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const found = lstatSync(directory)
  // In a temporary directory another account may have taken the name.
  if (!found.isDirectory() || found.uid !== (account.uid ?? process.getuid?.())) {
    throw new EmbeddedPostgresError(
      `${directory} is needed for the database's socket and belongs to another account: remove it, or choose a shorter MURIPO_DATA.`,
    )
  }
  chmodSync(directory, 0o700)
}
