import type { AccountSession } from '@muripo/contract/account'
import type { ApplicationId, PersonId, SessionId } from '@muripo/contract/ids'
import type { MerchantStatus } from '@muripo/contract/merchant-statuses'
import type { Role } from '@muripo/contract/permissions'
import { sql } from 'kysely'
import { alignRows, batched, type RowKey } from '../../../platform/db/batcher.ts'
import { type Queryable, runPrepared, type Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { isActive } from '../merchants/machine.ts'
import { hasPasskey, hasSecondFactor } from '../persons/store-persons.ts'
import { memberships, sessions } from '../tables.ts'
import type { TokenSubject } from './tokens.ts'

export type Session = EntityOf<typeof sessions>

/** A session of a person at a merchant. */
export type SessionSubject = Pick<Session, 'merchantId' | 'personId' | 'sessionId'>

export type EndReason =
  | 'signed_out'
  | 'refresh_reused'
  | 'password_reset'
  | 'operator'
  | 'password_changed'
  | 'ended_by_owner'
  | 'signed_out_everywhere'
  | 'membership_ended'

/** The origin of a session, as the owner sees it. */
export interface OpenedFrom {
  readonly browser: string
  readonly network: string
}

const keyOf = (subject: TokenSubject) =>
  ({ merchant_id: uuidOf(subject.merchantId), id: uuidOf(subject.sessionId) }) as const

const tokenKeyOf = (subject: TokenSubject) =>
  ({ merchant_id: uuidOf(subject.merchantId), session_id: uuidOf(subject.sessionId) }) as const

/** Opens a session; its person is seen at its merchant with it. */
export async function insertSession(
  tx: Tx,
  { merchantId, personId, sessionId }: SessionSubject,
  {
    createdAt,
    expiresAt,
    authenticatedAt,
  }: Pick<Session, 'expiresAt' | 'authenticatedAt'> & { createdAt: Date },
  { browser, network }: OpenedFrom,
): Promise<void> {
  const opened = {
    merchantId,
    personId,
    sessionId,
    createdAt,
    lastUsedAt: createdAt,
    expiresAt,
    authenticatedAt,
    browser,
    network,
  }
  await tx
    .with('opened', (query) =>
      query.insertInto('sessions').values(sessions.row(opened)).returning(['merchant_id', 'person_id']),
    )
    .updateTable('memberships')
    .from('opened')
    .set({ last_seen_at: createdAt })
    .whereRef('memberships.merchant_id', '=', 'opened.merchant_id')
    .whereRef('memberships.person_id', '=', 'opened.person_id')
    .execute()
}

/** A session with the membership of its person. A session ends with the membership. */
export interface MemberSession extends Session {
  readonly role: Role
  /** The applications to which the membership is limited; null when it is not limited. */
  readonly applications: readonly ApplicationId[] | null
  /** Whether the merchant is neither suspended nor closed. */
  readonly merchantActive: boolean
  /** The time since which the member needs a second factor; null where the merchant requires none. */
  readonly secondFactorSince: Date | null
  /** The time since which the member needs a passkey; null where the merchant requires none. */
  readonly passkeySince: Date | null
  /** Whether the person has an authenticator app or a passkey; false where the merchant requires nothing. */
  readonly hasSecondFactor: boolean
  /** The same of a passkey. */
  readonly hasPasskey: boolean
}

/** Calls of a burst share one statement: however many calls a merchant makes at once, they occupy two database sessions. */
export const findSession = (q: Queryable, subject: TokenSubject): Promise<MemberSession | null> =>
  findMany(q, keyOf(subject))

type Row = RowKey<'merchant_id'> &
  Pick<MemberSession, 'secondFactorSince' | 'passkeySince' | 'hasSecondFactor' | 'hasPasskey'> & {
    readonly merchant_status: MerchantStatus
  }

const membership = memberships.view(['role', 'applications'])

/** A requirement begins for a member who joins later with the membership. */
const sinceForMember = (name: 'second_factor_since' | 'passkey_since') => {
  const since = sql.ref(`merchants.${name}`)
  return sql`case when ${since} is not null then greatest(${since}, memberships.created_at) end`
}

const columns = sql`${sessions.selectList}, ${membership.selectList},
  merchants.status as merchant_status,
  ${sinceForMember('second_factor_since')} as "secondFactorSince", ${sinceForMember('passkey_since')} as "passkeySince",
  merchants.second_factor_since is not null and ${hasSecondFactor('sessions.person_id')} as "hasSecondFactor",
  merchants.passkey_since is not null and ${hasPasskey('sessions.person_id')} as "hasPasskey"`

const withMembership = sql`
  sessions join memberships using (merchant_id, person_id) join merchants on merchants.id = sessions.merchant_id`

const findMany = batched<Queryable, RowKey<'merchant_id'>, MemberSession | null>(async (q, rowKeys) => {
  const find = sql<Row>`
    select ${columns} from ${withMembership}
    join json_to_recordset(${JSON.stringify(rowKeys)}) as row_keys (merchant_id uuid, id uuid)
      on row_keys.merchant_id = sessions.merchant_id and row_keys.id = sessions.id`
  return alignRows(rowKeys, await runPrepared(q, 'find-sessions', find)).map((row) =>
    row ? toSession(row) : null,
  )
})

const toSession = (row: Row): MemberSession => ({
  ...sessions.read(row),
  ...membership.read(row),
  merchantActive: isActive(row.merchant_status),
  secondFactorSince: row.secondFactorSince,
  passkeySince: row.passkeySince,
  hasSecondFactor: row.hasSecondFactor,
  hasPasskey: row.hasPasskey,
})

/** Locks a session until the transaction ends, so that no concurrent transaction replaces its refresh token. */
export async function lockSession(tx: Tx, subject: TokenSubject): Promise<MemberSession | null> {
  const { merchant_id, id } = keyOf(subject)
  const { rows } = await sql<Row>`
    select ${columns} from ${withMembership}
    where sessions.merchant_id = ${merchant_id} and sessions.id = ${id} for update of sessions`.execute(tx)
  return rows[0] ? toSession(rows[0]) : null
}

const openSessions = sessions.view(['sessionId', 'browser', 'network', 'createdAt', 'lastUsedAt'])

const SESSIONS_SHOWN = 100

/** Active sessions of a person, the most recently used first. */
export async function findOpenSessions(
  q: Queryable,
  personId: PersonId,
  { now, usedSince }: { now: Date; usedSince: Date },
): Promise<Omit<AccountSession, 'current'>[]> {
  const rows = await q
    .selectFrom('sessions')
    .where('person_id', '=', uuidOf(personId))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', usedSince)
    .select(openSessions.names)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SESSIONS_SHOWN)
    .execute()
  return rows.map((row) => {
    const { sessionId, browser, network, createdAt, lastUsedAt } = openSessions.read(row)
    const signedInAt = createdAt.toISOString()
    return { _id: sessionId, browser, network, signedInAt, lastUsedAt: lastUsedAt.toISOString() }
  })
}

/** Records a use of a session, and that its person was seen at its merchant. */
export async function touchSession(q: Queryable, subject: TokenSubject, now: Date): Promise<void> {
  const { merchant_id, id } = keyOf(subject)
  await sql`
    with used as (
      update sessions set last_used_at = ${now} where merchant_id = ${merchant_id} and id = ${id} and last_used_at < ${now}
      returning merchant_id, person_id
    )
    update memberships set last_seen_at = ${now} from used
    where memberships.merchant_id = used.merchant_id and memberships.person_id = used.person_id`.execute(q)
}

/** Records that the person of a session has entered the password or a code again. */
export async function recordAuthentication(tx: Tx, subject: TokenSubject, at: Date): Promise<void> {
  const { merchant_id, id } = keyOf(subject)
  await tx
    .updateTable('sessions')
    .set({ authenticated_at: at })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
}

/** The sessions that end together: one, or all of a person, everywhere or at one merchant. */
export type EndedSessions = Partial<SessionSubject> &
  (Pick<SessionSubject, 'sessionId'> | Pick<SessionSubject, 'personId'>)

/** Ends open sessions. @returns their number */
export async function endSessionsOf(
  tx: Tx,
  { merchantId, personId, sessionId }: EndedSessions,
  reason: EndReason,
  now: Date,
  except: SessionId | null = null,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ ended_at: now, end_reason: reason })
    .where('ended_at', 'is', null)
    .where((eb) =>
      eb.and({
        ...(merchantId && { merchant_id: uuidOf(merchantId) }),
        ...(personId && { person_id: uuidOf(personId) }),
        ...(sessionId && { id: uuidOf(sessionId) }),
      }),
    )
    .$if(except !== null, (query) => query.where('id', '!=', except && uuidOf(except)))
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
