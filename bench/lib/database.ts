import path from 'node:path'
import { findPostmaster } from '@muripo/embedded-postgres/postmaster'
import { addressOf, databaseName, passwordOf, servingRole, superuser } from '@muripo/embedded-postgres/roles'
import { openDistributedDatabases } from '../../scripts/lib/citus/distributed-databases.ts'
import { connectToNodes } from '../../scripts/lib/citus/sessions.ts'
import { postmasterOf } from './meter.ts'
import type { Cluster } from './options.ts'

export interface DatabaseServer {
  /** The directory of its socket, or a name. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

/** The database of pgbench's own benchmark, beside that of the gateway. */
export const tpcbDatabase = ({ database }: Pick<DatabaseServer, 'database'>): string => `${database}_tpcb`

/** A distributed database on the nodes of Citus, created for one run. */
export interface ClusterDatabase {
  readonly url: string
  /** The postmasters of all nodes; none when a node is on another machine. */
  readonly postmasterPids: readonly number[]
  drop(): Promise<void>
}

export async function createClusterDatabase({ url: address, shards }: Cluster): Promise<ClusterDatabase> {
  const database = `muripo_bench_${process.pid}`
  const databases = await openDistributedDatabases(address, 'muripo_bench')
  try {
    const { url, refusals } = await databases.create(database, shards)
    if (refusals.length > 0) throw new Error(`Citus refused ${refusals.join('\n')}`)
    const sessions = await connectToNodes(url)
    const found = await Promise.all(sessions.nodes.map(postmasterOf))
    await sessions.end()
    return {
      url,
      postmasterPids: found.every((pid) => pid !== undefined) ? found : [],
      drop: () => databases.drop(tpcbDatabase({ database })),
    }
  } catch (error) {
    await databases.drop()
    throw error
  }
}

/** The server of a gateway, and the addresses that its further processes use. */
interface ServerOfGateway {
  readonly database: DatabaseServer
  readonly postmasterPids: readonly number[]
  readonly addresses: Readonly<Record<string, string>>
}

export function embeddedDatabase(directory: string): ServerOfGateway {
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

export function databaseOfCluster({ url, postmasterPids }: ClusterDatabase): ServerOfGateway {
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
