import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findPostmaster } from '@muripo/embedded-postgres/postmaster'
import { addressOf, databaseName, passwordOf, servingRole, superuser } from '@muripo/embedded-postgres/roles'
import pg from 'pg'
import { type Child, startChild } from '../../scripts/lib/child.ts'
import { connectToNodes, ofOneNode, type Sessions } from '../../scripts/lib/citus/sessions.ts'
import { freePort } from '../../scripts/lib/free-port.ts'
import { repository } from '../../scripts/lib/repository.ts'
import { type ClusterDatabase, createClusterDatabase } from './database.ts'
import type { Cluster } from './options.ts'

export interface Server {
  /** The directory of its socket, or a name. */
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
  /** Of each node of the database; none when one is on another machine. */
  readonly postmasterPids: readonly number[]
  /** Null on Citus, whose nodes write their logs elsewhere. */
  readonly databaseLog: string | null
  /** Where files may be put that vanish with it. */
  readonly directory: string
  /** A session of the database, on Citus of the coordinator. */
  connect(): Promise<pg.Client>
  connectToNodes(): Promise<Sessions>
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
 * @param cluster null for a PostgreSQL of its own; settings do not change the servers of a cluster
 */
export async function startGateway(
  environment: Environment = {},
  settings: Readonly<Record<string, string>> = {},
  processes = 1,
  cluster: Cluster | null = null,
): Promise<Gateway> {
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-bench-'))
  if (cluster) return startOn(directory, environment, processes, await createClusterDatabase(cluster))
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

async function startOn(
  directory: string,
  environment: Environment,
  processes: number,
  cluster: ClusterDatabase | null = null,
): Promise<Gateway> {
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
    await cluster?.drop()
    if (!keepsDirectory) rmSync(directory, { recursive: true, force: true })
  }
  try {
    await serve(cluster ? { DATABASE_URL: cluster.url } : {})
    const { database, postmasterPids, addresses } = cluster ? onCluster(cluster) : embedded(directory)
    while (children.length < processes) await serve({ ROLE: 'api', ...addresses })
    const connect = async () => {
      const client = new pg.Client({ ...database, application_name: 'bench' })
      client.on('error', () => undefined)
      await client.connect()
      return client
    }
    const [port = 0] = ports
    const pids = children.map((child) => child.process.pid ?? 0)
    return {
      url: `http://127.0.0.1:${port}`,
      port,
      pid: pids[0] ?? 0,
      ports,
      pids,
      database,
      postmasterPids,
      databaseLog: cluster ? null : path.join(directory, 'postgres.log'),
      directory,
      connect,
      connectToNodes: async () => (cluster ? connectToNodes(cluster.url) : ofOneNode(await connect())),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The server of a gateway, and the addresses that its further processes use. */
interface ServerOfGateway {
  readonly database: Server
  readonly postmasterPids: readonly number[]
  readonly addresses: Environment
}

function embedded(directory: string): ServerOfGateway {
  const postmaster = findPostmaster(path.join(directory, 'postgres'))
  if (!postmaster) throw new Error('the database ended before the gateway was ready')
  const address = (role: typeof superuser | typeof servingRole) =>
    addressOf(directory, role, postmaster, databaseName)
  return {
    database: {
      host: postmaster.host,
      port: postmaster.port,
      user: superuser,
      password: passwordOf(directory, superuser),
      database: databaseName,
    },
    postmasterPids: [postmaster.pid],
    addresses: { DATABASE_URL: address(servingRole), MIGRATE_DATABASE_URL: address(superuser) },
  }
}

function onCluster({ url, postmasterPids }: ClusterDatabase): ServerOfGateway {
  const { hostname, port, username, password, pathname } = new URL(url)
  return {
    database: {
      host: hostname,
      port: Number(port || 5432),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: pathname.slice(1),
    },
    postmasterPids,
    addresses: { DATABASE_URL: url },
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
