import type { KeyOwner } from '../../apps/server/src/modules/applications/store-keys.ts'
import { cancelPayment } from '../../apps/server/src/modules/payments/actions/cancel-payment.ts'
import { createPayment } from '../../apps/server/src/modules/payments/actions/create-payment.ts'
import { expirePayment } from '../../apps/server/src/modules/payments/actions/expire-payment.ts'
import { refundPayment } from '../../apps/server/src/modules/payments/actions/request-refund.ts'
import { startAttempt } from '../../apps/server/src/modules/payments/actions/start-attempt.ts'
import { paymentsCtx } from '../../apps/server/src/modules/payments/context.ts'
import { payments } from '../../apps/server/src/modules/payments/payment/tables.ts'
import { paymentUrlOf } from '../../apps/server/src/modules/payments/payment/wire.ts'
import { registryOf } from '../../apps/server/src/modules/providers/registry.ts'
import { createBackgroundTasks } from '../../apps/server/src/platform/async/background-tasks.ts'
import { merchantActor } from '../../apps/server/src/platform/audit/actor.ts'
import type { Ctx } from '../../apps/server/src/platform/ctx.ts'
import { AppError } from '../../apps/server/src/platform/errors.ts'
import { toMajor } from '../../packages/contract/src/money.ts'
import type { PublicPayment } from '../../packages/contract/src/payments.ts'
import { type Chance, createChance } from './chance.ts'
import type { Course } from './clock.ts'
import { datedIds } from './ids.ts'
import type { PlannedPayment } from './plan.ts'
import { type PastWallet, PlannedProvider } from './providers.ts'
import type { Shop } from './shops.ts'

/** The courses of all planned payments, each through the gateway's own actions. */
export const paymentCourses = (
  base: Ctx,
  planned: readonly PlannedPayment[],
  owners: ReadonlyMap<Shop, KeyOwner>,
  pastWallet: PastWallet,
): Course[] =>
  planned.map((payment, index) => paymentCourse(base, payment, owners, pastWallet, createChance(index + 1)))

async function* paymentCourse(
  base: Ctx,
  planned: PlannedPayment,
  owners: ReadonlyMap<Shop, KeyOwner>,
  pastWallet: PastWallet,
  chance: Chance,
): Course {
  const { amount, method, customer, shop, refund } = planned
  const { clock } = base
  const provider = new PlannedProvider(planned, clock, chance, pastWallet)
  const ctx = paymentsCtx(
    { ...base, ids: datedIds(chance, clock) },
    registryOf([provider.connector]),
    createBackgroundTasks(base.log),
  )
  const after = (ms: number) => clock.now().getTime() + ms

  yield planned.createdAt
  const owner = owners.get(shop)
  if (!owner) throw new Error(`there is no application for ${shop.name}`)
  const requested = { amount: toMajor(amount), currency: amount.currency }
  const { json } = await createPayment(ctx, owner, {
    ...requested,
    description: planned.purpose,
    reference: planned.reference,
    customer,
    expires_in: planned.livesDays * 86_400,
  })
  const { id, expires_at } = JSON.parse(json) as PublicPayment

  for (const { afterMs, answerMs } of planned.attempts) {
    yield after(afterMs)
    const input = { method, phone: customer.phone, shopName: shop.name }
    const { answered } = await startAttempt(ctx, owner.accountId, id, input)
    const call = await provider.nextCall()
    yield after(answerMs)
    call.answer()
    await answered
  }

  const isPaid = planned.attempts.at(-1)?.verdict.startsWith('paid') ?? false
  if (planned.attempts.length > 0 && !isPaid && chance.isLucky(0.3)) {
    await cancelPayment(ctx, owner.accountId, id)
    return
  }
  if (!isPaid) {
    yield Date.parse(expires_at)
    await expirePayment(ctx, owner.accountId, id)
  }
  if (!refund) return
  yield after(refund.afterMs)
  const actor = merchantActor(owner.accountId, { ip: '127.0.0.1', id: 'sample' })
  const refunded = refundPayment(ctx, actor, owner.accountId, id, requested).catch((error: unknown) => {
    if (!(refund.isDeclined && error instanceof AppError && error.code === 'refund_declined')) throw error
  })
  const call = await provider.nextCall()
  yield after(refund.answerMs)
  call.answer()
  await refunded
}

/** The address of the newest payment without an attempt. Null when all of them have expired. */
export async function openPaymentUrl(ctx: Ctx, email: string): Promise<string | null> {
  const row = await ctx.db.kysely
    .selectFrom('payments as p')
    .innerJoin('merchants as m', 'm.id', 'p.account_id')
    .selectAll('p')
    .where('m.email', '=', email)
    .where('p.status', '=', 'pending')
    .where('p.currency', '=', 'USD')
    .where('p.method', 'is', null)
    .where('p.expires_at', '>', ctx.clock.now())
    .orderBy('p.id', 'desc')
    .executeTakeFirst()
  return row
    ? paymentUrlOf(paymentsCtx(ctx, registryOf([]), createBackgroundTasks(ctx.log)), payments.read(row))
    : null
}
