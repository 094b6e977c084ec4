import { type RawBuilder, sql } from 'kysely'

/** The time that decides deadlines, leases and windows, in every statement that decides one. */
export const databaseNow: RawBuilder<Date> = sql<Date>`muripo_now()`

/** A time so many milliseconds from the database's now. */
export const databaseNowPlus = (ms: number): RawBuilder<Date> =>
  sql<Date>`(muripo_now() + ${ms}::float8 * interval '1 millisecond')`

/** The same time in written SQL, read once for a statement with many rows. */
export const oneNow = '(select muripo_now())'
