import { execFile } from 'node:child_process'
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import type { PgbenchScript } from '../creates/recording.ts'
import type { Server } from './gateway.ts'

const execute = promisify(execFile)

/** Transactions of each client in a round of less than a second. */
const SHORT_ROUND = 10

export class MissingTool extends Error {}

export interface Pgbench {
  /**
   * Creates and fills a database for `-b tpcb-like`, on Citus a plain one of the coordinator.
   * @returns its name
   */
  initialise(scale: number, sql: pg.Client): Promise<string>
  /** @returns transactions per second */
  tpcb(clients: number, seconds: number, database: string): Promise<number>
  /** @returns the script as a function that runs it */
  prepare(name: string, script: PgbenchScript): PgbenchRun
}

export const tpcbDatabase = ({ database }: Pick<Server, 'database'>): string => `${database}_tpcb`

export type PgbenchRun = (
  clients: number,
  seconds: number,
) => Promise<{ perSecond: number; transactions: number }>

/** One of PostgreSQL's own programs, of the newest version there is; Debian keeps them out of PATH. */
export function findTool(name: string): string | undefined {
  const versions = globSync('/usr/lib/postgresql/*/bin').sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )
  return [...versions.reverse(), ...(process.env.PATH ?? '').split(path.delimiter)]
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file))
}

export function usePgbench(server: Server, directory: string): Pgbench {
  const program = findTool('pgbench')
  if (!program)
    throw new MissingTool(
      'pgbench is not here: apt-get install postgresql (Debian), or PostgreSQL of your system',
    )
  let runs = 0

  async function pgbench(database: string, args: readonly string[]): Promise<string> {
    const { stdout } = await execute(
      program ?? '',
      ['-h', server.host, '-p', String(server.port), '-U', server.user, ...args, database],
      { env: { PATH: process.env.PATH, PGPASSWORD: server.password, LC_ALL: 'C' } },
    )
    return stdout
  }

  /** Its time is in whole seconds: a shorter round is a number of transactions. */
  async function round(
    database: string,
    clients: number,
    seconds: number,
    args: readonly string[],
  ): Promise<{ perSecond: number; transactions: number }> {
    const output = await pgbench(database, [
      ...['-n', '-M', 'prepared', '-c', String(clients)],
      ...(seconds < 1 ? ['-t', String(SHORT_ROUND)] : ['-T', String(Math.ceil(seconds))]),
      ...['-j', String(Math.min(clients, availableParallelism()))],
      ...args,
    ])
    const figure = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? Number.NaN)
    if (figure(/number of failed transactions: (\d+)/) !== 0) throw new Error(`pgbench failed:\n${output}`)
    return {
      perSecond: figure(/tps = ([\d.]+)/),
      transactions: figure(/number of transactions actually processed: (\d+)/),
    }
  }

  return {
    async initialise(scale, sql) {
      const database = tpcbDatabase(server)
      await sql.query(`create database ${database}`)
      await pgbench(database, ['-i', '-q', '-I', 'dtgvp', '-s', String(scale)])
      return database
    },
    async tpcb(clients, seconds, database) {
      return (await round(database, clients, seconds, ['-b', 'tpcb-like'])).perSecond
    },
    prepare(name, script) {
      const file = path.join(directory, `${name}.sql`)
      writeFileSync(file, script.text)
      return (clients, seconds) => {
        runs += 1
        const first = 100_000_000_000 + runs * 1_000_000_000
        const variables = { ...script.variables, first: String(first), sequence: '0' }
        const definitions = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
        return round(server.database, clients, seconds, ['-f', file, ...definitions])
      }
    },
  }
}

/** Flushes per second of one 8 kB page by fdatasync, the way WAL is flushed; undefined when the tool is not here. */
export async function fdatasyncsPerSecond(directory: string): Promise<number | undefined> {
  const program = findTool('pg_test_fsync')
  if (!program) return undefined
  const file = path.join(directory, 'fsync-test')
  const { stdout } = await execute(program, ['-s', '1', '-f', file], { env: { LC_ALL: 'C' } })
  return Number(/one 8kB write:[\s\S]*?fdatasync\s+([\d.]+) ops/.exec(stdout)?.[1] ?? Number.NaN)
}
