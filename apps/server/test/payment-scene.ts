import { afterAll, beforeEach, expect } from 'vitest'
import { handleCallback } from '../src/modules/payments/actions/handle-callback.ts'
import { refundPayment } from '../src/modules/payments/actions/request-refund.ts'
import {
  clearDueCalls,
  latestAttempt,
  lookUpDue,
  makeAttempt,
  notFound,
  paymentNow,
  unanswered,
} from '../src/modules/payments/factory.ts'
import type { Payment } from '../src/modules/payments/payment/payment.ts'
import { operatorActor } from '../src/platform/audit/actor.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { byMerchant } from './audit-entries.ts'
import { freshShop, makeWorld, type Shop } from './world.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const operator = operatorActor('tendai', 'till@counter')

export const tokenOf = (url = '') => url.split('/').at(-1) ?? ''

/** A world, and for each test a new shop, whose one payment gets late or other replies of its provider. */
export async function paymentScene() {
  const world = await makeWorld()
  const { ctx, provider } = world
  const scene = {} as { shop: Shop; payment: Payment }
  afterAll(() => ctx.close())
  beforeEach(async () => {
    await clearDueCalls(ctx)
    scene.shop = await freshShop(world)
  })

  const query = async (text: string, values: unknown[] = []) => (await ctx.db.pool.query(text, values)).rows
  const rows = (table: 'payment_attempts' | 'refunds' | 'payment_anomalies') =>
    query(`select * from ${table} where payment_id = $1`, [uuidOf(scene.payment.id)])
  const attempt = () => latestAttempt(ctx, scene.payment)
  const callbackOf = (call: { callbackUrl: string } | undefined) =>
    handleCallback(ctx, 'scripted', tokenOf(call?.callbackUrl))

  async function later(ms: number): Promise<void> {
    ctx.clock.advance(ms)
    await lookUpDue(ctx)
  }

  /** The charge is not found until it fails. */
  async function failAfterLookUps(): Promise<void> {
    provider.charge = async () => Promise.reject(unanswered())
    provider.lookup = async () => notFound
    await makeAttempt(ctx, scene.payment)
    await later(HOUR)
    await later(2 * HOUR)
    expect((await attempt()).status).toBe('failed')
  }

  return {
    world,
    scene,
    query,
    rows,
    attempt,
    later,
    failAfterLookUps,
    now: () => paymentNow(ctx, scene.shop.owner, scene.payment.id),
    anomalies: async () => (await rows('payment_anomalies')).map(({ kind }) => kind),
    callback: () => callbackOf(provider.charges.at(-1)),
    refundCallback: () => callbackOf(provider.refunds.at(-1)),
    refund: (amount: number) =>
      refundPayment(ctx, byMerchant(scene.shop.merchantId), scene.shop.accountId, scene.payment.id, {
        amount,
        currency: 'USD',
      }),
  }
}
