import { CreateRefund } from '@muripo/contract/refunds'
import { describe, expect } from 'vitest'
import { byMerchant } from '../../../../test/audit-entries.ts'
import { test } from '../../../../test/fixtures.ts'
import type { Shop, WorldCtx } from '../../../../test/world.ts'
import type { Database } from '../../../platform/db/database.ts'
import { OutcomeUnknownError } from '../../../platform/db/failures.ts'
import { capturePayment, instructPayment } from '../actions/instruct-payment.ts'
import { createRefund, refundPayment } from '../actions/request-refund.ts'
import {
  authorising,
  makeAttempt,
  makeAuthorised,
  makePaid,
  makePayment,
  paid,
  paymentNow,
} from '../factory.ts'
import type { Payment } from '../payment/payment.ts'

class NeverSent extends Error {}

/**
 * A process whose first commit is not confirmed: the database has committed it, or rolled it back. All later transactions succeed, as on a
 * new session.
 */
function unconfirmed(ctx: WorldCtx, committed: boolean): WorldCtx {
  let commits = 0
  const { db } = ctx
  const unknown = () => new OutcomeUnknownError(new Error('Connection terminated unexpectedly'))
  const cut: Database = {
    ...db,
    async tx(work) {
      commits += 1
      if (commits > 1) return db.tx(work)
      await db
        .tx(async (tx) => {
          await work(tx)
          if (!committed) throw new NeverSent()
        })
        .catch((error: unknown) => {
          if (!(error instanceof NeverSent)) throw error
        })
      throw unknown()
    },
    async commitStatement(statement) {
      commits += 1
      if (commits > 1) return db.commitStatement(statement)
      if (committed) await db.commitStatement(statement)
      throw unknown()
    },
  }
  return { ...ctx, db: cut }
}

const part = { amount: 5, currency: 'USD' } as const
const byDashboard = (ctx: WorldCtx, shop: Shop, { id }: Payment) =>
  refundPayment(ctx, byMerchant(shop.merchantId), shop.accountId, id, part)
const byKey = (ctx: WorldCtx, shop: Shop, { id }: Payment) =>
  createRefund(ctx, shop.owner, CreateRefund.parse({ payment: id, amount: 5 }), {
    idempotencyKey: `refund-${id}`,
  })

test.beforeEach(({ provider }) => {
  provider.charge = async ({ amount }) => paid(amount)
})

describe('[INV-09] an unconfirmed commit that was durable', () => {
  test('of an attempt is read back, and its prompt is sent, once', async ({ world, shop }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    await makeAttempt(unconfirmed(world.ctx, true), payment)
    expect(world.provider.charges).toHaveLength(1)
    expect(await paymentNow(world.ctx, shop.owner, payment.id)).toMatchObject({ status: 'completed' })
  })

  test.for([
    ['the dashboard', byDashboard],
    ['a merchant’s server', byKey],
  ] as const)(
    'of a refund for %s is read back, and it is sent, once',
    async ([_who, request], { world, shop }) => {
      const payment = await makePaid(world.ctx, shop.owner, world.provider)
      await request(unconfirmed(world.ctx, true), shop, payment)
      expect(world.provider.refunds).toHaveLength(1)
      expect((await paymentNow(world.ctx, shop.owner, payment.id)).refunded.minor).toBe(500n)
    },
  )
})

const captureBy = {
  'the dashboard': (ctx: WorldCtx, shop: Shop, { id }: Payment) =>
    instructPayment(ctx, {
      actor: byMerchant(shop.merchantId),
      accountId: shop.accountId,
      paymentId: id,
      requested: part,
      confirm: async () => {},
    }),
  'a merchant’s server': (ctx: WorldCtx, shop: Shop, { id }: Payment) =>
    capturePayment(ctx, shop.owner, id, { amount: 5 }),
}

describe.each(Object.entries(captureBy))(
  '[INV-09] an unconfirmed commit of a capture for %s',
  (_who, request) => {
    test.for([
      ['was durable: it is read back and sent', true],
      ['was rolled back: nothing is sent, and it may be requested again at once', false],
    ] as const)('that %s', async ([_what, isDurable], { world, shop }) => {
      const bank = authorising(world.provider)
      const payment = await makeAuthorised(world.ctx, shop.owner)
      const requested = request(unconfirmed(world.ctx, isDurable), shop, payment)
      if (isDurable) await requested
      else {
        await expect(requested).rejects.toThrow(OutcomeUnknownError)
        expect(bank.calls).toEqual([])
        await request(world.ctx, shop, payment)
      }
      expect(bank.calls).toEqual(['capture 500'])
      expect(await paymentNow(world.ctx, shop.owner, payment.id)).toMatchObject({ captured: { minor: 500n } })
    })
  },
)

describe('[INV-09] an unconfirmed commit that was rolled back', () => {
  test('of an attempt sends nothing, and the payer may start another one at once', async ({
    world,
    shop,
  }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    await expect(makeAttempt(unconfirmed(world.ctx, false), payment)).rejects.toThrow(OutcomeUnknownError)
    expect(world.provider.charges).toEqual([])
    await makeAttempt(world.ctx, payment)
    expect(await paymentNow(world.ctx, shop.owner, payment.id)).toMatchObject({ status: 'completed' })
  })

  test.for([
    ['the dashboard', byDashboard],
    ['a merchant’s server', byKey],
  ] as const)(
    'of a refund for %s reserves and sends nothing, and it may be requested again at once',
    async ([_who, request], { world, shop }) => {
      const payment = await makePaid(world.ctx, shop.owner, world.provider)
      await expect(request(unconfirmed(world.ctx, false), shop, payment)).rejects.toThrow(OutcomeUnknownError)
      expect(world.provider.refunds).toEqual([])
      await request(world.ctx, shop, payment)
      expect(world.provider.refunds).toHaveLength(1)
      expect(await paymentNow(world.ctx, shop.owner, payment.id)).toMatchObject({
        refunded: { minor: 500n },
        refundPending: { minor: 0n },
      })
    },
  )
})
