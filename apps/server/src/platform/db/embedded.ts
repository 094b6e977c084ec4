import { mkdirSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { findBinaries } from './embedded-binaries.ts'
import { type Cluster, lastLine, openCluster, startPostmaster, stopPostmaster } from './embedded-cluster.ts'
import { EmbeddedPostgresError } from './embedded-error.ts'
import { takeLock } from './embedded-lock.ts'
import { embeddedUrl, passwordOf, servingRole, superuser } from './embedded-password.ts'
import { findPostmaster, putAsideForeignLock } from './embedded-postmaster.ts'

export interface EmbeddedPostgres {
  /** Of the role that owns everything, for migrations and tests. */
  readonly url: string
  /** Of the role that serves. It has no right to any table until `grantServing` was called. */
  readonly servingUrl: string
  /** Idempotent. The lock on the data directory is held until the database is down. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string
  readonly log: (line: string) => void
  /** The database went away under the running gateway; not called for a stop that was asked for. */
  readonly onLost?: (reason: string) => void
}

const databaseName = 'muripo'
const startPatienceMs = 15_000

/** Starts the PostgreSQL of a data directory and keeps it for this process alone. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = path.resolve(options.dataDir)
  mkdirSync(dataDir, { recursive: true })
  const cluster = await openCluster(dataDir, await findBinaries(), options.log)
  const { lock, port } = await own(cluster, dataDir, options.log)
  await createDatabase(lock)
  await createServingRole(lock, passwordOf(dataDir, servingRole))

  let stopping: Promise<void> | undefined
  lock.on('end', () => {
    if (!stopping) options.onLost?.('the connection to the embedded database was lost')
  })
  const stop = async () => {
    await stopPostmaster(cluster)
    await lock.end().catch(() => {})
  }
  return {
    url: embeddedUrl(dataDir, superuser, port, databaseName),
    servingUrl: embeddedUrl(dataDir, servingRole, port, databaseName),
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

interface Owned {
  readonly lock: pg.Client
  readonly port: number
}

/** Whatever state a kill has left, this ends with a running postmaster whose lock is ours, or refuses. */
async function own(cluster: Cluster, dataDir: string, log: (line: string) => void): Promise<Owned> {
  const giveUpAt = performance.now() + startPatienceMs
  let startedPort: number | undefined
  for (;;) {
    const running = findPostmaster(cluster.directory)
    if (running) {
      const stillRunning = () => findPostmaster(cluster.directory)?.pid === running.pid
      const lock = await takeLock(
        embeddedUrl(dataDir, superuser, running.port, 'postgres'),
        dataDir,
        stillRunning,
      )
      if (!lock) continue
      if (running.port === startedPort) return { lock, port: running.port }
      if (await isOfThisInstallation(cluster, lock)) {
        log('took over the database of a run that was killed')
        return { lock, port: running.port }
      }
      log('restarting the database of a run that was killed')
      await stopPostmaster(cluster)
      await lock.end().catch(() => {})
      continue
    }
    const port = await freePort()
    const started = await startPostmaster(cluster, port)
    if (started.code === 0) {
      startedPort = port
    } else if (performance.now() > giveUpAt || !passes(started.stderr)) {
      throw new EmbeddedPostgresError(
        `The database did not start: ${reason(started.stderr)} (${cluster.logFile})`,
      )
    } else {
      if (putAsideForeignLock(cluster.directory)) log('put aside the lock file of an earlier run')
      await sleep(250)
    }
  }
}

// A postmaster goes on without its program files, but its next sessions find no library any more.
async function isOfThisInstallation({ binaries }: Cluster, lock: pg.Client): Promise<boolean> {
  const { rows } = await lock.query<{ setting: string }>(
    "select setting from pg_config where name = 'BINDIR'",
  )
  return rows[0]?.setting === realpathSync(path.dirname(binaries.postgres))
}

// What goes by itself: the lock of a postmaster killed a moment ago, its last processes, a port taken in between.
const passes = (text: string) =>
  /lock file "[^"]*" already exists|pre-existing shared memory block|could not bind|lock file "[^"]*" is empty/.test(
    text,
  )

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
  // The role came with its primary.
  if (rows[0]?.standby) return
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [servingRole])
  // A statement that takes long is logged with its text.
  await client.query('set log_min_duration_statement = -1')
  const what = rowCount === 0 ? 'create' : 'alter'
  await client.query(
    `${what} role ${servingRole} login nosuperuser nocreatedb nocreaterole password ${client.escapeLiteral(password)}`,
  )
  await client.query('reset log_min_duration_statement')
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Stops the database that a killed gateway has left on a data directory; another gateway's is left alone. */
export async function stopLeftDatabase(dataDirectory: string): Promise<void> {
  const dataDir = path.resolve(dataDirectory)
  const clusterDir = path.join(dataDir, 'postgres')
  const running = findPostmaster(clusterDir)
  if (!running) return
  const stillRunning = () => findPostmaster(clusterDir)?.pid === running.pid
  const lock = await takeLock(
    embeddedUrl(dataDir, superuser, running.port, 'postgres'),
    dataDir,
    stillRunning,
  )
  if (!lock) return
  await stopPostmaster(await openCluster(dataDir, await findBinaries(), () => {}))
  await lock.end().catch(() => {})
}
