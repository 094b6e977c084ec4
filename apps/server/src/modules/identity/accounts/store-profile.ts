import type { Account as AccountPage } from '@muripo/contract/account'
import type { Locale } from '@muripo/contract/enums'
import type { MerchantId, PersonId } from '@muripo/contract/ids'
import { permissionsOf } from '@muripo/contract/permissions'
import { sql } from 'kysely'
import { type Queryable, runPrepared, type Tx } from '../../../platform/db/database.ts'
import { invariant } from '../../../platform/errors.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { isActive } from '../merchants/machine.ts'
import { memberships, merchants, persons } from '../tables.ts'

const ofMerchant = merchants.view(['phone', 'accountType', 'timeZone', 'createdAt', 'status', 'statusChange'])
const ofPerson = persons.view(['fullname', 'email', 'locale'])
const ofMembership = memberships.view(['role', 'applications'])

type Row = Readonly<Record<string, unknown>> & {
  readonly merchant_name: string
  readonly merchant_count: number
}

/** The person of a session, the merchant and the membership between the two. */
export async function findProfile(
  q: Queryable,
  { merchantId, personId }: { readonly merchantId: MerchantId; readonly personId: PersonId },
  gatewayMode: AccountPage['gatewayMode'],
): Promise<AccountPage> {
  const find = sql<Row>`
    select ${ofMerchant.selectList}, merchants.fullname as merchant_name,
      (select count(*)::int from memberships own where own.person_id = persons.id) as merchant_count, ${ofPerson.selectList}, ${ofMembership.selectList}
    from memberships join merchants on merchants.id = merchant_id join persons on persons.id = person_id
    where merchant_id = ${uuidOf(merchantId)} and person_id = ${uuidOf(personId)}`
  const [row] = await runPrepared(q, 'find-profile', find)
  invariant(row, 'a session has a membership')
  const { createdAt, statusChange, ...merchant } = ofMerchant.read(row)
  const { role, applications } = ofMembership.read(row)
  return {
    ...ofPerson.read(row),
    ...merchant,
    createdAt: createdAt.toISOString(),
    statusReason: isActive(merchant.status) ? null : (statusChange?.reason ?? null),
    gatewayMode,
    merchant: { id: merchantId, name: row.merchant_name },
    merchantCount: row.merchant_count,
    role,
    permissions: [...permissionsOf[role]],
    applications: applications === null ? null : [...applications],
  }
}

export interface Settings {
  readonly timeZone: string
  readonly locale: Locale | null
}

/** The settings that a call may change: the time zone of the merchant, and the language of the person. */
export async function lockSettings(tx: Tx, merchantId: MerchantId, personId: PersonId): Promise<Settings> {
  const merchant = await tx
    .selectFrom('merchants')
    .where('id', '=', uuidOf(merchantId))
    .select('time_zone')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const person = await tx
    .selectFrom('persons')
    .where('id', '=', uuidOf(personId))
    .select('locale')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { timeZone: merchant.time_zone, locale: person.locale as Locale | null }
}

export async function updateTimeZone(tx: Tx, merchantId: MerchantId, timeZone: string): Promise<void> {
  await tx
    .updateTable('merchants')
    .set({ time_zone: timeZone })
    .where('id', '=', uuidOf(merchantId))
    .execute()
}

/** Sets the language of a person, and that of the notices to the merchants that the person owns. */
export async function updateLocale(tx: Tx, personId: PersonId, locale: Locale | null): Promise<void> {
  const id = uuidOf(personId)
  await tx.updateTable('persons').set({ locale }).where('id', '=', id).execute()
  await sql`
    update merchants set locale = ${locale}
    where id in (select merchant_id from memberships where person_id = ${id} and role = 'owner')`.execute(tx)
}
