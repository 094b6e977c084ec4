import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createNode, type Node } from './node.ts'
import { ClusterFiles, Programs, password } from './programs.ts'

export type { Node } from './node.ts'

/** Programs of the Debian packages patroni, etcd-server, haproxy and postgresql. */
const requiredPrograms = [
  '/usr/bin/patroni',
  '/usr/bin/etcd',
  '/usr/sbin/haproxy',
  '/usr/lib/postgresql/15/bin/postgres',
]
export const missingPrograms = (): string[] => requiredPrograms.filter((program) => !existsSync(program))

/** Of Patroni's own list. */
interface Member {
  readonly host: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
}

export interface Cluster {
  readonly nodes: readonly Node[]
  /** The address of the proxy for a role. */
  url(role: 'superuser' | 'muripo_owner' | 'muripo_serving', database?: string): string
  leader(): Promise<Node | null>
  /** Resolves when there are a leader, a synchronous standby and another standby. */
  complete(): Promise<Node>
  switchOver(from: Node): Promise<void>
  stop(): Promise<void>
}

const COMPLETE_TIMEOUT_MS = 120_000

/**
 * Three nodes with etcd, Patroni and PostgreSQL, and HAProxy, with the files of `deploy/patroni`, on addresses of this machine only.
 * @param hasSmallDisks each node has a file system of its own, which can be filled; only root can mount it
 */
export async function startCluster(directory: string, { hasSmallDisks = false } = {}): Promise<Cluster> {
  const files = new ClusterFiles(directory, `127.${64 + (process.pid % 128)}.0`, hasSmallDisks)
  const programs = new Programs(directory)
  const nodes = [1, 2, 3].map((nth) => createNode(nth, files, programs))
  const url: Cluster['url'] = (role, database = 'muripo') =>
    `postgres://${role === 'superuser' ? 'postgres' : role}:${password}@${files.network}.10:5432/${database}`

  async function stop(): Promise<void> {
    programs.resumeAll()
    for (const node of nodes) node.signalPostgres('SIGCONT', true)
    await programs.stop('haproxy')
    for (const { name } of nodes) await programs.stop(`${name}-patroni`)
    for (const { name } of nodes) await programs.stop(`${name}-etcd`)
    for (const node of nodes) node.signalPostgres('SIGKILL')
    files.unmount()
  }

  const cluster: Cluster = {
    nodes,
    url,
    leader: () => leaderOf(nodes),
    complete: () => complete(nodes, directory),
    async switchOver(from) {
      const answer = await fetch(`http://${from.host}:8008/switchover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ leader: from.name }),
      })
      if (!answer.ok) throw new Error(`The switchover was refused: ${await answer.text()}`)
    },
    stop,
  }
  try {
    for (const node of nodes) node.start()
    const proxy = files.configure('haproxy.cfg', 1, files.folder('haproxy'))
    programs.start('haproxy', '/usr/sbin/haproxy', '-db', '-f', proxy)
    await cluster.complete()
    await createRoles(url('superuser', 'postgres'))
    return cluster
  } catch (error) {
    await stop()
    throw error
  }
}

async function roleOf({ host }: Node): Promise<string> {
  const answer = await fetch(`http://${host}:8008/cluster`, { signal: AbortSignal.timeout(2000) })
  const { members } = (await answer.json()) as { members: Member[] }
  const own = members.find((member) => member.host === host)
  // A former leader runs on its own timeline until it is rewound, and confirms no commit.
  const timeline = members.find(({ role }) => role === 'leader')?.timeline
  return own && ['running', 'streaming'].includes(own.state) && own.timeline === timeline ? own.role : ''
}
async function leaderOf(nodes: readonly Node[]): Promise<Node | null> {
  const answers = await Promise.all(
    nodes.map(({ host }) =>
      fetch(`http://${host}:8008/primary`, { signal: AbortSignal.timeout(1000) })
        .then(({ status }) => status === 200)
        .catch(() => false),
    ),
  )
  return nodes[answers.indexOf(true)] ?? null
}

async function complete(nodes: readonly Node[], directory: string): Promise<Node> {
  const giveUpAt = performance.now() + COMPLETE_TIMEOUT_MS
  for (;;) {
    const found = await Promise.all(nodes.map((node) => roleOf(node).catch(() => '')))
    const at = found.indexOf('leader')
    if (at >= 0 && found.includes('sync_standby') && !found.includes('')) return nodes[at] as Node
    if (performance.now() > giveUpAt)
      throw new Error(`The cluster did not become complete: ${found.join(', ')}; see ${directory}`)
    await sleep(500)
  }
}

async function createRoles(url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
    } catch {
      await sleep(500)
      continue
    }
    await client.query(`create role muripo_owner login password '${password}'`)
    await client.query(`create role muripo_serving login password '${password}'`)
    await client.query('create database muripo owner muripo_owner')
    await client.end()
    return
  }
}
