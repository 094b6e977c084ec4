import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { databaseNow, databaseNowPlus } from '../../../platform/db/database-time.ts'
import { type Bucket, capacityOf } from './bucket.ts'
import { MOST_PAUSE_MS } from './deadlines.ts'

/** A bucket as it was read. version: null for a provider without a row. */
export interface StoredBucket {
  readonly bucket: Bucket
  readonly version: number | null
  readonly now: number
}

interface Row {
  readonly now: number
  readonly level: number | null
  readonly charges: number | null
  readonly filled_at: number | null
  readonly paused_until: number | null
  readonly version: number | null
}

const ms = (time: unknown) => sql`(extract(epoch from ${time}) * 1000)::float8`

/** Reads a bucket. One with times that the database's clock has not reached, because the clock was set back, is repaired first. */
export async function readBucket(
  db: Database,
  provider: string,
  callsPerMinute: number,
): Promise<StoredBucket> {
  const stored = storedFrom(await readRow(db, provider), callsPerMinute)
  const { bucket, now } = stored
  if (bucket.filledAt <= now && bucket.pausedUntil <= now + MOST_PAUSE_MS) return stored
  await sql`
    update provider_budgets set filled_at = least(filled_at, ${databaseNow}),
      paused_until = case when paused_until is not null then least(paused_until, ${databaseNowPlus(MOST_PAUSE_MS)}) end, version = version + 1
    where provider = ${provider}`.execute(db.kysely)
  return storedFrom(await readRow(db, provider), callsPerMinute)
}

async function readRow(db: Database, provider: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select ${ms(databaseNow)} as now, level, charges, ${ms(sql`filled_at`)} as filled_at, ${ms(sql`paused_until`)} as paused_until, version
    from (select 1) as one left join provider_budgets on provider = ${provider}`.execute(db.kysely)
  return rows[0]
}

function storedFrom(row: Row | undefined, callsPerMinute: number): StoredBucket {
  const most = capacityOf(callsPerMinute)
  const now = row?.now ?? 0
  const level = row?.level ?? most.charges + most.others
  // An earlier version of the gateway writes the level only.
  const charges = Math.min(row?.charges ?? most.charges, level)
  return {
    bucket: {
      charges,
      others: level - charges,
      filledAt: row?.filled_at ?? now,
      pausedUntil: row?.paused_until ?? 0,
    },
    version: row?.version ?? null,
    now,
  }
}

/** @returns false when another process has changed the bucket since it was read */
export async function writeBucket(
  db: Database,
  provider: string,
  { charges, others, filledAt }: Bucket,
  version: number | null,
): Promise<boolean> {
  const at = sql`to_timestamp(${filledAt}::float8 / 1000)`
  const level = charges + others
  const { rows } =
    version === null
      ? await sql`
          insert into provider_budgets (provider, level, charges, filled_at) values (${provider}, ${level}, ${charges}, ${at})
          on conflict do nothing returning 1`.execute(db.kysely)
      : await sql`
          update provider_budgets set level = ${level}, charges = ${charges}, filled_at = ${at}, version = version + 1
          where provider = ${provider} and version = ${version} returning 1`.execute(db.kysely)
  return rows.length > 0
}

/** Stops the calls of all processes until the provider accepts them again. */
export async function pauseCalls(db: Database, provider: string, forMs: number): Promise<void> {
  const until = databaseNowPlus(Math.min(forMs, MOST_PAUSE_MS))
  await sql`
    insert into provider_budgets as kept (provider, level, filled_at, paused_until) values (${provider}, 0, ${databaseNow}, ${until})
    on conflict (provider) do update set paused_until = greatest(kept.paused_until, excluded.paused_until), version = kept.version + 1`.execute(
    db.kysely,
  )
}

/** The budgets that calls have used, and the pauses in force, by provider. charges: null after an earlier version of the gateway. */
export async function readBudgets(
  db: Database,
): Promise<
  Map<string, { readonly level: number; readonly charges: number | null; readonly pausedUntil: Date | null }>
> {
  const { rows } = await sql<{
    provider: string
    level: number
    charges: number | null
    paused_until: Date | null
  }>`
    select provider, level, charges, case when paused_until > ${databaseNow} then paused_until end as paused_until
    from provider_budgets`.execute(db.kysely)
  return new Map(
    rows.map(({ provider, paused_until, ...levels }) => [provider, { ...levels, pausedUntil: paused_until }]),
  )
}
