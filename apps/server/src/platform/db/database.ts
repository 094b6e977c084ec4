import { type CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { isDatabaseAway, isUndoneForOthers, OutcomeUnknownError } from './failures.ts'
import { boundQueue, limitTransactions } from './pool-limits.ts'
import type { DB } from './schema.ts'
import { Session } from './session.ts'
import { giveUpTheSilent, SILENCE_MS } from './silence.ts'
import { createTogether, type Together } from './together.ts'

export {
  isDatabaseAway,
  isDatabaseBusy,
  isLockTaken,
  isOutcomeUnknown,
  isOverloaded,
  isStatementTimeout,
  sqlState,
  violatedConstraint,
} from './failures.ts'

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
   * @throws OutcomeUnknownError when the database neither confirmed nor refused the commit
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** As tx, shared with others under load. */
  readonly together: Together
  close(): Promise<void>
}

/** Limits that hold for every session: nothing may hang, and what waits for a lock gives up before its caller does. */
export const sessionSettings = {
  TimeZone: 'UTC',
  default_transaction_isolation: 'read committed',
  statement_timeout: '5000',
  lock_timeout: '2000',
  idle_in_transaction_session_timeout: '10000',
} as const

const startupOptions = Object.entries(sessionSettings)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ')

/** After a switchover behind one address, sessions to the former primary end within this time. */
const MOST_LIFETIME_S = 600

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
  { maxConnections, planner = [], settings = [], mayForget = false, transactionMs, ...others }: PoolOptions,
): pg.Pool {
  const own = [...planner, ...settings, ...(mayForget ? ['synchronous_commit=off'] : [])]
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 5000,
    options: [startupOptions, ...own.map((setting) => `-c ${setting}`)].join(' '),
    application_name: 'muripo',
    maxLifetimeSeconds: MOST_LIFETIME_S,
    ...others,
    Client: Session as unknown as new () => pg.Client,
    async onConnect(client: pg.ClientBase) {
      refuseStandby(client)
      if (transactionMs !== undefined) await limitTransactions(client, transactionMs)
    },
  })
  pool.on('release', (_error, client) => {
    if (isUnusable(client)) void client.end().catch(() => undefined)
  })
  // A session that dies is replaced by the pool, and its caller is told by its query; unheard, the event would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

const isUnusable = (client: pg.ClientBase): boolean => client instanceof Session && client.isUnusable

/** A standby answers reads with yesterday's rows and refuses every write. */
function refuseStandby(client: pg.ClientBase): void {
  if (isUnusable(client))
    throw Object.assign(new Error('The database server is a standby'), { code: '25006' })
}

/**
 * Looks rows up by their keys, however few the planner believes there are: a queue's statistics are of another moment, and what a
 * session has prepared was perhaps planned when its tables were empty.
 */
export const byKeys = ['enable_hashjoin=off', 'enable_mergejoin=off', 'enable_seqscan=off'] as const

interface PoolOptions {
  readonly application_name?: string
  readonly maxConnections: number
  /** A commit does not wait for the disk: a crash of the database loses what was written in the last moment, as if it were still to come. */
  readonly mayForget?: boolean
  /** Ends a transaction that lasts longer, with its session, where the server can (PostgreSQL 17). */
  readonly transactionMs?: number
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
  boundQueue(pool)
  giveUpTheSilent(pool, url, silenceMs)
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  const tx: Database['tx'] = async (work) => {
    for (let tries = 1; ; tries += 1) {
      let isCommitting = false
      try {
        return await kysely.transaction().execute(async (inside) => {
          const result = await work(inside)
          isCommitting = true
          return result
        })
      } catch (error) {
        // Kysely rolls back after a failed COMMIT, and the failure of that ROLLBACK hides the first one.
        if (isCommitting && isDatabaseAway(error)) throw new OutcomeUnknownError(error)
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
