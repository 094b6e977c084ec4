import { type ApplicationId, MerchantId, PersonId } from '@muripo/contract/ids'
import type { Role } from '@muripo/contract/permissions'
import { type MerchantOfPerson, TEAM_MAX, type TeamMember, type TeamPolicy } from '@muripo/contract/team'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { advisoryLocks } from '../../../platform/db/locks-and-channels.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import type { Recipient } from '../../../platform/mail/recipient.ts'
import { hasPasskey, hasSecondFactor } from '../persons/store-persons.ts'
import { memberships, persons } from '../tables.ts'
import { deletePersonsWithoutMembership, type Membership } from './store-memberships.ts'

/** Orders the changes of a team until the transaction ends. */
export async function lockTeam(tx: Tx, merchantId: MerchantId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLocks.team}, hashtext(${uuidOf(merchantId)}))`.execute(tx)
}

const member = memberships.view(['personId', 'role', 'applications', 'lastSeenAt'])
const names = persons.view(['fullname', 'email'])

/** The members of a merchant, the owner first, then by the time at which they joined. */
export async function listMembers(q: Queryable, merchantId: MerchantId): Promise<TeamMember[]> {
  const { rows } = await sql<Record<string, unknown> & Pick<TeamMember, 'secondFactor' | 'passkey'>>`
    select ${member.selectList}, ${names.selectList},
      ${hasSecondFactor('memberships.person_id')} as "secondFactor", ${hasPasskey('memberships.person_id')} as passkey
    from memberships join persons on persons.id = person_id
    where merchant_id = ${uuidOf(merchantId)} order by role <> 'owner', memberships.created_at, person_id`.execute(
    q,
  )
  return rows.map((row) => {
    const { personId: id, role, applications, lastSeenAt } = member.read(row)
    return {
      id,
      ...names.read(row),
      role,
      applications: applications === null ? null : [...applications],
      lastSeenAt: lastSeenAt?.toISOString() ?? null,
      secondFactor: row.secondFactor,
      passkey: row.passkey,
    }
  })
}

export async function findPolicy(q: Queryable, merchantId: MerchantId): Promise<TeamPolicy> {
  const { second_factor_since: secondFactor, passkey_since: passkey } = await q
    .selectFrom('merchants')
    .where('id', '=', uuidOf(merchantId))
    .select(['second_factor_since', 'passkey_since'])
    .executeTakeFirstOrThrow()
  return {
    requireSecondFactor: secondFactor !== null,
    requiredSince: secondFactor?.toISOString() ?? null,
    requirePasskey: passkey !== null,
    passkeyRequiredSince: passkey?.toISOString() ?? null,
  }
}

export async function updatePolicy(
  tx: Tx,
  merchantId: MerchantId,
  {
    requireSecondFactor,
    requirePasskey,
  }: Partial<Pick<TeamPolicy, 'requireSecondFactor' | 'requirePasskey'>>,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('merchants')
    .set({
      ...(requireSecondFactor !== undefined && { second_factor_since: requireSecondFactor ? at : null }),
      ...(requirePasskey !== undefined && { passkey_since: requirePasskey ? at : null }),
    })
    .where('id', '=', uuidOf(merchantId))
    .execute()
}

export async function findMembership(
  q: Queryable,
  merchantId: MerchantId,
  personId: PersonId,
): Promise<Membership | null> {
  const row = await q
    .selectFrom('memberships')
    .select(memberships.names)
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('person_id', '=', uuidOf(personId))
    .executeTakeFirst()
  return row ? memberships.read(row) : null
}

export async function countMembers(q: Queryable, merchantId: MerchantId): Promise<number> {
  const { count } = await q
    .selectFrom('memberships')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('merchant_id', '=', uuidOf(merchantId))
    .executeTakeFirstOrThrow()
  return count
}

/** Whether a person with the email is a member. */
export async function isMember(q: Queryable, merchantId: MerchantId, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from memberships join persons on persons.id = person_id
    where merchant_id = ${uuidOf(merchantId)} and lower(email) = lower(${email}::text)`.execute(q)
  return rows.length > 0
}

export async function updateMembership(
  tx: Tx,
  { merchantId, personId }: Pick<Membership, 'merchantId' | 'personId'>,
  change: Pick<Membership, 'role' | 'applications'>,
): Promise<void> {
  await tx
    .updateTable('memberships')
    .set(memberships.row(change))
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('person_id', '=', uuidOf(personId))
    .execute()
}

/** Ends a membership. A person without another one is deleted, so that the email is free. */
export async function deleteMembership(tx: Tx, merchantId: MerchantId, personId: PersonId): Promise<void> {
  const person = uuidOf(personId)
  await tx
    .deleteFrom('memberships')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('person_id', '=', person)
    .execute()
  await deletePersonsWithoutMembership(tx, [person])
}

/** The admins who see an application, as addressees of notices in their language. */
export async function adminsOf(
  q: Queryable,
  merchantId: MerchantId,
  applicationId: ApplicationId,
): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select persons.email, persons.fullname, merchants.time_zone as "timeZone", persons.locale
    from memberships join persons on persons.id = person_id join merchants on merchants.id = merchant_id
    where merchant_id = ${uuidOf(merchantId)} and role = 'admin'
      and (applications is null or ${uuidOf(applicationId)} = any (applications))
    order by person_id limit ${TEAM_MAX}`.execute(q)
  return rows
}

const MERCHANTS_SHOWN = 500

/** The merchants of a person, by name. */
export async function merchantsOfPerson(
  q: Queryable,
  personId: PersonId,
): Promise<Omit<MerchantOfPerson, 'current'>[]> {
  const rows = await q
    .selectFrom('memberships')
    .innerJoin('merchants', 'merchants.id', 'merchant_id')
    .select(['merchant_id', 'fullname', 'role'])
    .where('person_id', '=', uuidOf(personId))
    .orderBy('fullname')
    .orderBy('merchant_id')
    .limit(MERCHANTS_SHOWN)
    .execute()
  return rows.map(({ merchant_id, fullname, role }) => ({
    id: idFrom(MerchantId, merchant_id),
    name: fullname,
    role: role as Role,
  }))
}

export interface HandOver {
  readonly from: PersonId
  readonly to: PersonId
  readonly expiresAt: Date
}

/** Starts a hand-over; an earlier one ends. */
export async function upsertHandOver(
  tx: Tx,
  merchantId: MerchantId,
  handOver: HandOver,
  now: Date,
): Promise<void> {
  const values = {
    from_person: uuidOf(handOver.from),
    to_person: uuidOf(handOver.to),
    created_at: now,
    expires_at: handOver.expiresAt,
  }
  await tx
    .insertInto('ownership_transfers')
    .values({ merchant_id: uuidOf(merchantId), ...values })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(values))
    .execute()
}

/** The hand-over of a merchant that has not expired. */
export async function findHandOver(
  q: Queryable,
  merchantId: MerchantId,
  now: Date,
): Promise<HandOver | null> {
  const row = await q
    .selectFrom('ownership_transfers')
    .selectAll()
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return null
  return {
    from: idFrom(PersonId, row.from_person),
    to: idFrom(PersonId, row.to_person),
    expiresAt: row.expires_at,
  }
}

export async function deleteHandOver(tx: Tx, merchantId: MerchantId): Promise<void> {
  await tx.deleteFrom('ownership_transfers').where('merchant_id', '=', uuidOf(merchantId)).execute()
}

/** Notices to the merchant go to its owner, in the owner's language. */
export async function addressNoticesTo(tx: Tx, merchantId: MerchantId, personId: PersonId): Promise<void> {
  await sql`
    update merchants set email = persons.email, locale = persons.locale from persons
    where merchants.id = ${uuidOf(merchantId)} and persons.id = ${uuidOf(personId)}`.execute(tx)
}
