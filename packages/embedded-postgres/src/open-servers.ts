import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError } from './error.ts'
import { findPostmaster, ps } from './postmaster.ts'

/** A running postmaster. */
interface Server {
  readonly pid: number
  /** Its `-D`: PostgreSQL writes `global/pg_control` and removes its socket by this path, wherever the directory has been moved. */
  readonly directory: string
}

const endTimeoutMs = 5000
const pollMs = 100

/**
 * Refuses a cluster while a server has it open that its lock file does not name: started with this path before another directory got the
 * path, or working in this directory since before it was moved here. A server that is just ending, or just starting, gets some time.
 */
export async function refuseOtherServers(clusterDir: string): Promise<void> {
  const giveUpAt = performance.now() + endTimeoutMs
  for (;;) {
    const other = otherServer(clusterDir)
    if (!other) return
    if (performance.now() > giveUpAt) {
      throw new EmbeddedPostgresError(
        `Another database server (process ${other.pid}, started on ${other.directory}) still has ${clusterDir} open and would damage it: stop the Muripo that it belongs to, or end it with "kill -INT ${other.pid}", and try again.`,
      )
    }
    await sleep(pollMs)
  }
}

function otherServer(clusterDir: string): Server | undefined {
  const [target, inode] = [realPath(clusterDir), inodeOf(clusterDir)]
  const named = findPostmaster(clusterDir)?.pid
  return runningServers().find(({ pid, directory }) => {
    if (path.isAbsolute(directory) && realPath(directory) === target) return pid !== named
    return inode !== undefined && inodeOf(`/proc/${pid}/cwd`) === inode
  })
}

/** The real path of a directory that may be missing. */
function realPath(directory: string): string {
  try {
    return realpathSync(directory)
  } catch {
    const parent = path.dirname(directory)
    return parent === directory ? directory : path.join(realPath(parent), path.basename(directory))
  }
}

function inodeOf(directory: string): string | undefined {
  try {
    const { dev, ino } = statSync(directory)
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

/** Only a postmaster has the argument: the processes that it forks have titles. */
function runningServers(): Server[] {
  if (!existsSync('/proc/self/cmdline'))
    return ps(['-axww', '-o', 'pid=,ucomm=,args=']).split('\n').flatMap(serverOf)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const [program = '', ...args] = argumentsOf(name)
      const directory = args[args.indexOf('-D') + 1]
      const isServer = /^postgres(\.exe)?$|^postmaster$/.test(path.basename(program)) && args.includes('-D')
      return isServer && directory !== undefined ? { pid: Number(name), directory } : []
    })
}

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
  } catch {
    return []
  }
}

/** A line of `ps`, in which arguments are not quoted: this package passes `-D` alone. */
export function serverOf(line: string): Server | [] {
  const found = /^\s*(\d+)\s+post(?:gres|master)\s+.*?\s-D\s+(.*?)\s*$/.exec(line)
  return found ? { pid: Number(found[1]), directory: found[2] ?? '' } : []
}
