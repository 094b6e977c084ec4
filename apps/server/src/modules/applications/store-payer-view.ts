import type { CheckoutView } from '@muripo/contract/checkout'
import { type AccountId, type ApplicationId, MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { alignRows, batched, type RowKey } from '../../platform/db/batcher.ts'
import { type Queryable, runPrepared } from '../../platform/db/database.ts'
import { invariant } from '../../platform/errors.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { KeyMode } from '../../platform/settings.ts'
import { logoPathOf } from './logo/logo.ts'

/** The part of an application that its payers see, and whether it can be paid. */
export interface PayerView {
  /**
   * As pages, prompts and emails show it. For live money it is a name that the operator has approved: the application's, or until then the
   * merchant's.
   */
  readonly name: string
  readonly mode: KeyMode
  /** The owner of the environment. */
  readonly merchantId: MerchantId
  /** False while the merchant is suspended or closed, or the operator has stopped the application: no attempt begins. */
  readonly payable: boolean
  readonly merchantEmail: string
  /** The number of a business in E.164, for its payers' questions. Null for a person, whose number is private, and for an erased merchant. */
  readonly contactPhone: string | null
  /** For live money as the operator has approved it. */
  readonly brand: CheckoutView['brand']
}

interface Row extends RowKey {
  readonly name: string
  readonly approved_name: string | null
  readonly payable: boolean
  readonly own: boolean
  readonly merchant_id: string
  readonly merchant_email: string
  readonly contact_phone: string | null
  readonly colour: string | null
  readonly logo_hash: string | null
  readonly approved_colour: string | null
  readonly approved_logo_hash: string | null
}

/** @throws when there is no such application: callers hold its id from a row that refers to it. */
export async function payerView(
  ctx: { config: { keyMode: KeyMode } },
  db: Queryable,
  accountId: AccountId,
  id: ApplicationId,
): Promise<PayerView> {
  const row = await findRow(db, { account_id: uuidOf(accountId), id: uuidOf(id) })
  invariant(row !== undefined, 'an application is never deleted')
  const mode = ctx.config.keyMode === 'live' && row.own ? 'live' : 'test'
  const isLive = mode === 'live'
  const name = isLive ? row.approved_name : row.name
  const colour = isLive ? row.approved_colour : row.colour
  const logoHash = isLive ? row.approved_logo_hash : row.logo_hash
  return {
    name: name ?? '',
    mode,
    merchantId: idFrom(MerchantId, row.merchant_id),
    payable: row.payable && name !== null,
    merchantEmail: row.merchant_email,
    contactPhone: row.contact_phone,
    brand: { colour, logoPath: logoPathOf(logoHash) },
  }
}

const findRow = batched<Queryable, RowKey, Row | undefined>(async (db, rowKeys) => {
  const find = sql<Row>`
    select a.account_id, a.id, a.name, coalesce(a.prompt_name, m.prompt_name) as approved_name, b.id = b.merchant_id as own,
      b.merchant_id, m.email as merchant_email, case when m.account_type = 'business' and m.erased_at is null then m.phone end as contact_phone, r.colour, r.logo_hash, v.colour as approved_colour, v.logo_hash as approved_logo_hash,
      a.merchant_active and a.operator_stop_reason is null as payable
    from json_to_recordset(${JSON.stringify(rowKeys)}) as row_keys (account_id uuid, id uuid)
    join applications a using (account_id, id)
    join environments b on b.id = a.account_id join merchants m on m.id = b.merchant_id
    left join application_brands r on r.account_id = b.merchant_id and r.application_id = a.id
    left join approved_brands v on v.account_id = b.merchant_id and v.application_id = a.id`
  const rows = await runPrepared(db, 'find-payer-views', find)
  return alignRows(rowKeys, rows)
})
