import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { databaseNow, databaseNowPlus } from '../../../platform/db/database-time.ts'
import type { Bucket } from './bucket.ts'

/** A bucket as it was read. version: null for a provider without a row. */
export interface StoredBucket {
  readonly bucket: Bucket
  readonly version: number | null
  readonly now: number
}

const ms = (time: unknown) => sql`(extract(epoch from ${time}) * 1000)::float8`

export async function readBucket(db: Database, provider: string, capacity: number): Promise<StoredBucket> {
  const { rows } = await sql<{
    now: number
    level: number | null
    filled_at: number | null
    paused_until: number | null
    version: number | null
  }>`
    select ${ms(databaseNow)} as now, level, ${ms(sql`filled_at`)} as filled_at, ${ms(sql`paused_until`)} as paused_until, version
    from (select 1) as one left join provider_budgets on provider = ${provider}`.execute(db.kysely)
  const [row] = rows
  const now = row?.now ?? 0
  return {
    bucket: {
      level: row?.level ?? capacity,
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
  { level, filledAt }: Bucket,
  version: number | null,
): Promise<boolean> {
  const at = sql`to_timestamp(${filledAt}::float8 / 1000)`
  const { rows } =
    version === null
      ? await sql`
          insert into provider_budgets (provider, level, filled_at) values (${provider}, ${level}, ${at})
          on conflict do nothing returning 1`.execute(db.kysely)
      : await sql`
          update provider_budgets set level = ${level}, filled_at = ${at}, version = version + 1
          where provider = ${provider} and version = ${version} returning 1`.execute(db.kysely)
  return rows.length > 0
}

/** Stops the calls of all processes until the provider accepts them again. */
export async function pauseCalls(db: Database, provider: string, forMs: number): Promise<void> {
  const until = databaseNowPlus(forMs)
  await sql`
    insert into provider_budgets as kept (provider, level, filled_at, paused_until) values (${provider}, 0, ${databaseNow}, ${until})
    on conflict (provider) do update set paused_until = greatest(kept.paused_until, excluded.paused_until), version = kept.version + 1`.execute(
    db.kysely,
  )
}

/** The budgets that calls have used, and the pauses in force, by provider. */
export async function readBudgets(
  db: Database,
): Promise<Map<string, { readonly level: number; readonly pausedUntil: Date | null }>> {
  const { rows } = await sql<{ provider: string; level: number; paused_until: Date | null }>`
    select provider, level, case when paused_until > ${databaseNow} then paused_until end as paused_until
    from provider_budgets`.execute(db.kysely)
  return new Map(
    rows.map(({ provider, level, paused_until }) => [provider, { level, pausedUntil: paused_until }]),
  )
}
