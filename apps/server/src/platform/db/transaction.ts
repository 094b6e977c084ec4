import type { Kysely, Transaction } from 'kysely'
import type { DB } from './schema.ts'

export type Tx = Transaction<DB>
/** Either a pool or a transaction: a store function that only reads accepts both. */
export type Queryable = Kysely<DB>
/** Runs one step in one transaction. */
export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
