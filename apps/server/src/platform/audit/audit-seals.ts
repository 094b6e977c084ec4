import { sql } from 'kysely'
import type { Ctx } from '../ctx.ts'
import type { Queryable } from '../db/database.ts'
import { advisoryLocks } from '../db/locks-and-channels.ts'
import type { PeriodicTask } from '../jobs/periodic-task.ts'

/** The entries of one seal, at most: a statement has their hashes in memory. */
const SEALED_AT_ONCE = 2000
const SEALS_AT_ONCE = 20
const PROBLEMS_MAX = 20

/** The key by which entries are sealed; entries of an earlier version have no position. */
const keyOfEntry = sql`(coalesce(position, 0), id)`
const hashOfRows = sql`sha256(coalesce(string_agg(audit_row_hash(
  position, id, at, actor_kind, actor, credential, person_id, account_id, action, subject, address, request_id, details
), ''::bytea order by coalesce(position, 0), id), ''::bytea))`

/** A seal; its hash depends on all entries and seals up to it. */
export interface SealHead {
  readonly n: bigint
  readonly hash: string
  readonly sealedAt: Date
}

/** A seal with the key of its last entry. */
interface Seal extends SealHead {
  readonly lastPosition: bigint
  readonly lastId: string
}

const beforeAll: Seal = {
  n: 0n,
  hash: '00'.repeat(32),
  sealedAt: new Date(0),
  lastPosition: 0n,
  lastId: '00000000-0000-0000-0000-000000000000',
}
const columns = sql`n, encode(hash, 'hex') as hash, sealed_at as "sealedAt", last_position as "lastPosition", last_id as "lastId"`

async function lastSeal(db: Queryable): Promise<Seal | null> {
  const { rows } = await sql<Seal>`select ${columns} from audit_seals order by n desc limit 1`.execute(db)
  return rows[0] ?? null
}

export const newestSeal = (db: Queryable): Promise<SealHead | null> => lastSeal(db)

/**
 * Seals the next entries of transactions that have ended, before which no other entry can appear any more.
 * @returns null when there is none, or when another process seals
 */
export const sealAudit = (ctx: Pick<Ctx, 'db'>): Promise<SealHead | null> =>
  ctx.db.tx(async (tx) => {
    const { rows: locks } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(${advisoryLocks.auditSeals}) as locked`.execute(tx)
    if (!locks[0]?.locked) return null
    const { n, hash, lastPosition, lastId } = (await lastSeal(tx)) ?? beforeAll
    const { rows } = await sql<Seal>`
      with taken as (
        select * from audit_log
        where ${keyOfEntry} > (${lastPosition}::bigint, ${lastId}::uuid)
          and coalesce(position, 0) < (select transaction_horizon())
        order by coalesce(position, 0), id limit ${SEALED_AT_ONCE}
      ), sealed as (
        select count(*)::int as entries, ${hashOfRows} as hash_of_rows from taken
      ), last as (
        select coalesce(position, 0) as position, id from taken order by coalesce(position, 0) desc, id desc limit 1
      ), head as (
        select ${n}::bigint + 1 as n, decode(${hash}, 'hex') as prev_hash, date_trunc('milliseconds', statement_timestamp()) as sealed_at
      )
      insert into audit_seals (n, last_position, last_id, entries, sealed_at, prev_hash, hash)
      select head.n, last.position, last.id, entries, sealed_at, prev_hash,
        audit_seal_hash(prev_hash, head.n, last.position, last.id, entries, sealed_at, hash_of_rows)
      from head, sealed, last
      returning ${columns}`.execute(tx)
    return rows[0] ?? null
  })

/**
 * Seals all entries that can be sealed, and writes the head to the log and to the object store: a copy outside of the database shows that
 * the chain was not rewritten. The object store has the last head of each day.
 */
export function sealAuditTask(ctx: Pick<Ctx, 'db' | 'log' | 'files'>): PeriodicTask {
  /** Kept until the object store has it. */
  let unpublished: SealHead | null = null
  return {
    name: 'seal-audit-log',
    pauseMs: 60_000,
    isSlow: true,
    async run(signal) {
      let head: SealHead | null = null
      for (;;) {
        const next = signal.aborted ? null : await sealAudit(ctx)
        if (next === null) break
        head = next
      }
      if (head !== null) {
        ctx.log.info({ seal: String(head.n), head: head.hash }, 'the audit log was sealed')
        unpublished = head
      }
      if (unpublished === null) return
      await ctx.files.publish(headName(unpublished), headText(unpublished))
      unpublished = null
    },
  }
}

const headName = ({ sealedAt }: SealHead): string =>
  `audit_head_${sealedAt.toISOString().slice(0, 10).replaceAll('-', '')}`
const headText = ({ n, hash, sealedAt }: SealHead): string =>
  `${JSON.stringify({ seal: String(n), head: hash, sealedAt: sealedAt.toISOString() })}\n`

/** The highest position of an entry. */
export async function newestAuditPosition(db: Queryable): Promise<bigint> {
  const { rows } = await sql<{ position: bigint }>`
    select coalesce(position, 0) as position from audit_log order by coalesce(position, 0) desc, id desc limit 1`.execute(
    db,
  )
  return rows[0]?.position ?? 0n
}

interface CheckedSeal {
  readonly n: bigint
  readonly hash: string
  readonly prevHash: string
  readonly entries: number
  readonly found: number
  /** The hash of the seal with the entries that were found. */
  readonly computed: string
}

/** The next seals, each with the entries that are in its place now. */
async function checkedSeals(db: Queryable, after: bigint): Promise<CheckedSeal[]> {
  const { rows } = await sql<CheckedSeal>`
    select seal.n, encode(seal.hash, 'hex') as hash, encode(seal.prev_hash, 'hex') as "prevHash", seal.entries, present.found,
      encode(audit_seal_hash(
        seal.prev_hash, seal.n, seal.last_position, seal.last_id, seal.entries, seal.sealed_at, present.hash_of_rows
      ), 'hex') as computed
    from audit_seals seal
    left join lateral (select last_position, last_id from audit_seals where n < seal.n order by n desc limit 1) former on true
    cross join lateral (
      select count(*)::int as found, ${hashOfRows} as hash_of_rows from audit_log
      where ${keyOfEntry} > (
          coalesce(former.last_position, ${beforeAll.lastPosition}), coalesce(former.last_id, ${beforeAll.lastId})
        )
        and ${keyOfEntry} <= (seal.last_position, seal.last_id)
    ) present
    where seal.n > ${after} order by seal.n limit ${SEALS_AT_ONCE}`.execute(db)
  return rows
}

export interface AuditVerification {
  readonly seals: number
  readonly entries: number
  /** Entries after the last seal. */
  readonly unsealed: number
  readonly head: SealHead | null
  /** Null when no head was given. */
  readonly hasHead: boolean | null
  /** Empty when everything is as it was sealed; not more than the first twenty. */
  readonly problems: readonly string[]
}

/**
 * Computes all seals again.
 * @param head the hash of a seal from outside of the database
 */
export async function verifyAudit(db: Queryable, head: string | null): Promise<AuditVerification> {
  const problems: string[] = []
  let [seals, entries, last, former, hasHead] = [0, 0, beforeAll.n, beforeAll.hash, false]
  for (;;) {
    const slice = await checkedSeals(db, last)
    for (const seal of slice) {
      problems.push(...problemsOf(seal, last, former))
      hasHead ||= seal.hash === head
      seals += 1
      entries += seal.found
      last = seal.n
      former = seal.hash
    }
    if (slice.length < SEALS_AT_ONCE || problems.length >= PROBLEMS_MAX) break
  }
  const early = await countEarly(db)
  if (early > 0) problems.push(`Entries were inserted before those of the first seal: ${early}.`)
  const newest = await lastSeal(db)
  const { lastPosition, lastId } = newest ?? beforeAll
  const { rows } = await sql<{ unsealed: number }>`
    select count(*)::int as unsealed from audit_log
    where ${keyOfEntry} > (${lastPosition}::bigint, ${lastId}::uuid)`.execute(db)
  return {
    seals,
    entries,
    unsealed: rows[0]?.unsealed ?? 0,
    head: newest,
    hasHead: head === null ? null : hasHead,
    problems: problems.slice(0, PROBLEMS_MAX),
  }
}

/** Entries where the gateway writes none, which no seal contains. */
async function countEarly(db: Queryable): Promise<number> {
  const { rows } = await sql<{ early: number }>`
    select count(*)::int as early from audit_log
    where ${keyOfEntry} <= (${beforeAll.lastPosition}::bigint, ${beforeAll.lastId}::uuid)`.execute(db)
  return rows[0]?.early ?? 0
}

function problemsOf(
  { n, prevHash, entries, found, hash, computed }: CheckedSeal,
  last: bigint,
  former: string,
) {
  const problems: string[] = []
  if (n !== last + 1n) problems.push(`The seals ${last + 1n} to ${n - 1n} are missing.`)
  if (prevHash !== former) problems.push(`Seal ${n} does not follow the seal before it.`)
  if (found < entries) problems.push(`Entries of seal ${n} are missing: ${entries - found} of ${entries}.`)
  else if (found > entries)
    problems.push(`Entries were inserted among those of seal ${n}: ${found - entries}.`)
  else if (hash !== computed) problems.push(`Entries of seal ${n}, or the seal, were changed.`)
  return problems
}
