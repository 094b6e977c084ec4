import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { type Child, startChild } from '../../scripts/lib/child.ts'
import { connectToNodes, ofOneNode, type Sessions } from '../../scripts/lib/citus/sessions.ts'
import { freePort } from '../../scripts/lib/free-port.ts'
import { alterSystem } from '../../scripts/lib/postgres.ts'
import { repository } from '../../scripts/lib/repository.ts'
import type { Wallet } from '../lives/wallet.ts'
import {
  type ClusterDatabase,
  createClusterDatabase,
  type DatabaseServer,
  databaseOfCluster,
  embeddedDatabase,
} from './database.ts'
import type { Cluster, Options } from './options.ts'

export interface Gateway {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** The ports of all processes that serve the API, this one first. */
  readonly ports: readonly number[]
  readonly pids: readonly number[]
  readonly database: DatabaseServer
  /** One postmaster for each node of the database; none when a node is on another machine. */
  readonly postmasterPids: readonly number[]
  /** The file of its log. Null on Citus, whose nodes write their logs elsewhere. */
  readonly databaseLog: string | null
  /** A directory for files, which is removed with the gateway. */
  readonly directory: string
  /** Opens a session of the database, on Citus of the coordinator. */
  connect(): Promise<pg.Client>
  connectToNodes(): Promise<Sessions>
  stop(): Promise<void>
}

/** The run of one part of the bench, with a gateway and a database of its own. */
export interface Run {
  readonly gateway: Gateway
  /** The gateway's provider, in the parts that have one. */
  readonly wallet: Wallet
  readonly options: Options
  readonly log: (line: string) => void
}

const stopTimeoutMs = 30_000

/** docs/operate.md demands this number for each process; pgbench uses the others. */
const CONNECTIONS_OF_A_PROCESS = 40
const OTHER_CONNECTIONS = 80

export type Environment = Readonly<Record<string, string>>

/**
 * Starts the real gateway with its own PostgreSQL, on a directory that is removed with it. The web app must be built.
 * @param settings of PostgreSQL
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
  const connections = processes * CONNECTIONS_OF_A_PROCESS + OTHER_CONNECTIONS
  const all = { ...settings, ...(processes > 1 && { max_connections: String(connections) }) }
  if (Object.keys(all).length > 0) await alterSystem(directory, all)
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
  const stop = async () => {
    // The first process stops the database of the others.
    const [first, ...others] = children
    await Promise.all(others.map((child) => child.stop(stopTimeoutMs)))
    await first?.stop(stopTimeoutMs)
    await cluster?.drop()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    await serve(cluster ? { DATABASE_URL: cluster.url } : {})
    const { database, postmasterPids, addresses } = cluster
      ? databaseOfCluster(cluster)
      : embeddedDatabase(directory)
    while (children.length < processes) await serve({ ROLE: 'api', ...addresses })
    const connect = () => connectTo(database)
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

async function connectTo(database: DatabaseServer): Promise<pg.Client> {
  const client = new pg.Client({ ...database, application_name: 'bench' })
  client.on('error', () => undefined)
  await client.connect()
  return client
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
