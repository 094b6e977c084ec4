import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, realpathSync, renameSync } from 'node:fs'
import path from 'node:path'

export interface Postmaster {
  readonly pid: number
  readonly port: number
}

const pidFile = (clusterDir: string) => path.join(clusterDir, 'postmaster.pid')

/** The postmaster that works on this cluster now, by its lock file and by a look at the process it names. */
export function findPostmaster(clusterDir: string): Postmaster | undefined {
  const lines = readLock(clusterDir)?.split('\n')
  if (!lines) return undefined
  const pid = Math.abs(Number(lines[0]))
  const port = Number(lines[3])
  return pid > 0 && port > 0 && worksOn(pid, clusterDir) ? { pid, port } : undefined
}

/**
 * A lock file outlives a kill, and its process id may meanwhile be some other program's: PostgreSQL then refuses to
 * start for ever. The file is put aside only when its process is alive and is certainly not a postmaster of this cluster.
 */
export function putAsideForeignLock(clusterDir: string): boolean {
  const before = readLock(clusterDir)
  const pid = Math.abs(Number(before?.split('\n')[0]))
  if (!before || !(pid > 0) || !isAlive(pid) || worksOn(pid, clusterDir)) return false
  if (readLock(clusterDir) !== before) return false
  renameSync(pidFile(clusterDir), `${pidFile(clusterDir)}.stale`)
  return true
}

function readLock(clusterDir: string): string | undefined {
  try {
    return readFileSync(pidFile(clusterDir), 'utf8')
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
    if (existsSync('/proc/self/cwd')) return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(clusterDir)
    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).includes('postgres')
  } catch {
    return isAlive(pid)
  }
}
