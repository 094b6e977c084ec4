import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { noteCommit } from '../request-scope.ts'
import { CHECK_AFTER_MS, destroySilentConnections } from './connection-watchdog.ts'
import { isDatabaseAway, isSerializationFailure, OutcomeUnknownError } from './failures.ts'
import { boundQueue, createQueues, type Queues } from './queues.ts'
import type { DB } from './schema.ts'
import { Session } from './session.ts'

/** Each session parses and plans it once, under its name. */
export interface NamedStatement {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

export interface Database {
  readonly kysely: Kysely<DB>
  /** For the few statements that are prepared by name because their planning time counts. */
  readonly pool: pg.Pool
  readonly queues: Queues
  /**
   * One step, one transaction: only an action or a job opens it. Nothing waits for a network inside. `work` runs again after a deadlock
   * or a serialization failure, so its effects outside of the transaction must be idempotent.
   * @throws OutcomeUnknownError when the database neither confirmed nor refused the commit
   */
  readonly tx: Transact
  /**
   * Runs one statement that is its own transaction.
   * @throws OutcomeUnknownError when its session ended before the answer
   */
  readonly commitStatement: (statement: NamedStatement) => Promise<pg.QueryResultRow[]>
  close(): Promise<void>
}

/** Limits of every session: no statement hangs, and a wait for a lock ends before its caller's time-out. */
export const sessionSettings = {
  TimeZone: 'UTC',
  default_transaction_isolation: 'read committed',
  statement_timeout: '5000',
  lock_timeout: '2000',
  idle_in_transaction_session_timeout: '10000',
  // Before PostgreSQL 18 a plan without the index that `indexPlansOnly` demands costs so much that the server would compile it, which takes
  // longer than any of our statements.
  jit: 'off',
} as const

/** After a switchover behind one address, sessions to the former primary end within this time. */
const MOST_LIFETIME_S = 600

/** Limit of retries after a deadlock or a serialization failure. */
const MAX_RETRIES = 5

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, BigInt)
// This parser is faster than the library's, and every row has several times. Sessions are in UTC, so a time ends in its offset +00. Other
// values ("infinity"), and years whose first two digits JavaScript would not read, are left to the library.
const timeOfText = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text: string) =>
  text.endsWith('+00') && !text.startsWith('00') ? new Date(text) : timeOfText(text),
)

/** Sessions for the code of libraries, which expects integers of eight bytes as text. */
export function createPool(
  url: string,
  {
    maxConnections,
    planSettings = [],
    settings = [],
    asynchronousCommit = false,
    transactionMs,
    ...others
  }: PoolOptions,
): pg.Pool {
  const own = [
    ...planSettings,
    ...settings,
    ...(asynchronousCommit ? ['synchronous_commit=off'] : []),
    ...(transactionMs === undefined ? [] : [`transaction_timeout=${transactionMs}`]),
  ].map((setting) => setting.split('='))
  const sessionStart = JSON.stringify({ ...sessionSettings, ...Object.fromEntries(own) })
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 5000,
    application_name: 'muripo',
    maxLifetimeSeconds: MOST_LIFETIME_S,
    ...others,
    Client: Session as unknown as new () => pg.Client,
    async onConnect(client: pg.ClientBase) {
      refuseStandby(client)
      await startSession(client, sessionStart)
    },
  })
  pool.on('release', (_error, client) => {
    if (isUnusable(client)) void client.end().catch(() => undefined)
  })
  // The pool replaces a session that dies, and the caller's query fails; without a listener, the event would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Sends the settings after the connect: a pooler may ignore start-up options, and an older server refuses a session whose options contain a
 * setting that it does not have. The process id in the protocol may be a pooler's.
 */
async function startSession(client: pg.ClientBase, settings: string): Promise<void> {
  const { rows } = await client
    .query<{ pid: number }>(
      `select pg_backend_pid() as pid, count(set_config(key, value, false)) from json_each_text($1)
       where key <> 'transaction_timeout' or current_setting('server_version_num')::int >= 170000`,
      [settings],
    )
    .catch((error: unknown) => {
      // Nothing of the caller's work was sent.
      throw error instanceof OutcomeUnknownError ? error.cause : error
    })
  Object.assign(client, { processID: rows[0]?.pid })
}

const isUnusable = (client: pg.ClientBase): boolean => client instanceof Session && client.isUnusable

/** A standby answers reads with outdated rows and refuses every write. */
function refuseStandby(client: pg.ClientBase): void {
  if (isUnusable(client))
    throw Object.assign(new Error('The database server is a standby'), { code: '25006' })
}

/**
 * Index plans for tables whose statistics are outdated: a queue fills and empties between two analyzes, and a session may have planned its
 * prepared statements while a table was empty.
 */
export const indexPlansOnly = ['enable_hashjoin=off', 'enable_mergejoin=off', 'enable_seqscan=off'] as const

interface PoolOptions {
  readonly application_name?: string
  readonly maxConnections: number
  /** A commit does not wait for the disk: a crash of the database loses the latest commits. */
  readonly asynchronousCommit?: boolean
  /** Ends a transaction that lasts longer, with its session, where the server can (PostgreSQL 17). */
  readonly transactionMs?: number
  readonly types?: pg.TypeOverrides
  /** Settings of the query planner, as `name=value`. */
  readonly planSettings?: readonly string[]
  /** Further settings of each session, as `name=value`. */
  readonly settings?: readonly string[]
}

export function createDatabase(
  url: string,
  {
    watchdogMs = CHECK_AFTER_MS,
    queues = createQueues(),
    ...options
  }: Omit<PoolOptions, 'types'> & { readonly watchdogMs?: number; readonly queues?: Queues },
): Database {
  const pool = createPool(url, { ...options, types })
  boundQueue(pool, queues)
  destroySilentConnections(pool, url, watchdogMs)
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  const tx: Transact = async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      let isCommitting = false
      try {
        const result = await kysely.transaction().execute(async (inside) => {
          const result = await work(inside)
          isCommitting = true
          return result
        })
        noteCommit()
        return result
      } catch (error) {
        // Kysely rolls back after a failed COMMIT, and the error of that ROLLBACK hides the first one.
        if (isCommitting && isDatabaseAway(error)) {
          noteCommit()
          throw new OutcomeUnknownError(error)
        }
        if (attempt > MAX_RETRIES || !isSerializationFailure(error)) throw error
      }
    }
  }
  return {
    kysely,
    pool,
    queues,
    tx,
    commitStatement: (statement) => commitStatement(pool, statement),
    async close() {
      await kysely.destroy()
      // Kysely ends the pool only when it has run a query itself.
      if (!pool.ended) await pool.end()
    },
  }
}

async function commitStatement(
  pool: pg.Pool,
  { name, text, values }: NamedStatement,
): Promise<pg.QueryResultRow[]> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query({ name, text, values: [...values] })
    client.release()
    noteCommit()
    return rows
  } catch (error) {
    const isAway = isDatabaseAway(error)
    // A refusal arrives before the server has released the statement's locks, at which a repetition would find its rows locked.
    if (!isAway) await client.query('').catch(() => undefined)
    client.release(isAway)
    if (!isAway) throw error
    noteCommit()
    throw new OutcomeUnknownError(error)
  }
}

/** Runs a named statement in a transaction. */
export const runNamed = (
  tx: Queryable,
  { name, text, values }: NamedStatement,
): Promise<pg.QueryResultRow[]> =>
  runPrepared(tx, name, {
    compile: () => CompiledQuery.raw(text, [...values]) as CompiledQuery<pg.QueryResultRow>,
  })

/** The compiled form of a builder or of written SQL. */
interface Statement<Row> {
  compile(q: Queryable): CompiledQuery<Row>
}

/**
 * Runs a statement that each session parses and plans only once, under a name of its own: for frequent statements whose planning time
 * counts. The plan does not depend on the values, so it does not fit lists, whose best plan does.
 */
export async function runPrepared<Row>(
  q: Queryable,
  name: string,
  statement: Statement<Row>,
): Promise<Row[]> {
  const compiled = statement.compile(q)
  // Kysely passes the text on to pg unchanged, and pg accepts a text with its name.
  const named = { name, text: compiled.sql } as unknown as string
  const { rows } = await q.executeQuery<Row>({ ...compiled, sql: named })
  return rows
}

export type Tx = Transaction<DB>
/** Either a pool or a transaction: a store function that only reads accepts both. */
export type Queryable = Kysely<DB>

/** Runs one step in one transaction. */
export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
