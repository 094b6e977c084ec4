import { sql } from 'kysely'
import { type Clock, plusMs } from '../clock.ts'
import { hmac } from '../crypto/keys.ts'
import type { Ctx } from '../ctx.ts'
import { type Queryable, runPrepared } from '../db/database.ts'

/** A number of uses in a time, for one subject; the time begins with the first use. */
export interface Limit {
  readonly name: string
  readonly quota: number
  readonly windowMs: number
  /** The limit of a network around an address. Responses mention it only when it is used up. */
  readonly wider?: boolean
}

export interface Use {
  readonly limit: Limit
  /** The subject of the use: an address, an account, a session. */
  readonly by: string
}

/** The remaining quota after a use. */
export interface Standing {
  readonly limit: Limit
  readonly remaining: number
  readonly resetsAt: Date
  readonly refused: boolean
}

interface Row {
  readonly used: number | null
  readonly resets_at: Date
}

const keyOf = (ctx: Ctx, { limit, by }: Use): Buffer => hmac(ctx.keys.limitKey, `${limit.name}:${by}`)

/**
 * Counts a use under each limit that is not used up, in one statement, so that concurrent uses in several processes are counted one by one.
 * A refused use is not counted, and does not extend the window.
 */
export async function take(ctx: Ctx, q: Queryable, uses: readonly Use[]): Promise<readonly Standing[]> {
  const now = ctx.clock.now()
  const keys = uses.map((use) => keyOf(ctx, use))
  const quotas = uses.map(({ limit }) => limit.quota)
  const ends = uses.map(({ limit }) => plusMs(now, limit.windowMs))
  // Rows are locked in the order of their keys, here and where quota is restored, so that no two callers deadlock.
  const rows = await runPrepared(
    q,
    'take',
    sql<Row>`
    with asked as (
      select * from unnest(${keys}::bytea[], ${quotas}::int[], ${ends}::timestamptz[]) with ordinality
        as t (key, quota, resets_at, place)
    ), taken as (
      insert into rate_limits as kept (key, used, quota, resets_at)
      select key, 1, quota, resets_at from asked order by key
      on conflict (key) do update
      set used = case when kept.resets_at <= ${now} then 1 else kept.used + 1 end,
          quota = excluded.quota,
          resets_at = case when kept.resets_at <= ${now} then excluded.resets_at else kept.resets_at end
      where kept.resets_at <= ${now} or kept.used < excluded.quota
      returning key, used, resets_at
    )
    select taken.used, coalesce(taken.resets_at, kept.resets_at, asked.resets_at) as resets_at
    from asked
    left join taken on taken.key = asked.key
    left join rate_limits kept on kept.key = asked.key and taken.key is null
    order by asked.place`,
  )
  return uses.map(({ limit }, place) => standing(limit, rows[place]))
}

/**
 * Counts all uses of one call or none: when one limit is used up, the others are restored, those of a longer window or a wider network too.
 */
export async function takeAll(ctx: Ctx, q: Queryable, uses: readonly Use[]): Promise<readonly Standing[]> {
  const standings = await take(ctx, q, uses)
  const counted = uses.filter((_use, place) => standings[place]?.refused === false)
  if (counted.length < uses.length && counted.length > 0) await restoreQuota(ctx, q, counted)
  return standings
}

function standing(limit: Limit, row: Row | undefined): Standing {
  if (!row) throw new Error('a use has its row')
  const remaining = row.used === null ? 0 : limit.quota - row.used
  return { limit, remaining, resetsAt: row.resets_at, refused: row.used === null }
}

/** Restores uses that turned out not to count. */
export async function restoreQuota(ctx: Ctx, q: Queryable, uses: readonly Use[]): Promise<void> {
  const keys = uses.map((use) => keyOf(ctx, use))
  await sql`
    update rate_limits set used = used - 1 where used > 0 and key in (
      select key from rate_limits where key = any(${keys}::bytea[]) order by key for update
    )`.execute(q)
}

const DELETE_BATCH = 1000

/** Deletes windows that have ended. */
export async function deleteExpiredLimits(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  let deleted: number
  do {
    const { numAffectedRows = 0n } = await sql`
      delete from rate_limits where key = any (array(
        select key from rate_limits where resets_at <= ${now} limit ${DELETE_BATCH} for update skip locked
      ))`.execute(ctx.db.kysely)
    deleted = Number(numAffectedRows)
  } while (deleted === DELETE_BATCH)
}

/**
 * Counts a use of a subject. With `uses` 0 it counts nothing and returns whether another use would be refused; with a negative
 * number it restores uses that turned out not to count.
 */
export type InMemoryLimit = (by: string, uses?: number) => Standing

const ENTRIES_MAX = 50_000

interface Window {
  used: number
  readonly resetsAt: Date
}

/**
 * A limit that is counted in this process only, so that a call needs no write: with more processes the limit is higher in proportion. It
 * protects the service from a caller in a loop, and protects no secret.
 */
export function createInMemoryLimit(clock: Clock, limit: Limit): InMemoryLimit {
  const windows = new Map<string, Window>()

  function windowOf(by: string, now: Date): Window {
    const known = windows.get(by)
    if (known && known.resetsAt > now) return known
    // All windows have the same length, so the order of insertion is the order in which they end.
    windows.delete(by)
    evict(now)
    const fresh = { used: 0, resetsAt: plusMs(now, limit.windowMs) }
    windows.set(by, fresh)
    return fresh
  }

  function evict(now: Date): void {
    for (const [oldest, { resetsAt }] of windows) {
      if (resetsAt > now && windows.size < ENTRIES_MAX) return
      windows.delete(oldest)
    }
  }

  return (by, uses = 1) => {
    const window = windowOf(by, clock.now())
    const refused = window.used >= limit.quota
    if (!refused || uses < 0) window.used = Math.max(0, window.used + uses)
    return { limit, remaining: limit.quota - window.used, resetsAt: window.resetsAt, refused }
  }
}
