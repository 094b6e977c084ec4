import type { Kysely, Transaction } from 'kysely'
import type { DB } from './schema.ts'

export type Tx = Transaction<DB>
/** A store function that only reads takes either. */
export type Queryable = Kysely<DB>
/** One step, one transaction. */
export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
