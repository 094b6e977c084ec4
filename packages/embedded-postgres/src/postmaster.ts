import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, realpathSync, renameSync } from 'node:fs'
import path from 'node:path'

export interface ServerAddress {
  /** The directory of its socket; a name or an address for a server that listens on TCP. */
  readonly host: string
  readonly port: number
}

export interface Postmaster extends ServerAddress {
  readonly pid: number
}

const pidFile = (clusterDir: string) => path.join(clusterDir, 'postmaster.pid')

/** The postmaster that works on this cluster now, by its lock file and by the process that the file names. */
export function findPostmaster(clusterDir: string): Postmaster | undefined {
  const lines = readLock(pidFile(clusterDir))?.split('\n')
  if (!lines) return undefined
  const pid = Math.abs(Number(lines[0]))
  const port = Number(lines[3])
  // Earlier versions listened on TCP: the line of the socket's directory is empty.
  const host = lines[4] || lines[5]
  return pid > 0 && port > 0 && host && worksOn(pid, clusterDir) ? { pid, host, port } : undefined
}

/** Whether the lock file is that of this postmaster, and it answers: it has recovered, or serves as a standby. */
export function isReady(clusterDir: string, pid: number | undefined): boolean {
  const lines = readLock(pidFile(clusterDir))?.split('\n')
  return Number(lines?.[0]) === pid && /^(ready|standby)\s*$/.test(lines?.[7] ?? '')
}

/**
 * A lock file outlives a kill, and its process id may meanwhile belong to another program: PostgreSQL then refuses every
 * start. The lock files of the cluster and of its socket are put aside only when their process is alive and is certainly not a
 * postmaster of this cluster.
 */
export function putAsideForeignLocks(clusterDir: string, socketLock: string): boolean {
  return [pidFile(clusterDir), socketLock].map((file) => putAsideForeignLock(file, clusterDir)).includes(true)
}

function putAsideForeignLock(file: string, clusterDir: string): boolean {
  const before = readLock(file)
  const pid = Math.abs(Number(before?.split('\n')[0]))
  if (!before || !(pid > 0) || !isAlive(pid) || worksOn(pid, clusterDir)) return false
  if (readLock(file) !== before) return false
  renameSync(file, `${file}.stale`)
  return true
}

function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

// In doubt it counts as ours: better a start refused than a second postmaster.
function worksOn(pid: number, clusterDir: string): boolean {
  if (!isAlive(pid)) return false
  try {
    if (existsSync('/proc/self/cwd'))
      return !isZombie(pid) && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(clusterDir)
    const [state = '', name = ''] = ps(['-o', 'stat=,ucomm=', '-p', String(pid)])
      .trim()
      .split(/\s+/)
    return !state.startsWith('Z') && name.includes('postgres')
  } catch {
    return isAlive(pid)
  }
}

/** A process that has ended, and that its parent has not waited for, keeps its id and accepts signals. */
const isZombie = (pid: number): boolean => /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

export const ps = (args: readonly string[]): string => execFileSync('ps', args, { encoding: 'utf8' })
