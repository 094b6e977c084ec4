import type pg from 'pg'
import { type Sessions, sumOfGroups } from '../../scripts/lib/citus/sessions.ts'
import type { Gateway } from '../lib/gateway.ts'
import { type Generator, type Load, type LoadResult, startGenerator } from '../lib/generator.ts'
import { bareRequests, type HttpOnly, startHttpOnly } from '../lib/http-only.ts'
import { insertHistory } from '../lib/many-payments.ts'
import { fewMerchants, type Options } from '../lib/options.ts'
import { Pgbench, type PgbenchRun } from '../lib/pgbench.ts'
import { seedMerchants, seedPgbenchMerchants } from '../lib/seed.ts'
import { createPayment, recordCreate, rowsOfBatch } from './recording.ts'

interface Prepared {
  readonly gateway: Gateway
  readonly sessions: Sessions
  readonly options: Options
  readonly keys: readonly string[]
  /** Null on Citus: the scripts write rows as one database does, not through the sessions of a shard group. */
  readonly scripts: Readonly<Record<'creates' | 'batches', PgbenchRun>> | null
  readonly tools: Pgbench
  readonly tpcbDatabase: string
  readonly httpOnly: HttpOnly
  readonly rowsBefore: number
  /** A payment of each of the few merchants. */
  readonly readable: readonly string[]
}

/** The loads of a benchmark of creates, each for one round, and the payments that they created. */
export class Workloads {
  private readonly prepared: Prepared
  private readonly generator: Generator = startGenerator()
  private readonly few: readonly string[]
  private created: number
  private inserted = 0

  private constructor(prepared: Prepared) {
    this.prepared = prepared
    this.few = prepared.keys.slice(0, fewMerchants)
    this.created = prepared.readable.length
  }

  static async prepare(
    gateway: Gateway,
    sessions: Sessions,
    options: Options,
    log: (line: string) => void,
  ): Promise<Workloads> {
    const { merchants, payments, tpcbScale } = options
    const { sql } = sessions
    const keys = await seedMerchants(gateway, sessions, merchants)
    if (payments > 0) await insertHistory(gateway, sql, payments, log)
    const [key = ''] = keys
    const answer = await createPayment(gateway, key)
    const tools = new Pgbench(gateway.database, gateway.directory)
    const scripts =
      sessions.citus === null ? await prepareScripts(gateway, sql, tools, { token: key, merchants }) : null
    const tpcbDatabase = await tools.initialise(tpcbScale, sql)
    const httpOnly = await startHttpOnly(answer)
    const rowsBefore = await countPayments(sessions)
    const created = keys.slice(0, fewMerchants).map((key) => createPayment(gateway, key))
    const readable = (await Promise.all(created)).map(({ id }) => id)
    return new Workloads({
      gateway,
      sessions,
      options,
      keys,
      scripts,
      tools,
      tpcbDatabase,
      httpOnly,
      rowsBefore,
      readable,
    })
  }

  creates(connections: number): Promise<LoadResult> {
    return this.create({ keys: this.prepared.keys, isVaried: true, connections })
  }

  /** Few merchants in turn, and one amount. */
  createsOfFew(connections: number): Promise<LoadResult> {
    return this.create({ keys: this.few, connections })
  }

  createsOfOne(connections: number): Promise<LoadResult> {
    return this.create({ keys: this.few.slice(0, 1), connections })
  }

  /** Creates at a fixed rate, whether or not they are answered. */
  createsAtRate(rate: number): Promise<LoadResult> {
    return this.create({ keys: this.prepared.keys, isVaried: true, ...this.atRate(rate) })
  }

  /** The routes of the gateway without a database. */
  httpOnly(connections: number) {
    const { httpOnly, keys, options } = this.prepared
    return bareRequests(httpOnly, this.generator, { keys, connections, seconds: options.seconds })
  }

  httpOnlyAtRate(rate: number) {
    const { httpOnly, keys } = this.prepared
    return bareRequests(httpOnly, this.generator, { keys, ...this.atRate(rate) })
  }

  private atRate(rate: number) {
    const { seconds, openLoopSeconds } = this.prepared.options
    return { connections: 256, seconds: Math.max(seconds, openLoopSeconds), rate }
  }

  reads(connections: number): Promise<LoadResult> {
    return this.read(this.prepared.gateway.ports, connections)
  }

  httpOnlyReads(connections: number): Promise<LoadResult> {
    return this.read([this.prepared.httpOnly.port], connections)
  }

  /** The SQL of creates in pgbench; null on Citus. */
  get pgbench() {
    const { scripts, options } = this.prepared
    return (
      scripts && {
        creates: async (clients: number) => {
          const round = await scripts.creates(clients, options.seconds)
          this.inserted += round.transactions
          return round
        },
        /** @returns rows per second */
        rows: async (clients: number): Promise<number> => {
          const round = await scripts.batches(clients, options.seconds)
          this.inserted += round.transactions * rowsOfBatch
          return round.perSecond * rowsOfBatch
        },
      }
    )
  }

  /** @returns transactions per second */
  tpcb(clients: number): Promise<number> {
    const { tools, options, tpcbDatabase } = this.prepared
    return tools.tpcb(clients, options.seconds, tpcbDatabase)
  }

  /** @returns the responses 201 so far; throws unless each is a row */
  async countCreated(): Promise<number> {
    const rows = (await countPayments(this.prepared.sessions)) - this.prepared.rowsBefore
    if (rows !== this.created + this.inserted)
      throw new Error(`${this.created} answers and ${this.inserted} rows of pgbench made ${rows} payments`)
    return this.created
  }

  stop(): void {
    this.prepared.httpOnly.stop()
    this.generator.stop()
  }

  private load(load: Omit<Load, 'seconds'> & { readonly seconds?: number }): Promise<LoadResult> {
    return this.generator.run({ seconds: this.prepared.options.seconds, ...load })
  }

  private async create(load: Omit<Load, 'seconds' | 'ports'> & { readonly seconds?: number }) {
    const result = await this.load({ ports: this.prepared.gateway.ports, ...load })
    this.created += result.answered
    return result
  }

  private read(ports: readonly number[], connections: number): Promise<LoadResult> {
    return this.load({ ports, keys: this.few, payments: this.prepared.readable, connections })
  }
}

async function prepareScripts(
  gateway: Gateway,
  sql: pg.Client,
  tools: Pgbench,
  { token, merchants }: { readonly token: string; readonly merchants: number },
): Promise<Readonly<Record<'creates' | 'batches', PgbenchRun>>> {
  const { script, batchScript } = await recordCreate(gateway, sql, token, merchants)
  await seedPgbenchMerchants(sql, merchants)
  return { creates: tools.prepare('create', script), batches: tools.prepare('batch', batchScript) }
}

async function countPayments(sessions: Sessions): Promise<number> {
  return (await sumOfGroups<{ count: number }>(sessions, 'select count(*)::int as count from payments')).count
}
