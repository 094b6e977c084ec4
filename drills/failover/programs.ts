import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { endOf, isRunning, stopProcess } from '../../scripts/lib/child.ts'
import { repository } from '../../scripts/lib/repository.ts'

export const password = 'failover-drill'
const STOP_TIMEOUT_MS = 15_000
/** The size of a node's file system in memory: a little more than the database of this drill needs. */
const SMALL_DISK = '1500m'

// PostgreSQL refuses to run as root.
const isRoot = process.getuid?.() === 0
const asPostgres = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : []

/** The directories and configurations of a cluster, made of the files of `deploy/patroni`. */
export class ClusterFiles {
  readonly directory: string
  /** The first three numbers of the addresses, all of this machine. */
  readonly network: string
  private readonly hasSmallDisks: boolean
  private readonly owner: readonly [uid: number, gid: number] | null
  private readonly mounted: string[] = []

  constructor(directory: string, network: string, hasSmallDisks: boolean) {
    this.directory = directory
    this.network = network
    this.hasSmallDisks = hasSmallDisks
    const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres']))
    this.owner = isRoot ? [idOf('-u'), idOf('-g')] : null
    chmodSync(directory, 0o755)
  }

  /** Makes the directory of a node or of the proxy. */
  folder(name: string): string {
    const made = path.join(this.directory, name)
    mkdirSync(made, { mode: 0o700 })
    if (this.hasSmallDisks && name !== 'haproxy') {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK},mode=700`, 'tmpfs', made])
      this.mounted.push(made)
    }
    if (this.owner) chownSync(made, ...this.owner)
    return made
  }

  /** Writes a file of `deploy/patroni` with the addresses and directories of one node. */
  configure(file: string, nth: number, home: string): string {
    const text = readFileSync(path.join(repository, 'deploy/patroni', file), 'utf8')
      .replace(/^(\s*(?:name|listen.*|.*connect_address|.*advertise.*):.*)$/gm, (line) =>
        line.replace('node1', `node${nth}`).replaceAll('10.0.0.11', `10.0.0.${10 + nth}`),
      )
      .replaceAll('10.0.0.0/24', '127.0.0.0/8')
      .replaceAll('10.0.0.', `${this.network}.`)
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

  unmount(): void {
    for (const each of this.mounted) execFileSync('umount', ['--lazy', each])
  }
}

/** The running programs of a cluster, with a log file for each. */
export class Programs {
  private readonly directory: string
  private readonly started = new Map<string, ChildProcess>()

  constructor(directory: string) {
    this.directory = directory
  }

  /** Starts a program that does not run. */
  start(name: string, ...command: string[]): void {
    if (this.find(name)) return
    const log = openSync(path.join(this.directory, `${name}.log`), 'a')
    const [program = '', ...args] = [...asPostgres, ...command]
    const child = spawn(program, args, {
      cwd: this.directory,
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
    })
    this.started.set(name, child)
    closeSync(log)
  }

  signal(name: string, signal: NodeJS.Signals): void {
    this.find(name)?.kill(signal)
  }

  /** Lets frozen programs continue. */
  resumeAll(): void {
    for (const name of this.started.keys()) this.signal(name, 'SIGCONT')
  }

  async stop(name: string): Promise<void> {
    const child = this.find(name)
    if (child) await stopProcess(child, endOf(child), STOP_TIMEOUT_MS)
  }

  private find(name: string): ChildProcess | undefined {
    const child = this.started.get(name)
    return child && isRunning(child) ? child : undefined
  }
}
