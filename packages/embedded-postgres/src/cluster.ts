import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountFor, giveTo } from './account.ts'
import type { Binaries } from './binaries.ts'
import { type Account, run } from './command.ts'
import { EmbeddedPostgresError } from './error.ts'
import { type GuardedServer, startGuarded } from './guard.ts'
import { findPostmaster, isReady } from './postmaster.ts'
import { passwordFile, superuser } from './roles.ts'
import { type Settings, settingsFile, writeSettings } from './settings.ts'
import { prepareSocketDirectory, socketDirectory } from './socket-directory.ts'

/** One database cluster on disk and the programs that work on it. */
export interface Cluster {
  readonly directory: string
  readonly logFile: string
  readonly socketDir: string
  readonly binaries: Binaries
  readonly account: Account
}

const maxLogBytes = 10 * 1024 * 1024
const readyPollMs = 20
const stopTimeoutS = 60

/** Opens the cluster of a data directory, and initialises it the first time. */
export async function openCluster(
  dataDir: string,
  binaries: Binaries,
  log: (line: string) => void,
): Promise<Cluster> {
  const directory = path.join(dataDir, 'postgres')
  const logFile = path.join(dataDir, 'postgres.log')
  const socketDir = socketDirectory(dataDir)
  const account = await accountFor(directory, binaries)
  const cluster = { directory, logFile, socketDir, binaries, account }
  if (!existsSync(path.join(directory, 'PG_VERSION'))) {
    refuseUnfinishedRestore(dataDir)
    log('initialising the database')
    await initialise(cluster, dataDir)
  }
  refuseOtherVersion(directory)
  return cluster
}

export interface Started {
  readonly isReady: boolean
  /** The output of the server meanwhile. */
  readonly output: string
  readonly server: GuardedServer
}

/**
 * Starts the postmaster, and waits until it answers or has ended. The wait has no limit: a recovery that is given up begins from its start
 * again.
 */
export async function startPostmaster(cluster: Cluster, settings: Settings = {}): Promise<Started> {
  const { directory, logFile, socketDir, binaries, account } = cluster
  prepareSocketDirectory(socketDir, account)
  writeSettings(directory, socketDir, settings)
  giveTo(account, settingsFile(directory))
  rotate(logFile)
  const log = openSync(logFile, 'a', 0o600)
  giveTo(account, logFile)
  const from = statSync(logFile).size
  const server = await startGuarded([binaries.postgres, '-D', directory], log, account)
  closeSync(log)
  let hasEnded = false
  void server.ended.then(() => {
    hasEnded = true
  })
  while (!hasEnded && !isReady(directory, server.pid)) await sleep(readyPollMs)
  const output = readFileSync(logFile).subarray(from).toString('utf8')
  return { isReady: !hasEnded, output, server }
}

export async function stopPostmaster({ directory, binaries, account }: Cluster): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    // Read each time: a lock file that a kill left may name a process of another program.
    if (!findPostmaster(directory)) return
    await run(
      binaries.pgCtl,
      ['stop', '-D', directory, '-m', mode, '-w', '-t', String(stopTimeoutS), '-s'],
      account,
    )
  }
  if (findPostmaster(directory))
    throw new EmbeddedPostgresError(`The database in ${directory} does not stop.`)
}

// Initialised beside its place and moved there when complete: a kill half way leaves nothing that looks like a
// cluster, and of two first starts at once only one can win.
async function initialise({ directory, binaries, account }: Cluster, dataDir: string): Promise<void> {
  const half = `${directory}.new-${process.pid}`
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith('postgres.new-') && isAbandoned(name))
      rmSync(path.join(dataDir, name), { recursive: true })
  }
  mkdirSync(half, { recursive: true, mode: 0o700 })
  giveTo(account, half)
  const password = `${half}.password`
  writeFileSync(password, readFileSync(passwordFile(dataDir, superuser)), { mode: 0o600 })
  giveTo(account, password)
  try {
    const made = await run(
      binaries.initdb,
      [
        `--pgdata=${half}`,
        `--username=${superuser}`,
        `--pwfile=${password}`,
        // In megabytes. Until a checkpoint recycles segments, PostgreSQL fills each new one with zeroes while a commit waits.
        '--wal-segsize=1',
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--data-checksums',
      ],
      account,
    )
    if (made.code !== 0)
      throw new EmbeddedPostgresError(`The database could not be initialised: ${lastLine(made.stderr)}`)
    chmodSync(half, 0o700)
    renameSync(half, directory)
    syncDirectory(dataDir)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    // Another first start was faster: its cluster is used.
    if (!existsSync(path.join(directory, 'PG_VERSION'))) throw error
  } finally {
    rmSync(password, { force: true })
  }
}

function isAbandoned(name: string): boolean {
  const pid = Number.parseInt(name.slice('postgres.new-'.length), 10)
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The name of a cluster until its restore is complete. */
export const unfinishedRestore = (dataDir: string): string => path.join(dataDir, 'postgres.restoring')

function refuseUnfinishedRestore(dataDir: string): void {
  if (!existsSync(unfinishedRestore(dataDir))) return
  throw new EmbeddedPostgresError(
    `A restore into ${dataDir} did not finish: remove the directory and repeat the restore.`,
  )
}

function refuseOtherVersion(directory: string): void {
  const version = readFileSync(path.join(directory, 'PG_VERSION'), 'utf8').trim()
  if (version !== '18') {
    throw new EmbeddedPostgresError(
      `The database in ${directory} was made by PostgreSQL ${version}, this Muripo brings PostgreSQL 18: move it with pg_dump, or go back to the earlier Muripo.`,
    )
  }
}

function rotate(logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > maxLogBytes) renameSync(logFile, `${logFile}.1`)
}

export const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
