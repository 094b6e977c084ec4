import { type MerchantId, PersonId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { insertMerchant, type NewMerchant } from '../merchants/store-merchants.ts'
import { insertPerson, type NewPerson } from '../persons/store-persons.ts'
import { memberships } from '../tables.ts'

export type Membership = EntityOf<typeof memberships>

export async function insertMembership(
  tx: Tx,
  membership: Pick<Membership, 'merchantId' | 'personId' | 'role' | 'applications' | 'createdAt'>,
): Promise<void> {
  await tx.insertInto('memberships').values(memberships.row(membership)).execute()
}

/** Inserts a merchant with the person who owns it. */
export async function insertOwnedMerchant(tx: Tx, merchant: NewMerchant, owner: NewPerson): Promise<void> {
  await insertPerson(tx, owner)
  await insertMerchant(tx, merchant)
  const { id: merchantId, createdAt } = merchant
  const { personId } = owner
  await insertMembership(tx, { merchantId, personId, role: 'owner', applications: null, createdAt })
}

export async function ownerOf(q: Queryable, merchantId: MerchantId): Promise<PersonId> {
  const { person_id } = await q
    .selectFrom('memberships')
    .select('person_id')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return idFrom(PersonId, person_id)
}

/** The members of a merchant who are members of no other. */
export async function personsOfOnly(q: Queryable, merchantId: MerchantId): Promise<readonly string[]> {
  const { rows } = await sql<{ person_id: string }>`
    select person_id from memberships member where merchant_id = ${uuidOf(merchantId)} and not exists (
      select from memberships other where other.person_id = member.person_id and other.merchant_id <> member.merchant_id
    )`.execute(q)
  return rows.map((row) => row.person_id)
}

/** Ends all memberships of a merchant, and deletes the persons who have no other. */
export async function deleteMemberships(tx: Tx, merchantId: MerchantId): Promise<void> {
  const merchant = uuidOf(merchantId)
  const ended = await tx
    .deleteFrom('memberships')
    .where('merchant_id', '=', merchant)
    .returning('person_id')
    .execute()
  await deletePersonsWithoutMembership(
    tx,
    ended.map((each) => each.person_id),
  )
}

/**
 * Deletes those who are members of no merchant, so that their emails are free. They are locked first: one of them may become a member of
 * another merchant at the same moment, which only a later statement sees.
 */
export async function deletePersonsWithoutMembership(tx: Tx, persons: readonly string[]): Promise<void> {
  if (persons.length === 0) return
  await tx.selectFrom('persons').select('id').where('id', 'in', persons).orderBy('id').forUpdate().execute()
  await tx
    .deleteFrom('persons')
    .where('id', 'in', persons)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memberships').select('person_id').whereRef('memberships.person_id', '=', 'persons.id'),
        ),
      ),
    )
    .execute()
}
