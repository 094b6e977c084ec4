import { makeNamedKey } from '../src/modules/applications/factory.ts'
import { makeInvitation, makeMember, makePasskey, openedSession } from '../src/modules/identity/factory.ts'
import { createPayment } from '../src/modules/payments/actions/create-payment.ts'
import { createRefund } from '../src/modules/payments/actions/request-refund.ts'
import { authorising, makeAuthorised, makePaid, makePayment } from '../src/modules/payments/factory.ts'
import { sendTestEvent } from '../src/modules/webhooks/deliveries/actions/send-on-request.ts'
import { makeEndpoint } from '../src/modules/webhooks/factory.ts'
import { uuidOf } from '../src/platform/ids.ts'
import type { Caller } from './app.ts'
import { keyedOrder, type Named } from './tenant-wall-calls.ts'
import type { World, WorldCtx } from './world.ts'

export const order = {
  amount: 12.5,
  currency: 'USD',
  description: 'Order of the first merchant',
  reference: 'A-1001',
  customer: { email: 'first@customer.test', name: 'First Customer', phone: '0770000001' },
} as const

/** One object of each kind that a call can name. */
export async function possessionsOf(world: World, { owner, merchantId }: Caller): Promise<Named> {
  await createPayment(world.ctx, owner, keyedOrder.body, { idempotencyKey: keyedOrder.key })
  const pending = await makePayment(world.ctx, owner, order)
  const paid = await makePaid(world.ctx, owner, world.provider, order)
  const { charge, lookup } = world.provider
  authorising(world.provider)
  const authorized = await makeAuthorised(world.ctx, owner, order)
  Object.assign(world.provider, { charge, lookup })
  const refund = await createRefund(world.ctx, owner, { payment: paid.id, amount: 1 })
  const { sessionId } = await openedSession(world.ctx, owner.accountId)
  const passkey = await makePasskey(world.ctx, merchantId)
  const { endpoint } = await makeEndpoint(world.ctx, owner, 'http://127.0.0.1:9/first')
  const { event } = await sendTestEvent(world.ctx, owner, endpoint.id)
  const { personId: memberId } = await makeMember(world.ctx, merchantId, 'support')
  const invitationId = await makeInvitation(world.ctx, merchantId)
  return {
    merchantId,
    memberId,
    invitationId,
    keyId: await makeNamedKey(world.ctx, owner),
    applicationId: owner.applicationId,
    pendingPaymentId: pending.id,
    authorizedPaymentId: authorized.id,
    paidPaymentId: paid.id,
    customerId: pending.customer.id ?? '',
    refundId: JSON.parse(refund.json).id,
    sessionId,
    passkeyId: passkey.id,
    webhookId: endpoint.id,
    eventId: event.id,
  }
}

/** Every row of this merchant in any table: a new table is included automatically. */
export async function rowsOf(ctx: WorldCtx, { merchantId }: Caller): Promise<Record<string, unknown[]>> {
  const { pool } = ctx.db
  const { rows: tables } = await pool.query<{ name: string; column: string }>(
    `select c.table_name as name, c.column_name as column from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name in ('account_id', 'merchant_id')
     order by 1`,
  )
  const found: Record<string, unknown[]> = {}
  for (const [name, column] of [['merchants', 'id'], ...tables.map((table) => [table.name, table.column])]) {
    const { rows } = await pool.query(
      `select to_jsonb(t) as row from ${name} t where ${column} = $1 order by to_jsonb(t)::text`,
      [uuidOf(merchantId)],
    )
    found[name ?? ''] = rows.map(({ row }) => row)
  }
  return found
}
