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
import { accountFor, giveTo } from './embedded-account.ts'
import type { Binaries } from './embedded-binaries.ts'
import { type Account, type Finished, run } from './embedded-command.ts'
import { EmbeddedPostgresError } from './embedded-error.ts'
import { passwordFile, superuser } from './embedded-password.ts'
import { findPostmaster } from './embedded-postmaster.ts'
import { settingsFile, writeSettings } from './embedded-settings.ts'

/** One database cluster on disk and the programs that work on it. */
export interface Cluster {
  readonly directory: string
  readonly logFile: string
  readonly binaries: Binaries
  readonly account: Account
}

const maxLogBytes = 10 * 1024 * 1024
const startTimeoutS = 120
const stopTimeoutS = 60

/** Opens the cluster of a data directory, and initialises it the first time. */
export async function openCluster(
  dataDir: string,
  binaries: Binaries,
  log: (line: string) => void,
): Promise<Cluster> {
  const directory = path.join(dataDir, 'postgres')
  const logFile = path.join(dataDir, 'postgres.log')
  const account = await accountFor(directory, binaries)
  if (!existsSync(path.join(directory, 'PG_VERSION'))) {
    log('initialising the database')
    await initialise({ directory, logFile, binaries, account }, dataDir)
  }
  refuseOtherVersion(directory)
  return { directory, logFile, binaries, account }
}

/** Starts the postmaster on a port and waits until it answers. */
export async function startPostmaster(cluster: Cluster, port: number): Promise<Finished> {
  const { directory, logFile, binaries, account } = cluster
  writeSettings(directory, port)
  giveTo(account, settingsFile(directory))
  rotate(logFile)
  closeSync(openSync(logFile, 'a', 0o600))
  giveTo(account, logFile)
  const from = statSync(logFile).size
  // pg_ctl makes the postmaster the leader of a session of its own: Ctrl-C in the terminal does not reach it.
  const started = await run(
    binaries.pgCtl,
    ['start', '-D', directory, '-w', '-t', String(startTimeoutS), '-s', '-l', logFile],
    account,
  )
  return { ...started, stderr: `${readFileSync(logFile).subarray(from).toString('utf8')}\n${started.stderr}` }
}

export async function stopPostmaster({ directory, binaries, account }: Cluster): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    // Looked at each time: a lock file that a kill left may name a process that is none of ours.
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
        // In megabytes. Until segments come back from a checkpoint each new one is filled with noughts while a commit waits: 16 take
        // 40 to 80 ms (measured), again and again while a burst grows.
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
    // Lost against another first start: its cluster is as good.
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
