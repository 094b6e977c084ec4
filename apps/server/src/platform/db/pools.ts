import { createDatabase, type Database, indexPlansOnly } from './database.ts'
import { createHeavyReads, type HeavyReads } from './heavy-reads.ts'
import { createQueues, type Queues } from './queues.ts'

/**
 * The three shares of a process's database sessions. A share that is used up delays its own work only: a payment never waits for a
 * dashboard's search or for a background task.
 */
export interface Pools {
  /** Payments, attempts, outcomes, the checkout, keys, sessions and every other write with a waiting caller. */
  readonly db: Database
  /** Lists, counts, searches, figures, exports and details. Its sessions cannot write. */
  readonly reads: Database
  /** Reads of `reads`, of which a merchant may run two at once. */
  readonly heavyReads: HeavyReads
  /** Periodic tasks, aggregators, comparisons, pruning and jobs. */
  readonly background: Database
}

/** Sessions of one process. `docs/operate.md` adds up all connections of a process. */
export const POOL_SIZES = { db: 12, reads: 8, background: 4, relay: 4 } as const
/** Sessions of one process for each shard group of Citus. */
export const GROUP_POOL_SIZES = { db: 4, reads: 2, background: 2, relay: 2 } as const

/**
 * PostgreSQL compares the estimated costs of a generic plan with those of the first plans of a session. The tables were smaller then, so that
 * it would plan prepared statements for each execution.
 */
const genericPlans = 'plan_cache_mode=force_generic_plan'

/** Longer than all statements of one action together, including a wait for a lock. */
const TRANSACTION_MS = 15_000

interface PoolsOptions {
  /** Settings of every session, as `name=value`. */
  readonly settings?: readonly string[]
  readonly sizes?: Readonly<Record<keyof typeof POOL_SIZES, number>>
  /** The queues of other pools, with which the waiting time of payments is measured. */
  readonly queues?: Queues
}

export function createPools(
  url: string,
  { settings = [], sizes = POOL_SIZES, queues = createQueues() }: PoolsOptions = {},
): Pools & { close(): Promise<void> } {
  const db = createDatabase(url, {
    maxConnections: sizes.db,
    planSettings: [...indexPlansOnly, genericPlans],
    settings,
    transactionMs: TRANSACTION_MS,
    queues,
  })
  const reads = createDatabase(url, {
    maxConnections: sizes.reads,
    planSettings: indexPlansOnly,
    settings: [...settings, 'default_transaction_read_only=on', 'max_parallel_workers_per_gather=0'],
  })
  const background = createDatabase(url, {
    maxConnections: sizes.background,
    planSettings: indexPlansOnly,
    settings,
  })
  return {
    db,
    reads,
    heavyReads: createHeavyReads(reads),
    background,
    async close() {
      await Promise.all([db.close(), reads.close(), background.close()])
    },
  }
}

/**
 * Fails when the database does not answer. While callers occupy every session of `db`, waiting for one row perhaps, another share is used: a
 * proxy would remove a process that answers late, and all processes at once.
 */
export async function checkDatabase({ db, background }: Pick<Pools, 'db' | 'background'>): Promise<void> {
  const isOccupied = db.pool.idleCount === 0 && db.pool.totalCount >= POOL_SIZES.db
  await (isOccupied ? background : db).pool.query('select 1')
}

/** The session of metrics: a scrape takes no session of other work, and no query of it lasts long. */
export const metricsPool = (url: string, settings: readonly string[] = []): Database =>
  createDatabase(url, {
    maxConnections: 1,
    planSettings: indexPlansOnly,
    settings: [
      ...settings,
      'statement_timeout=2000',
      'default_transaction_read_only=on',
      'max_parallel_workers_per_gather=0',
    ],
  })

/** For a program that serves no requests: its work shares one pool. */
export const onePool = (db: Database): Pools => ({
  db,
  reads: db,
  heavyReads: createHeavyReads(db),
  background: db,
})

/** The context of a background task: its actions use the sessions of the background pool. */
export const inBackground = <C extends Pools>(ctx: C): C => ({ ...ctx, db: ctx.background })
