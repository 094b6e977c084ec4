import type { AccountSession } from '@muripo/contract/account'
import type { MerchantStatus } from '@muripo/contract/enums'
import type { MerchantId, SessionId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { alignRows, batched, type RowKey } from '../../../platform/db/batcher.ts'
import { type Queryable, runPrepared, type Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { isActive } from '../accounts/machine.ts'
import { sessions } from '../tables.ts'
import type { TokenSubject } from './tokens.ts'

export type Session = EntityOf<typeof sessions>

export type EndReason =
  | 'signed_out'
  | 'refresh_reused'
  | 'password_reset'
  | 'operator'
  | 'password_changed'
  | 'ended_by_owner'
  | 'signed_out_everywhere'

/** The origin of a session, as the owner sees it. */
export interface OpenedFrom {
  readonly browser: string
  readonly network: string
}

const keyOf = (subject: TokenSubject) =>
  ({ merchant_id: uuidOf(subject.merchantId), id: uuidOf(subject.sessionId) }) as const

const tokenKeyOf = (subject: TokenSubject) =>
  ({ merchant_id: uuidOf(subject.merchantId), session_id: uuidOf(subject.sessionId) }) as const

export async function insertSession(
  tx: Tx,
  { merchantId, sessionId }: TokenSubject,
  { createdAt, expiresAt }: { createdAt: Date; expiresAt: Date },
  { browser, network }: OpenedFrom,
): Promise<void> {
  const opened = { merchantId, sessionId, createdAt, lastUsedAt: createdAt, expiresAt, browser, network }
  await tx.insertInto('sessions').values(sessions.row(opened)).execute()
}

/** A session, and whether its merchant is neither suspended nor closed. */
export interface MerchantsSession extends Session {
  readonly merchantActive: boolean
}

/** Calls of a burst share one statement: however many calls a merchant makes at once, they occupy two database sessions. */
export const findSession = (q: Queryable, subject: TokenSubject): Promise<MerchantsSession | null> =>
  findMany(q, keyOf(subject))

type Row = RowKey<'merchant_id'> & { readonly merchant_status: MerchantStatus }

const columns = sql`${sessions.selectList},
  (select status from merchants where merchants.id = sessions.merchant_id) as merchant_status`

const findMany = batched<Queryable, RowKey<'merchant_id'>, MerchantsSession | null>(async (q, rowKeys) => {
  const find = sql<Row>`
    select ${columns} from sessions
    join json_to_recordset(${JSON.stringify(rowKeys)}) as row_keys (merchant_id uuid, id uuid) using (merchant_id, id)`
  return alignRows(rowKeys, await runPrepared(q, 'find-sessions', find)).map((row) =>
    row ? toSession(row) : null,
  )
})

const toSession = (row: Row): MerchantsSession => ({
  ...sessions.read(row),
  merchantActive: isActive(row.merchant_status),
})

/** Locks a session until the transaction ends, so that no concurrent transaction replaces its refresh token. */
export async function lockSession(tx: Tx, subject: TokenSubject): Promise<MerchantsSession | null> {
  const { merchant_id, id } = keyOf(subject)
  const { rows } = await sql<Row>`
    select ${columns} from sessions where merchant_id = ${merchant_id} and id = ${id} for update of sessions`.execute(
    tx,
  )
  return rows[0] ? toSession(rows[0]) : null
}

/** The existing sessions among these. */
export async function findSessions(q: Queryable, subjects: readonly TokenSubject[]): Promise<Session[]> {
  if (subjects.length === 0) return []
  const rows = await q
    .selectFrom('sessions')
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('merchant_id', 'id'),
        'in',
        subjects.map((subject) => tuple(uuidOf(subject.merchantId), uuidOf(subject.sessionId))),
      ),
    )
    .select(sessions.names)
    .execute()
  return rows.map(sessions.read)
}

const openSessions = sessions.view(['sessionId', 'browser', 'network', 'createdAt', 'lastUsedAt'])

/** Active sessions of a merchant, the most recently used first. */
export async function findOpenSessions(
  q: Queryable,
  merchantId: MerchantId,
  { now, usedSince }: { now: Date; usedSince: Date },
): Promise<Omit<AccountSession, 'current'>[]> {
  const rows = await q
    .selectFrom('sessions')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', usedSince)
    .select(openSessions.names)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => {
    const { sessionId, browser, network, createdAt, lastUsedAt } = openSessions.read(row)
    const signedInAt = createdAt.toISOString()
    return { _id: sessionId, browser, network, signedInAt, lastUsedAt: lastUsedAt.toISOString() }
  })
}

export async function touchSession(q: Queryable, subject: TokenSubject, now: Date): Promise<void> {
  const { merchant_id, id } = keyOf(subject)
  await q
    .updateTable('sessions')
    .set({ last_used_at: now })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .where('last_used_at', '<', now)
    .execute()
}

/** False when the session does not exist or has ended already. */
export async function endSession(
  tx: Tx,
  subject: TokenSubject,
  reason: EndReason,
  now: Date,
): Promise<boolean> {
  const { merchant_id, id } = keyOf(subject)
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ ended_at: now, end_reason: reason })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function endSessionsOf(
  tx: Tx,
  merchantId: MerchantId,
  reason: EndReason,
  now: Date,
  except: SessionId | null,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ ended_at: now, end_reason: reason })
    .where('merchant_id', '=', uuidOf(merchantId))
    .$if(except !== null, (query) => query.where('id', '!=', except && uuidOf(except)))
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export interface RefreshToken {
  readonly id: string
  readonly issuedAt: Date
  readonly usedAt: Date | null
  readonly successorId: string | null
}

export async function insertRefreshToken(
  tx: Tx,
  subject: TokenSubject,
  issued: { id: string; issuedAt: Date },
): Promise<void> {
  await tx
    .insertInto('refresh_tokens')
    .values({ ...tokenKeyOf(subject), id: issued.id, issued_at: issued.issuedAt })
    .execute()
}

export async function findRefreshToken(
  q: Queryable,
  subject: TokenSubject,
  id: string,
): Promise<RefreshToken | null> {
  const { merchant_id, session_id } = tokenKeyOf(subject)
  const row = await q
    .selectFrom('refresh_tokens')
    .where('merchant_id', '=', merchant_id)
    .where('session_id', '=', session_id)
    .where('id', '=', id)
    .select(['issued_at', 'used_at', 'successor_id'])
    .executeTakeFirst()
  return row ? { id, issuedAt: row.issued_at, usedAt: row.used_at, successorId: row.successor_id } : null
}

export async function replaceRefreshToken(
  tx: Tx,
  subject: TokenSubject,
  { id, usedAt, successorId }: Record<'id' | 'successorId', string> & { readonly usedAt: Date },
): Promise<void> {
  const { merchant_id, session_id } = tokenKeyOf(subject)
  await tx
    .updateTable('refresh_tokens')
    .set({ used_at: usedAt, successor_id: successorId })
    .where('merchant_id', '=', merchant_id)
    .where('session_id', '=', session_id)
    .where('id', '=', id)
    .execute()
}

/** Deletes sessions that expired before a moment, with their refresh tokens: a slice at a time. */
export async function deleteOldSessions(q: Queryable, expiredBefore: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sessions where (merchant_id, id) in (
      select merchant_id, id from sessions where expires_at < ${expiredBefore}
      order by expires_at limit ${limit} for update skip locked
    )`.execute(q)
  return Number(numAffectedRows ?? 0n)
}
