import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { type Clock, systemClock } from '../clock.ts'
import { invariant } from '../errors.ts'
import type { Log } from '../log.ts'

/** The time that decides deadlines, leases and windows, in every statement that decides one. */
export const databaseNow: RawBuilder<Date> = sql<Date>`muripo_now()`

/** A time so many milliseconds from the database's now. */
export const databaseNowPlus = (ms: number): RawBuilder<Date> =>
  sql<Date>`(muripo_now() + ${ms}::float8 * interval '1 millisecond')`

/** The same time as the text of SQL. A statement with many rows evaluates it once. */
export const oneNow = '(select muripo_now())'

/** A process whose clock differs from the database's by more than this does not serve. */
export const MOST_SKEW_MS = 2000
/** The shortest of so many round trips is used. */
const SAMPLES = 5

/** The database's time, measured over a monotonic timer: a change or an error of the process's own clock has no effect. */
export interface DatabaseClock extends Clock {
  /** The reason why this process must not serve: its own clock is wrong by more than two seconds. Null when the clock is right. */
  error(): string | null
  /** The difference of this process's clock to the database's at the last measurement; positive when it is ahead. */
  skewMs(): number
  /** Measures the database's time again. */
  measure(): Promise<void>
}

/** The clocks of a process. */
export interface Timers {
  /** Its own clock, in milliseconds since 1970. */
  wall(): number
  /** A timer that is never adjusted. */
  monotonic(): number
}

const processTimers: Timers = {
  wall: () => systemClock.now().getTime(),
  monotonic: () => performance.now(),
}

interface Reading {
  readonly roundTripMs: number
  /** The database's time when the timer was zero. */
  readonly originMs: number
  /** The difference of this process's clock to the database's; positive when it is ahead. */
  readonly skewMs: number
}

export class ClockSkewError extends Error {}

/**
 * Measures the database's clock.
 * @throws ClockSkewError when the process's own clock differs by more than two seconds
 */
export async function createDatabaseClock(
  pool: pg.Pool,
  log: Pick<Log, 'error' | 'info'>,
  timers: Timers = processTimers,
): Promise<DatabaseClock> {
  let reading = await read(pool, timers)
  const first = errorOf(reading)
  if (first !== null) throw new ClockSkewError(first)
  return {
    now: () => new Date(reading.originMs + timers.monotonic()),
    error: () => errorOf(reading),
    skewMs: () => reading.skewMs,
    async measure() {
      const before = errorOf(reading)
      reading = await read(pool, timers)
      const now = errorOf(reading)
      const facts = { skewMs: Math.round(reading.skewMs), roundTripMs: Math.round(reading.roundTripMs) }
      if (now !== null) log.error(facts, `${now}; this process is not ready`)
      else if (before !== null) log.info(facts, "the clock of this machine agrees with the database's again")
    },
  }
}

async function read(pool: pg.Pool, timers: Timers): Promise<Reading> {
  const client = await pool.connect()
  try {
    const readings: Reading[] = []
    while (readings.length < SAMPLES) readings.push(await sample(client, timers))
    const [best] = readings.sort((one, other) => one.roundTripMs - other.roundTripMs)
    invariant(best, 'a clock is read from at least one round trip')
    return best
  } finally {
    client.release()
  }
}

/** The database's time is taken as the time of the middle of the round trip. */
async function sample(client: pg.PoolClient, { wall, monotonic }: Timers): Promise<Reading> {
  const sentAt = monotonic()
  const { rows } = await client.query<{ ms: number }>(
    'select (extract(epoch from muripo_now()) * 1000)::float8 as ms',
  )
  const answeredAt = monotonic()
  const own = wall()
  const databaseMs = rows[0]?.ms ?? Number.NaN
  const roundTripMs = answeredAt - sentAt
  const originMs = databaseMs - (sentAt + roundTripMs / 2)
  return { roundTripMs, originMs, skewMs: own - (originMs + answeredAt) }
}

/** The uncertainty of the round trip counts in the process's favour. */
function errorOf({ skewMs, roundTripMs }: Reading): string | null {
  if (Math.abs(skewMs) - roundTripMs / 2 <= MOST_SKEW_MS) return null
  const tenths = Math.round(Math.abs(skewMs) / 100)
  const seconds = `${Math.floor(tenths / 10)}.${tenths % 10}`
  const direction = skewMs > 0 ? 'ahead of' : 'behind'
  return `The clock of this machine is ${seconds} s ${direction} the database's; at most ${MOST_SKEW_MS / 1000} s are allowed: synchronise both with NTP`
}
