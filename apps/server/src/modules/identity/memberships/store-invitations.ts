import type { MerchantId } from '@muripo/contract/ids'
import type { Invitation as WireInvitation } from '@muripo/contract/team'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { invitations } from '../tables.ts'

export type Invitation = EntityOf<typeof invitations>

export const invitationToWire = ({
  id,
  email,
  role,
  applications,
  expiresAt,
}: Invitation): WireInvitation => ({
  id,
  email,
  role,
  applications: applications === null ? null : [...applications],
  expiresAt: expiresAt.toISOString(),
})

export async function insertInvitation(tx: Tx, invitation: Invitation, createdAt: Date): Promise<void> {
  await tx
    .insertInto('invitations')
    .values(invitations.row({ ...invitation, createdAt }))
    .execute()
}

/** The open invitations of a merchant, the newest first. */
export async function openInvitations(
  q: Queryable,
  merchantId: MerchantId,
  now: Date,
): Promise<Invitation[]> {
  const rows = await q
    .selectFrom('invitations')
    .select(invitations.names)
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(invitations.read)
}

/** The open invitation of a link. */
export async function invitationByToken(
  q: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<Invitation | null> {
  const row = await q
    .selectFrom('invitations')
    .select(invitations.names)
    .where('token_hash', '=', tokenHash)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row ? invitations.read(row) : null
}

/** Ends an open invitation. Returns its role, to one caller only. */
export async function endInvitation(
  tx: Tx,
  { merchantId, id }: Pick<Invitation, 'merchantId' | 'id'>,
  at: Date,
): Promise<Invitation['role'] | null> {
  const row = await tx
    .updateTable('invitations')
    .set({ ended_at: at })
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    .where('ended_at', 'is', null)
    .returning('role')
    .executeTakeFirst()
  return row ? (row.role as Invitation['role']) : null
}

/** Ends the invitation of an email that is not accepted, also when it has expired. Returns its role, unless it has expired. */
export async function endInvitationOf(
  tx: Tx,
  merchantId: MerchantId,
  email: string,
  at: Date,
): Promise<Invitation['role'] | null> {
  const { rows } = await sql<{ role: Invitation['role'] | null }>`
    update invitations set ended_at = ${at}
    where merchant_id = ${uuidOf(merchantId)} and lower(email) = lower(${email}::text) and ended_at is null
    returning case when expires_at > ${at} then role end as role`.execute(tx)
  return rows[0]?.role ?? null
}

/** Deletes invitations that were made before a moment: a slice at a time. */
export async function deleteOldInvitations(q: Queryable, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from invitations where (merchant_id, id) in (
      select merchant_id, id from invitations where created_at < ${before}
      order by created_at limit ${limit} for update skip locked
    )`.execute(q)
  return Number(numAffectedRows ?? 0n)
}
