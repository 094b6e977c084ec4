import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { archiveSettings, prepareArchive } from './archive.ts'
import { findBinaries } from './binaries.ts'
import { type Cluster, lastLine, openCluster, startPostmaster, stopPostmaster } from './cluster.ts'
import { EmbeddedPostgresError } from './error.ts'
import type { GuardedServer } from './guard.ts'
import { acquireLock } from './lock.ts'
import { refuseOtherServers } from './open-servers.ts'
import { findPostmaster, type Postmaster, putAsideForeignLocks } from './postmaster.ts'
import { addressOf, databaseName, passwordOf, servingRole, superuser } from './roles.ts'
import { socketFile } from './socket-directory.ts'

export interface EmbeddedPostgres {
  /** Of the role that owns everything. */
  readonly url: string
  /** Of the role that owns nothing, and has no right to any table until its owner grants one. */
  readonly servingUrl: string
  /** Idempotent. The lock on the data directory is held until the database is down. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string
  /** The write-ahead log is archived below this directory; undefined: it is not. */
  readonly backupDir?: string | undefined
  readonly log: (line: string) => void
  /** The server ended without `stop`. */
  readonly onLost?: (reason: string) => void
}

const startTimeoutMs = 15_000
const claimTimeoutMs = 300

/** Starts the PostgreSQL of a data directory and keeps it for this process alone. It ends with this process, also when that is killed. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = path.resolve(options.dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  await refuseOtherServers(path.join(dataDir, 'postgres'))
  const cluster = await openCluster(dataDir, await findBinaries(), options.log)
  if (options.backupDir !== undefined) await prepareArchive(cluster, options.backupDir)
  const { lock, running, server } = await ownServer(cluster, dataDir, options)
  await createDatabase(lock)
  await createServingRole(lock, passwordOf(dataDir, servingRole))

  let stopping: Promise<void> | undefined
  lock.on('end', () => {
    if (!stopping) options.onLost?.('the connection to the embedded database was lost')
  })
  const stop = async () => {
    await stopPostmaster(cluster)
    await server.ended
    await lock.end().catch(() => {})
  }
  return {
    url: addressOf(dataDir, superuser, running, databaseName),
    servingUrl: addressOf(dataDir, servingRole, running, databaseName),
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

interface Owned {
  readonly lock: pg.Client
  readonly running: Postmaster
  readonly server: GuardedServer
}

/** Returns a running postmaster whose lock is held, whatever state a kill has left; throws when another process holds it. */
async function ownServer(
  cluster: Cluster,
  dataDir: string,
  { log, backupDir }: EmbeddedPostgresOptions,
): Promise<Owned> {
  const giveUpAt = performance.now() + startTimeoutMs
  let server: GuardedServer | undefined
  let unclaimed: number | undefined
  for (;;) {
    const running = findPostmaster(cluster.directory)
    if (running) {
      const lock = await lockOf(cluster.directory, dataDir, running)
      if (!lock) continue
      if (server?.pid === running.pid) return { lock, running, server }
      if (unclaimed === running.pid) {
        // It has no guard of this process, and may be of another installation or archive elsewhere.
        log('restarting the database of a run that was killed')
        await stopPostmaster(cluster)
      }
      await lock.end().catch(() => {})
      // The process that has just started it may be about to take the lock.
      if (unclaimed !== running.pid) await sleep(claimTimeoutMs)
      unclaimed = running.pid
      continue
    }
    const started = await startPostmaster(cluster, archiveSettings(backupDir))
    if (started.isReady) {
      server = started.server
    } else if (performance.now() > giveUpAt || !isTransient(started.output)) {
      throw new EmbeddedPostgresError(
        `The database did not start: ${reason(started.output)} (${cluster.logFile})`,
      )
    } else {
      if (putAsideForeignLocks(cluster.directory, `${socketFile(cluster.socketDir)}.lock`))
        log('put aside the lock file of an earlier run')
      await sleep(250)
    }
  }
}

// The lock and the last processes of a postmaster that was killed a moment ago.
const isTransient = (text: string) =>
  /lock file "[^"]*" already exists|pre-existing shared memory block|lock file "[^"]*" is empty/.test(text)

const reason = (text: string): string => {
  const fatal = text.split('\n').findLast((line) => /FATAL|PANIC/.test(line))
  return fatal?.replace(/^.*(FATAL|PANIC):\s*/, '') ?? lastLine(text)
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName])
  if (rowCount === 0) await client.query(`create database ${databaseName}`)
}

async function createServingRole(client: pg.Client, password: string): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  // A standby gets the role from its primary.
  if (rows[0]?.standby) return
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [servingRole])
  // A slow statement is logged with its text, here a password.
  await client.query('set log_min_duration_statement = -1')
  const what = rowCount === 0 ? 'create' : 'alter'
  await client.query(
    `${what} role ${servingRole} login nosuperuser nocreatedb nocreaterole password ${client.escapeLiteral(password)}`,
  )
  await client.query('reset log_min_duration_statement')
}

async function lockOf(
  clusterDir: string,
  dataDir: string,
  running: Postmaster,
): Promise<pg.Client | undefined> {
  const isStillRunning = () => findPostmaster(clusterDir)?.pid === running.pid
  return acquireLock(addressOf(dataDir, superuser, running, 'postgres'), dataDir, isStillRunning)
}

/** The address of a running server of a data directory, for the role that owns nothing. */
export function runningServerUrl(dataDirectory: string): string | undefined {
  const dataDir = path.resolve(dataDirectory)
  const running = findPostmaster(path.join(dataDir, 'postgres'))
  return running && addressOf(dataDir, servingRole, running, databaseName)
}

/** Stops the server that a killed process has left on a data directory; a server whose process runs stays. */
export async function stopOrphanedServer(dataDirectory: string): Promise<void> {
  const dataDir = path.resolve(dataDirectory)
  const clusterDir = path.join(dataDir, 'postgres')
  const running = findPostmaster(clusterDir)
  if (!running) return
  const lock = await lockOf(clusterDir, dataDir, running)
  if (!lock) return
  await stopPostmaster(await openCluster(dataDir, await findBinaries(), () => {}))
  await lock.end().catch(() => {})
}
