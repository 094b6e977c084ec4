import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'

const ticksPerSecond = 100

interface Stat {
  readonly parent: number
  /** Ticks of the process itself, and of its children that have exited. */
  readonly own: number
  readonly reaped: number
  /** Whether it runs at a lower priority than other processes. */
  readonly hasLowPriority: boolean
}

const statOf = (pid: number): Stat | undefined => readStat(`/proc/${pid}/stat`)

function readStat(file: string): Stat | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user = 0, system = 0, reapedUser = 0, reapedSystem = 0] = fields.slice(11, 15)
    return {
      parent: fields[1] ?? 0,
      own: user + system,
      reaped: reapedUser + reapedSystem,
      hasLowPriority: (fields[16] ?? 0) > 0,
    }
  } catch {
    return undefined
  }
}

const processes = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)

/** Processor seconds that processes without children have used. */
export const processCpu = (...pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (statOf(pid)?.own ?? 0), 0) / ticksPerSecond

/** Processor seconds of the threads of the gateway that hash passwords, which run at a lower priority. */
export function hashingCpu(pid: number): number {
  const directory = `/proc/${pid}/task`
  const threads = readdirSync(directory).map((thread) => readStat(`${directory}/${thread}/stat`))
  return threads.reduce((sum, stat) => sum + (stat?.hasLowPriority ? stat.own : 0), 0) / ticksPerSecond
}

/**
 * Processor seconds of PostgreSQL: postmasters, live sessions and workers, and those that have ended.
 * @returns NaN without a postmaster, because its processes are on another machine
 */
export function postgresCpu(...postmasters: readonly number[]): number {
  if (postmasters.length === 0) return Number.NaN
  const roots = postmasters.map(statOf)
  const children = processes()
    .map(statOf)
    .filter((stat) => stat !== undefined && postmasters.includes(stat.parent))
  const ticks =
    roots.reduce((sum, stat) => sum + (stat?.own ?? 0) + (stat?.reaped ?? 0), 0) +
    children.reduce((sum, stat) => sum + (stat?.own ?? 0), 0)
  return ticks / ticksPerSecond
}

/** The postmaster of a session; undefined when its server runs on another machine or hides its processes. */
export async function postmasterOf(sql: pg.Client): Promise<number | undefined> {
  const { rows } = await sql.query<{ pid: number; port: number | null }>(
    'select pg_backend_pid() as pid, inet_client_port() as port',
  )
  const { pid = 0, port = null } = rows[0] ?? {}
  // The process of a session has the client's port in its title.
  const title = readText(`/proc/${pid}/cmdline`)
  const isSession = title?.startsWith('postgres') && title.includes(port === null ? '[local]' : `(${port})`)
  return isSession ? statOf(pid)?.parent || undefined : undefined
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** A process and all processes below it. */
function treeOf(pid: number): number[] {
  const children = processes().filter((each) => statOf(each)?.parent === pid)
  return [pid, ...children.flatMap(treeOf)]
}

/** Processor seconds of a process, of all processes below it, and of those that have ended. */
export const treeCpu = (pid: number): number =>
  treeOf(pid)
    .map(statOf)
    .reduce((sum, stat) => sum + (stat?.own ?? 0) + (stat?.reaped ?? 0), 0) / ticksPerSecond

/** The process below another one whose command line contains a text. */
export const findBelow = (pid: number, text: string): number | undefined =>
  treeOf(pid).find((each) => readFileSync(`/proc/${each}/cmdline`, 'utf8').includes(text))

/** Processor seconds of the whole machine, since it started. */
function machineCpu(): { busy: number; all: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  // user, nice, system, idle, waiting, interrupts, soft interrupts, stolen; the following fields are already part of the first two.
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, value) => sum + value, 0)
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0)
  return { busy: (all - idle) / ticksPerSecond, all: all / ticksPerSecond }
}

/** Processor seconds of a gateway, its PostgreSQL, this process and the whole machine, in total or between two moments. */
export interface CpuUsage {
  readonly gateway: number
  /** NaN when PostgreSQL runs on another machine. */
  readonly postgres: number
  readonly bench: number
  readonly busy: number
  readonly all: number
}

interface Measured {
  readonly pids: readonly number[]
  readonly postmasterPids: readonly number[]
}

export const cpuUsage = ({ pids, postmasterPids }: Measured): CpuUsage => ({
  gateway: processCpu(...pids),
  postgres: postgresCpu(...postmasterPids),
  bench: processCpu(process.pid),
  ...machineCpu(),
})

export const cpuBetween = (from: CpuUsage, to: CpuUsage): CpuUsage => ({
  gateway: to.gateway - from.gateway,
  postgres: to.postgres - from.postgres,
  bench: to.bench - from.bench,
  busy: to.busy - from.busy,
  all: to.all - from.all,
})

/** The processor time of other programs, as a share of the machine. @param clients processor seconds of the bench's other processes */
export const shareOfOthers = ({ gateway, postgres, bench, busy, all }: CpuUsage, clients = 0): number =>
  Math.max(0, busy - gateway - (postgres || 0) - bench - clients) / all

/** The sum of the resident memory of processes in MB, without the memory that they share. */
export const residentMb = (...pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + residentMbOf(pid), 0)

function residentMbOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return (kb('VmRSS') - kb('RssShmem')) / 1024
}

export interface DatabaseCounters {
  readonly commits: number
  readonly walSyncs: number
  readonly walBytes: number
}

/** Counters of all nodes; an idle session reports its last values within ten seconds. */
export async function databaseCounters(nodes: readonly pg.Client[]): Promise<DatabaseCounters> {
  const counters = await Promise.all(nodes.map(countersOf))
  const sum = (name: keyof DatabaseCounters) => counters.reduce((all, each) => all + each[name], 0)
  return { commits: sum('commits'), walSyncs: sum('walSyncs'), walBytes: sum('walBytes') }
}

async function countersOf(sql: pg.Client): Promise<DatabaseCounters> {
  const { rows } = await sql.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  )
  // From version 18 on the flushes are counted with all other input and output.
  const syncs =
    (rows[0]?.version ?? 0) >= 180_000
      ? "select sum(fsyncs) from pg_stat_io where object = 'wal' and context = 'normal'"
      : 'select wal_sync from pg_stat_wal'
  const counters = await sql.query<Record<'commits' | 'syncs' | 'bytes', string>>(
    `select (select xact_commit from pg_stat_database where datname = current_database()) as commits,
       (${syncs}) as syncs, (select wal_bytes from pg_stat_wal) as bytes`,
  )
  const row = counters.rows[0]
  return { commits: Number(row?.commits), walSyncs: Number(row?.syncs), walBytes: Number(row?.bytes) }
}
