import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { repository } from '../repository.ts'

/** Programs of the Debian packages patroni, etcd-server, haproxy and postgresql. */
const programs = [
  '/usr/bin/patroni',
  '/usr/bin/etcd',
  '/usr/sbin/haproxy',
  '/usr/lib/postgresql/15/bin/postgres',
]
export const missingPrograms = (): string[] => programs.filter((program) => !existsSync(program))

type Part = 'etcd' | 'patroni'

/** Of Patroni's own list. */
interface Member {
  readonly host: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
}

export interface Node {
  readonly name: string
  readonly host: string
  readonly dataDir: string
  /** Starts what does not run. */
  start(): void
  signal(part: Part, signal: NodeJS.Signals): void
  /** The postmaster, or the postmaster with its children. */
  signalPostgres(signal: NodeJS.Signals, withChildren?: boolean): void
  /** Leaves no byte on the disk of the node, and frees it again. */
  fillDisk(): void
  freeDisk(): void
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

const password = 'failover-drill'
const COMPLETE_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 15_000
/** Of a file system in memory, as large as a database of this drill becomes. */
const SMALL_DISK = '1500m'

/**
 * Three nodes with etcd, Patroni and PostgreSQL, and HAProxy, with the files of `deploy/patroni`, on addresses of this machine only.
 * @param hasSmallDisks each node has a file system of its own, which can be filled; only root can mount it
 */
export async function startCluster(directory: string, { hasSmallDisks = false } = {}): Promise<Cluster> {
  const network = `127.${64 + (process.pid % 128)}.0`
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0
  const [uid, gid] = isRoot ? ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres']))) : []
  const asPostgres = isRoot ? ['--reuid=postgres', '--regid=postgres', '--init-groups'] : []
  chmodSync(directory, 0o755)
  const running = new Map<string, ChildProcess>()
  const mounted: string[] = []

  function folder(name: string): string {
    const made = path.join(directory, name)
    mkdirSync(made, { mode: 0o700 })
    if (hasSmallDisks && name !== 'haproxy') {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK},mode=700`, 'tmpfs', made])
      mounted.push(made)
    }
    if (uid !== undefined && gid !== undefined) chownSync(made, uid, gid)
    return made
  }

  function configure(file: string, nth: number, home: string): string {
    const text = readFileSync(path.join(repository, 'deploy/patroni', file), 'utf8')
      .replace(/^(\s*(?:name|listen.*|.*connect_address|.*advertise.*):.*)$/gm, (line) =>
        line.replace('node1', `node${nth}`).replaceAll('10.0.0.11', `10.0.0.${10 + nth}`),
      )
      .replaceAll('10.0.0.0/24', '127.0.0.0/8')
      .replaceAll('10.0.0.', `${network}.`)
      .replace(/PASSWORD-OF-\w+/g, password)
      .replace('/var/lib/postgresql/15/muripo', path.join(home, 'data'))
      .replace('/var/lib/postgresql/patroni.pgpass', path.join(home, 'pgpass'))
      .replace('/var/lib/etcd/muripo', path.join(home, 'etcd'))
      .replace('/var/run/postgresql', home)
      .replace('mode: automatic', "mode: 'off'")
    const made = path.join(home, file)
    writeFileSync(made, text)
    chmodSync(made, 0o644)
    return made
  }

  const isRunning = (child: ChildProcess | undefined): child is ChildProcess =>
    child !== undefined && child.exitCode === null && child.signalCode === null

  function run(name: string, command: string, ...args: string[]): void {
    if (isRunning(running.get(name))) return
    const log = openSync(path.join(directory, `${name}.log`), 'a')
    const [program, ...rest] = isRoot ? ['setpriv', ...asPostgres, command, ...args] : [command, ...args]
    const options = {
      cwd: directory,
      detached: true,
      stdio: ['ignore', log, log] as ['ignore', number, number],
    }
    running.set(
      name,
      spawn(program as string, rest, { ...options, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } }),
    )
    closeSync(log)
  }

  const nodes = [1, 2, 3].map((nth): Node => {
    const name = `node${nth}`
    const home = folder(name)
    const dataDir = path.join(home, 'data')
    const [etcd, patroni] = ['etcd.yml', 'patroni.yml'].map((file) => configure(file, nth, home)) as [
      string,
      string,
    ]
    return {
      name,
      host: `${network}.${10 + nth}`,
      dataDir,
      start() {
        run(`${name}-etcd`, '/usr/bin/etcd', '--config-file', etcd)
        run(`${name}-patroni`, '/usr/bin/patroni', patroni)
      },
      signal(part, signal) {
        const child = running.get(`${name}-${part}`)
        if (isRunning(child)) child.kill(signal)
      },
      signalPostgres(signal, withChildren = false) {
        const postmaster = postmasterOf(dataDir)
        if (postmaster === null) return
        const children = withChildren ? childrenOf(postmaster) : []
        for (const pid of [postmaster, ...children]) signalIfAlive(pid, signal)
      },
      fillDisk() {
        // It ends with an error, when no space is left.
        spawnSync('dd', ['if=/dev/zero', `of=${path.join(home, 'ballast')}`, 'bs=1M'])
      },
      freeDisk: () => rmSync(path.join(home, 'ballast'), { force: true }),
    }
  })
  const url: Cluster['url'] = (role, database = 'muripo') =>
    `postgres://${role === 'superuser' ? 'postgres' : role}:${password}@${network}.10:5432/${database}`

  async function roleOf({ host }: Node): Promise<string> {
    const answer = await fetch(`http://${host}:8008/cluster`, { signal: AbortSignal.timeout(2000) })
    const { members } = (await answer.json()) as { members: Member[] }
    const own = members.find((member) => member.host === host)
    // A former leader runs on its own timeline until it is rewound, and confirms no commit.
    const timeline = members.find(({ role }) => role === 'leader')?.timeline
    return own && ['running', 'streaming'].includes(own.state) && own.timeline === timeline ? own.role : ''
  }
  const roles = () => Promise.all(nodes.map((node) => roleOf(node).catch(() => '')))

  async function leader(): Promise<Node | null> {
    const answers = await Promise.all(
      nodes.map(({ host }) =>
        fetch(`http://${host}:8008/primary`, { signal: AbortSignal.timeout(1000) })
          .then(({ status }) => status === 200)
          .catch(() => false),
      ),
    )
    return nodes[answers.indexOf(true)] ?? null
  }

  async function stop(): Promise<void> {
    for (const child of running.values()) if (isRunning(child)) child.kill('SIGCONT')
    for (const node of nodes) node.signalPostgres('SIGCONT', true)
    for (const name of [
      'haproxy',
      ...nodes.map((node) => `${node.name}-patroni`),
      ...nodes.map((node) => `${node.name}-etcd`),
    ]) {
      const child = running.get(name)
      if (!isRunning(child)) continue
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await ended
      clearTimeout(deadline)
    }
    for (const node of nodes) node.signalPostgres('SIGKILL')
    for (const each of mounted) execFileSync('umount', ['--lazy', each])
  }

  async function complete(): Promise<Node> {
    const giveUpAt = performance.now() + COMPLETE_TIMEOUT_MS
    for (;;) {
      const found = await roles()
      const at = found.indexOf('leader')
      if (at >= 0 && found.includes('sync_standby') && !found.includes('')) return nodes[at] as Node
      if (performance.now() > giveUpAt)
        throw new Error(`The cluster did not become complete: ${found.join(', ')}; see ${directory}`)
      await sleep(500)
    }
  }

  const cluster: Cluster = {
    nodes,
    url,
    leader,
    complete,
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
    run('haproxy', '/usr/sbin/haproxy', '-db', '-f', configure('haproxy.cfg', 1, folder('haproxy')))
    await complete()
    await createRoles(url('superuser', 'postgres'))
    return cluster
  } catch (error) {
    await stop()
    throw error
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

/** The first line of its lock file, which remains after a kill. */
function postmasterOf(dataDir: string): number | null {
  try {
    const pid = Number(readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
    // Another process may have the number since.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir) ? pid : null
  } catch {
    return null
  }
}

function childrenOf(parent: number): number[] {
  try {
    return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').map(Number)
  } catch {
    return []
  }
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended meanwhile.
  }
}
