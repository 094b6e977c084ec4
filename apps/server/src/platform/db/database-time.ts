import { type RawBuilder, sql } from 'kysely'

/** The time by which deadlines, leases and windows are decided, in every statement that decides one. */
export const databaseNow: RawBuilder<Date> = sql<Date>`muripo_now()`

/** A time so many milliseconds from the database's now. */
export const databaseNowPlus = (ms: number): RawBuilder<Date> =>
  sql<Date>`(muripo_now() + ${ms}::float8 * interval '1 millisecond')`

/** The same in written SQL, read once for a statement of many rows. */
export const oneNow = '(select muripo_now())'
