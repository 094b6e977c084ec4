import { execFile } from 'node:child_process'
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { type DatabaseServer, tpcbDatabase } from './database.ts'

const execute = promisify(execFile)

/** Transactions of each client in a round of less than a second. */
const SHORT_ROUND = 10

export interface PgbenchScript {
  readonly text: string
  readonly variables: Readonly<Record<string, string>>
}

interface PgbenchRound {
  readonly perSecond: number
  readonly transactions: number
}

export type PgbenchRun = (clients: number, seconds: number) => Promise<PgbenchRound>

/** A program of the newest installed PostgreSQL. Debian installs these outside of PATH. */
export function findTool(name: string): string | undefined {
  const versions = globSync('/usr/lib/postgresql/*/bin').sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )
  return [...versions.reverse(), ...(process.env.PATH ?? '').split(path.delimiter)]
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file))
}

/** Runs pgbench on a server. */
export class Pgbench {
  private readonly program: string
  private readonly server: DatabaseServer
  /** The directory of its scripts. */
  private readonly directory: string
  private runs = 0

  /** @throws without pgbench on this machine */
  constructor(server: DatabaseServer, directory: string) {
    const program = findTool('pgbench')
    if (!program)
      throw new Error(
        'pgbench is not here: apt-get install postgresql (Debian), or PostgreSQL of your system',
      )
    this.program = program
    this.server = server
    this.directory = directory
  }

  /**
   * Creates and fills a database for `-b tpcb-like`, on Citus a plain one of the coordinator.
   * @returns its name
   */
  async initialise(scale: number, sql: pg.Client): Promise<string> {
    const database = tpcbDatabase(this.server)
    await sql.query(`create database ${database}`)
    await this.execute(database, ['-i', '-q', '-I', 'dtgvp', '-s', String(scale)])
    return database
  }

  /** @returns transactions per second */
  async tpcb(clients: number, seconds: number, database: string): Promise<number> {
    return (await this.round(database, clients, seconds, ['-b', 'tpcb-like'])).perSecond
  }

  /** Writes a script, and returns the function that runs it. */
  prepare(name: string, script: PgbenchScript): PgbenchRun {
    const file = path.join(this.directory, `${name}.sql`)
    writeFileSync(file, script.text)
    return (clients, seconds) => {
      this.runs += 1
      const first = 100_000_000_000 + this.runs * 1_000_000_000
      const variables = { ...script.variables, first: String(first), sequence: '0' }
      const definitions = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
      return this.round(this.server.database, clients, seconds, ['-f', file, ...definitions])
    }
  }

  /** The option `-T` takes whole seconds, so a round of less than a second is a number of transactions. */
  private async round(
    database: string,
    clients: number,
    seconds: number,
    args: readonly string[],
  ): Promise<PgbenchRound> {
    const output = await this.execute(database, [
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

  private async execute(database: string, args: readonly string[]): Promise<string> {
    const { host, port, user, password } = this.server
    const { stdout } = await execute(
      this.program,
      ['-h', host, '-p', String(port), '-U', user, ...args, database],
      { env: { PATH: process.env.PATH, PGPASSWORD: password, LC_ALL: 'C' } },
    )
    return stdout
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
