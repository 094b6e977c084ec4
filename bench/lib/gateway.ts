import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findPostmaster } from '@muripo/embedded-postgres/postmaster'
import { addressOf, databaseName, passwordOf, servingRole, superuser } from '@muripo/embedded-postgres/roles'
import pg from 'pg'
import { type Child, startChild } from '../../scripts/lib/child.ts'
import { freePort } from '../../scripts/lib/free-port.ts'
import { repository } from '../../scripts/lib/repository.ts'

export interface Server {
  /** The directory of its socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

export interface Gateway {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Of all processes that serve the API, this one first. */
  readonly ports: readonly number[]
  readonly pids: readonly number[]
  readonly database: Server
  readonly postmasterPid: number
  readonly databaseLog: string
  /** Where files may be put that vanish with it. */
  readonly directory: string
  connect(): Promise<pg.Client>
  stop(options?: { readonly keepsDirectory: boolean }): Promise<void>
}

const stopTimeoutMs = 30_000

/** As docs/operate.md demands for each process; the others are pgbench's. */
const CONNECTIONS_OF_A_PROCESS = 40
const OTHER_CONNECTIONS = 80

export type Environment = Readonly<Record<string, string>>

/**
 * The real gateway process with its own PostgreSQL, on a directory that is removed with it. Its web app must be built.
 * @param settings of PostgreSQL, which take a second start
 * @param processes all but the first serve the API only
 */
export async function startGateway(
  environment: Environment = {},
  settings: Readonly<Record<string, string>> = {},
  processes = 1,
): Promise<Gateway> {
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-bench-'))
  const gateway = await startOn(directory, environment, 1)
  const connections = processes * CONNECTIONS_OF_A_PROCESS + OTHER_CONNECTIONS
  const all = { ...settings, ...(processes > 1 && { max_connections: String(connections) }) }
  if (Object.keys(all).length === 0) return gateway
  const sql = await gateway.connect()
  for (const [name, value] of Object.entries(all)) await sql.query(`alter system set ${name} = '${value}'`)
  await sql.end()
  await gateway.stop({ keepsDirectory: true })
  return startOn(directory, environment, processes)
}

async function startOn(directory: string, environment: Environment, processes: number): Promise<Gateway> {
  const children: Child[] = []
  const ports: number[] = []
  const serve = async (more: Environment = {}) => {
    const port = await freePort()
    ports.push(port)
    const child = startChild('gateway', path.join(repository, 'apps/server/src/main.ts'), {
      PATH: process.env.PATH,
      PORT: String(port),
      MURIPO_DATA: directory,
      RATE_LIMITS: '1000000',
      CALLS_PER_MINUTE_ECOCASH: 'none',
      ...environment,
      ...more,
    })
    children.push(child)
    await ready(child)
  }
  const stop = async ({ keepsDirectory = false } = {}) => {
    // The first process stops the database of the others.
    const [first, ...others] = children
    await Promise.all(others.map((child) => child.stop(stopTimeoutMs)))
    await first?.stop(stopTimeoutMs)
    if (!keepsDirectory) rmSync(directory, { recursive: true, force: true })
  }
  try {
    await serve()
    const postmaster = findPostmaster(path.join(directory, 'postgres'))
    if (!postmaster) throw new Error('the database ended before the gateway was ready')
    const database: Server = {
      host: postmaster.host,
      port: postmaster.port,
      user: superuser,
      password: passwordOf(directory, superuser),
      database: databaseName,
    }
    const address = (role: typeof superuser | typeof servingRole) =>
      addressOf(directory, role, postmaster, databaseName)
    while (children.length < processes)
      await serve({
        ROLE: 'api',
        DATABASE_URL: address(servingRole),
        MIGRATE_DATABASE_URL: address(superuser),
      })
    const [port = 0] = ports
    const pids = children.map((child) => child.process.pid ?? 0)
    return {
      url: `http://127.0.0.1:${port}`,
      port,
      pid: pids[0] ?? 0,
      ports,
      pids,
      database,
      postmasterPid: postmaster.pid,
      databaseLog: path.join(directory, 'postgres.log'),
      directory,
      async connect() {
        const client = new pg.Client({ ...database, application_name: 'bench' })
        client.on('error', () => undefined)
        await client.connect()
        return client
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function ready({ process: child, ended }: Child): Promise<void> {
  child.send({ type: 'web-ready' })
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message: { type: string; message?: string }) => {
      if (message.type === 'ready') resolve()
      if (message.type === 'fatal') reject(new Error(message.message))
    })
    void ended.then(() => reject(new Error('the gateway ended before it was ready')))
  })
}
