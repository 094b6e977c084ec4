import type { Kysely, Transaction } from 'kysely'
import type { DB } from './schema.ts'

export type Tx = Transaction<DB>
/** Either a pool or a transaction: a store function that only reads accepts both. */
export type Queryable = Kysely<DB>
const afterCommits = new WeakMap<Queryable, (() => void)[]>()

/** Runs after the commit of the transaction: not when it is rolled back, and not when the outcome of its commit is unknown. */
export function afterCommit(tx: Tx, run: () => void): void {
  afterCommits.set(tx, [...(afterCommits.get(tx) ?? []), run])
}

export function noteCommitOf(tx: Tx): void {
  for (const run of afterCommits.get(tx) ?? []) run()
}

/** Runs one step in one transaction. */
export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
