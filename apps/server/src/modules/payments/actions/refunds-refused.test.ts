import { describe, expect } from 'vitest'
import { byMerchant } from '../../../../test/audit-entries.ts'
import { test } from '../../../../test/fixtures.ts'
import { refusedAs, run } from '../../../../test/statements-refused.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { latestAttempt, makePaid, pending, refused } from '../factory.ts'
import { refundPayment } from './request-refund.ts'

describe('the database refuses, from any caller,', () => {
  test('a change of a refund’s facts, and a paid refund that becomes unpaid', async ({ world, shop }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    await refundPayment(world.ctx, byMerchant(payment.accountId), payment.accountId, payment.id, {
      amount: 5,
      currency: 'USD',
    })
    for (const change of [
      'amount_minor = 1',
      "currency = 'ZAR'",
      "origin = 'duplicate'",
      "status = 'failed'",
      "status = 'pending'",
    ]) {
      const update = run(world, `update refunds set ${change} where payment_id = $1`, [uuidOf(payment.id)])
      await expect(update).rejects.toMatchObject(refusedAs('23001'))
    }
  })

  test('a refund from the charge of another payment', async ({ world, shop }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const other = await makePaid(world.ctx, shop.owner, world.provider)
    const refund = (of: typeof payment) =>
      latestAttempt(world.ctx, of).then(({ id }) =>
        run(
          world,
          `insert into refunds (account_id, id, payment_id, application_id, attempt_id, amount_minor, currency, status, created_at, updated_at)
           values ($1, gen_random_uuid(), $2, $3, $4, 1, 'USD', 'pending', now(), now())`,
          [uuidOf(payment.accountId), uuidOf(payment.id), uuidOf(payment.applicationId), uuidOf(id)],
        ),
      )
    await expect(refund(other)).rejects.toMatchObject({ constraint: 'refunds_of_its_payment' })
    await expect(refund(payment)).resolves.toBe(1)
  })

  test('the same refund of one requester within ten minutes, unless the first has failed', async ({
    world,
    shop,
  }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const { id: attempt } = await latestAttempt(world.ctx, payment)
    const requestRefund = (requester: string | null, seconds: number) =>
      run(
        world,
        `insert into refunds (account_id, id, payment_id, application_id, attempt_id, amount_minor, currency, status, requested_by,
           created_at, updated_at)
         values ($1, gen_random_uuid(), $2, $3, $4, 1, 'USD', 'pending', $5, $6::timestamptz + $7 * interval '1 s', now())`,
        [
          uuidOf(payment.accountId),
          uuidOf(payment.id),
          uuidOf(payment.applicationId),
          uuidOf(attempt),
          requester,
          world.ctx.clock.now(),
          seconds,
        ],
      )
    const [one, other] = ['018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002']
    await requestRefund(one, 0)
    await expect(requestRefund(one, 599)).rejects.toMatchObject({ constraint: 'refunds_no_repetition' })
    for (const [requester, seconds] of [
      [other, 0],
      [null, 0],
      [null, 0],
      [one, 600],
    ] as const)
      await expect(requestRefund(requester, seconds)).resolves.toBe(1)
    await run(world, "update refunds set status = 'failed' where payment_id = $1", [uuidOf(payment.id)])
    await expect(requestRefund(one, 601)).resolves.toBe(1)
  })

  test.for(['payment_attempts', 'refunds'])(
    'a deletion of a provider’s reply, or its count as not found, in %s',
    async (table, { world, shop }) => {
      const payment = await makePaid(world.ctx, shop.owner, world.provider)
      await refundPayment(world.ctx, byMerchant(payment.accountId), payment.accountId, payment.id, {
        amount: 5,
        currency: 'USD',
      })
      const set = (change: string) =>
        run(world, `update ${table} set ${change} where payment_id = $1`, [uuidOf(payment.id)])
      await expect(set('provider_reference = null')).rejects.toMatchObject(refusedAs('23001'))
      await expect(set('provider_state = null')).rejects.toMatchObject(refusedAs('23001'))
      await expect(set('not_found_checks = 1')).rejects.toMatchObject({
        constraint: `${table}_known_stays_known`,
      })
    },
  )

  test('a late payment of a refund that has not failed, its resolution without one, and the reversal of either', async ({
    world,
    shop,
  }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    world.provider.refund = async () => refused()
    const { accountId, id } = payment
    const requested = { amount: 5, currency: 'USD' } as const
    await expect(
      refundPayment(world.ctx, byMerchant(accountId), accountId, id, requested),
    ).rejects.toMatchObject({ code: 'refund_declined' })
    const set = (change: string) =>
      run(world, `update refunds set ${change} where payment_id = $1`, [uuidOf(id)])
    await set('next_watch_at = null')
    await expect(set('settled_at = now()')).rejects.toMatchObject({ constraint: 'refunds_settled' })
    const open = await makePaid(world.ctx, shop.owner, world.provider)
    world.provider.refund = async () => pending()
    await refundPayment(world.ctx, byMerchant(accountId), accountId, open.id, requested)
    const early = run(world, 'update refunds set paid_late_at = now() where payment_id = $1', [
      uuidOf(open.id),
    ])
    await expect(early).rejects.toMatchObject({ constraint: 'refunds_paid_late' })
    await set('paid_late_at = now()')
    await expect(set('paid_late_at = null')).rejects.toMatchObject(refusedAs('23001'))
    await set('settled_at = now()')
    await expect(set('settled_at = null')).rejects.toMatchObject(refusedAs('23001'))
    const booked = set("status = 'completed', paid_late_at = null")
    await expect(booked).rejects.toMatchObject({ constraint: 'refunds_settled' })
  })
})
