import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connectionsFor } from '@muripo/rig/fleet'
import { type Environment, type GatewayProcess, launch } from '@muripo/rig/gateway'
import pg from 'pg'
import { connectToNodes, ofOneNode, type Sessions } from '../../scripts/lib/citus/sessions.ts'
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

/** Connections of pgbench. */
const OTHER_CONNECTIONS = 80

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
  const all = { ...settings, ...(processes > 1 && connectionsFor(processes, OTHER_CONNECTIONS)) }
  if (Object.keys(all).length > 0) await alterSystem(directory, all)
  return startOn(directory, environment, processes)
}

async function startOn(
  directory: string,
  environment: Environment,
  processes: number,
  cluster: ClusterDatabase | null = null,
): Promise<Gateway> {
  const children: GatewayProcess[] = []
  const serve = async (more: Environment = {}) => {
    const child = await launch({
      dataDir: directory,
      tree: repository,
      log: 'inherit',
      environment: { RATE_LIMITS: '1000000', ...environment, ...more },
    })
    children.push(child)
    await child.ready()
  }
  const stop = async () => {
    // The first process stops the database of the others.
    const [first, ...others] = children
    await Promise.all(others.map((child) => child.stop()))
    await first?.stop()
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
    const ports = children.map(({ url }) => Number(new URL(url).port))
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
