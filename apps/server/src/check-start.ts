import { mkdir, stat, statfs, unlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import type { Config } from './platform/config.ts'
import { sqlState } from './platform/db/failures.ts'

type Checked = Pick<Config, 'dataDir' | 'databaseUrl' | 'host' | 'port' | 'metricsHost' | 'metricsPort'>

/** A directory or a disk that a gateway cannot use, as one sentence with its remedy. */
export class DataDirectoryError extends Error {}

/**
 * Refuses a start that would fail later, before anything is started or written: an address that this process cannot listen on, and a data
 * directory that it cannot use.
 * @throws DataDirectoryError, or the error of `listen`
 */
export async function checkStart(config: Checked): Promise<void> {
  await checkAddress(config.host, config.port)
  if (config.metricsPort !== null) await checkAddress(config.metricsHost, config.metricsPort)
  await checkDataDirectory(config)
}

/** Listens for a moment. */
function checkAddress(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen({ host, port }, () => server.close(() => resolve()))
  })
}

/** The files of an empty database and its first log. */
const EMPTY_DATABASE_BYTES = 200 * 1024 * 1024

async function checkDataDirectory({ dataDir, databaseUrl }: Checked): Promise<void> {
  try {
    await makeDirectory(dataDir)
    const probe = path.join(dataDir, `.probe-${process.pid}`)
    await writeFile(probe, 'x')
    await unlink(probe)
  } catch (error) {
    throw new DataDirectoryError(`MURIPO_DATA ${dataDir} ${problemOf(error)}`)
  }
  const { bavail, bsize } = await statfs(dataDir)
  if (databaseUrl === null && bavail * bsize < EMPTY_DATABASE_BYTES)
    throw new DataDirectoryError(
      `The disk of MURIPO_DATA ${dataDir} is nearly full: the embedded database needs 200 MB of free space`,
    )
}

/** The recursive form of Node's `mkdir` never ends in a file system that makes no directories, such as /proc. */
async function makeDirectory(directory: string): Promise<void> {
  const make = () => mkdir(directory, { mode: 0o700 })
  try {
    await make()
  } catch (error) {
    if (sqlState(error) === 'ENOENT') {
      await makeDirectory(path.dirname(directory))
      await make()
      return
    }
    const exists = await stat(directory).catch(() => null)
    if (!exists?.isDirectory()) throw error
  }
}

function problemOf(error: unknown): string {
  switch (sqlState(error)) {
    case 'EROFS':
      return 'is on a read-only disk: name a directory that can be written'
    case 'EACCES':
    case 'EPERM':
      return 'may not be written by this account: start as the account that owns it, or name another directory'
    case 'EEXIST':
    case 'ENOTDIR':
      return 'is not a directory: name one'
    case 'ENOENT':
      return 'cannot be made there: name a directory on a disk'
    case 'ENOSPC':
    case 'EDQUOT':
      return 'is on a full disk: free some space, or name another directory'
    default:
      return `cannot be used: ${(error as Error).message}`
  }
}
