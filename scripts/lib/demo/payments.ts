import type { KeyOwner } from '../../../apps/server/src/modules/applications/store-keys.ts'
import { cancelPayment } from '../../../apps/server/src/modules/payments/actions/cancel-payment.ts'
import { createPayment } from '../../../apps/server/src/modules/payments/actions/create-payment.ts'
import { expirePayment } from '../../../apps/server/src/modules/payments/actions/expire-payment.ts'
import { refundPayment } from '../../../apps/server/src/modules/payments/actions/refund-payment.ts'
import { startAttempt } from '../../../apps/server/src/modules/payments/actions/start-attempt.ts'
import { paymentsCtx } from '../../../apps/server/src/modules/payments/context.ts'
import { toPayment } from '../../../apps/server/src/modules/payments/store.ts'
import { paymentUrlOf } from '../../../apps/server/src/modules/payments/wire.ts'
import { registryOf } from '../../../apps/server/src/modules/providers/registry.ts'
import { merchantActor } from '../../../apps/server/src/platform/audit/actor.ts'
import type { Ctx } from '../../../apps/server/src/platform/ctx.ts'
import { AppError } from '../../../apps/server/src/platform/errors.ts'
import { createInflight } from '../../../apps/server/src/platform/inflight.ts'
import { toMajor } from '../../../packages/contract/src/money.ts'
import type { PublicPayment } from '../../../packages/contract/src/payments.ts'
import { type Chance, createChance } from './chance.ts'
import { createClock } from './clock.ts'
import { datedIds } from './ids.ts'
import type { PlannedPayment } from './plan.ts'
import { type Books, plannedConnector } from './providers.ts'

/** Enough that the database never waits for this process. */
const atOnce = 24

/** Lets the payments happen through the gateway's own actions, each at its own time. */
export async function makePayments(
  base: Ctx,
  planned: readonly PlannedPayment[],
  owners: ReadonlyMap<PlannedPayment['shop'], KeyOwner>,
  books: Books,
): Promise<void> {
  const left = [...planned.entries()]
  async function work(): Promise<void> {
    for (let next = left.shift(); next; next = left.shift()) {
      const [index, payment] = next
      const owner = owners.get(payment.shop)
      if (!owner) throw new Error(`there is no application for ${payment.shop.name}`)
      // Its own chance each: their order is the database's to decide.
      await makePayment(base, payment, owner, books, createChance(index + 1))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

async function makePayment(
  base: Ctx,
  planned: PlannedPayment,
  owner: KeyOwner,
  books: Books,
  chance: Chance,
): Promise<void> {
  const clock = createClock(planned.createdAt)
  const providers = registryOf([plannedConnector(planned, clock, chance, books)])
  const ctx = paymentsCtx(
    { ...base, clock, ids: datedIds(chance, clock) },
    providers,
    createInflight(base.log),
  )
  const { amount, method, customer, shop } = planned
  const asked = { amount: toMajor(amount), currency: amount.currency }
  const { json } = await createPayment(
    ctx,
    owner,
    {
      ...asked,
      description: planned.purpose,
      reference: planned.reference,
      customer,
      expires_in: planned.livesDays * 86_400,
    },
    undefined,
  )
  const { id, expires_at } = JSON.parse(json) as PublicPayment
  for (const { afterMs } of planned.tries) {
    clock.forward(afterMs)
    const input = { method, phone: customer.phone, shopName: shop.name }
    const { answered } = await startAttempt(ctx, owner.merchantId, id, input)
    await answered
  }
  const last = planned.tries.at(-1)?.verdict
  if (last !== undefined && !last.startsWith('paid') && chance.isLucky(0.3)) {
    await cancelPayment(ctx, owner.merchantId, id)
    return
  }
  const expiresAt = Date.parse(expires_at)
  if (expiresAt <= base.clock.now().getTime()) {
    clock.forward(Math.max(0, expiresAt - clock.now().getTime()))
    await expirePayment(ctx, owner.merchantId, id)
  }
  if (!planned.refund) return
  clock.forward(planned.refund.afterMs)
  const actor = merchantActor(owner.merchantId, { ip: '127.0.0.1', id: 'sample' })
  await refundPayment(ctx, actor, owner.merchantId, id, asked).catch((error: unknown) => {
    if (!(planned.refund?.isDeclined && error instanceof AppError && error.code === 'refund_declined'))
      throw error
  })
}

/** Where somebody may pay: the newest payment that nobody has begun to pay. Null when all of them are past their life. */
export async function openPaymentUrl(ctx: Ctx, email: string): Promise<string | null> {
  const row = await ctx.db.kysely
    .selectFrom('payments as p')
    .innerJoin('merchants as m', 'm.id', 'p.merchant_id')
    .selectAll('p')
    .where('m.email', '=', email)
    .where('p.status', '=', 'pending')
    .where('p.currency', '=', 'USD')
    .where('p.method', 'is', null)
    .where('p.expires_at', '>', ctx.clock.now())
    .orderBy('p.id', 'desc')
    .executeTakeFirst()
  return row ? paymentUrlOf(paymentsCtx(ctx, registryOf([]), createInflight(ctx.log)), toPayment(row)) : null
}
