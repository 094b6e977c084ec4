import { type CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { isUndoneForOthers } from './failures.ts'
import type { DB } from './schema.ts'
import { giveUpTheSilent, SILENCE_MS } from './silence.ts'
import { createTogether, type Together } from './together.ts'

export { isDatabaseAway, isDatabaseBusy, isLockTaken, sqlState, violatedConstraint } from './failures.ts'

export type Tx = Transaction<DB>
/** A store function that only reads takes either. */
export type Queryable = Kysely<DB>

export interface Database {
  readonly kysely: Kysely<DB>
  /** For the few statements that are prepared by name because their planning time counts. */
  readonly pool: pg.Pool
  /**
   * One step, one transaction: only an action or a job opens it. Nothing waits for a network inside. `work` begins anew when the
   * database has undone it in favour of others, so what it leaves outside of the transaction must bear being done twice.
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** As tx, shared with others under load. */
  readonly together: Together
  close(): Promise<void>
}

/** Limits that hold for every session: nothing may hang, and what waits for a lock gives up before its caller does. */
const sessionSettings = [
  '-c timezone=UTC',
  '-c statement_timeout=5000',
  '-c lock_timeout=2000',
  '-c idle_in_transaction_session_timeout=10000',
].join(' ')

/** How often a transaction begins anew that the database has undone in favour of others. */
const MOST_REPEATS = 5

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, BigInt)
// Four times as fast as the library's own, and a payment's row has five. Sessions are in UTC, so a time ends in its offset +00. What
// does not ("infinity"), and years whose two first digits JavaScript would not read, stay with the library.
const timeOfText = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text: string) =>
  text.endsWith('+00') && !text.startsWith('00') ? new Date(text) : timeOfText(text),
)

/** Sessions for others' code, whose integers of eight bytes come as text, as it expects them. */
export function createPool(
  url: string,
  { maxConnections, planner = [], settings = [], mayForget = false, ...others }: PoolOptions,
): pg.Pool {
  const own = [...planner, ...settings, ...(mayForget ? ['synchronous_commit=off'] : [])]
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 5000,
    options: [sessionSettings, ...own.map((setting) => `-c ${setting}`)].join(' '),
    application_name: 'muripo',
    ...others,
  })
  // A session that dies is replaced by the pool, and its caller is told by its query; unheard, the event would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Looks rows up by their keys, however few the planner believes there are: a queue's statistics are of another moment, and what a
 * session has prepared was perhaps planned when its tables were empty.
 */
export const byKeys = ['enable_hashjoin=off', 'enable_mergejoin=off', 'enable_seqscan=off'] as const

interface PoolOptions {
  readonly maxConnections: number
  /** A commit does not wait for the disk: a crash of the database loses what was written in the last moment, as if it were still to come. */
  readonly mayForget?: boolean
  readonly types?: pg.TypeOverrides
  /** For sessions whose tables grow and empty faster than the planner learns of it. */
  readonly planner?: readonly string[]
  /** Further settings of each session, as `name=value`. */
  readonly settings?: readonly string[]
}

export function createDatabase(
  url: string,
  { silenceMs = SILENCE_MS, ...options }: Omit<PoolOptions, 'types'> & { readonly silenceMs?: number },
): Database {
  const pool = createPool(url, { ...options, types })
  giveUpTheSilent(pool, url, silenceMs)
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  const tx: Database['tx'] = async (work) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await kysely.transaction().execute(work)
      } catch (error) {
        if (tries > MOST_REPEATS || !isUndoneForOthers(error)) throw error
      }
    }
  }
  return {
    kysely,
    pool,
    tx,
    together: createTogether(tx),
    async close() {
      await kysely.destroy()
      // Kysely ends the pool only when it has run a query itself.
      if (!pool.ended) await pool.end()
    },
  }
}

/** What Kysely makes of a builder or of written SQL. */
interface Statement<Row> {
  compile(q: Queryable): CompiledQuery<Row>
}

/**
 * Runs a statement that each session parses and plans only once, under a name of its own: for what is asked so often that this counts.
 * The plan no longer knows the values, so it is nothing for lists, whose best plan hangs on them.
 */
export async function runPrepared<Row>(
  q: Queryable,
  name: string,
  statement: Statement<Row>,
): Promise<Row[]> {
  const compiled = statement.compile(q)
  // Kysely hands the text on to pg as it is, and pg takes a text with its name as one.
  const named = { name, text: compiled.sql } as unknown as string
  const { rows } = await q.executeQuery<Row>({ ...compiled, sql: named })
  return rows
}
