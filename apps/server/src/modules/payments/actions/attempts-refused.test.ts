import { describe, expect } from 'vitest'
import { test } from '../../../../test/fixtures.ts'
import { refusedAs, run } from '../../../../test/statements-refused.ts'
import { makeShop } from '../../../../test/world.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { latestAttempt, makeAttempt, makePaid, makePayment } from '../factory.ts'

describe('the database refuses, from any caller,', () => {
  test('a second open attempt', async ({ world, shop }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const attempt = await makeAttempt(world.ctx, payment)
    const copy = run(
      world,
      `insert into payment_attempts (account_id, id, payment_id, provider, method, msisdn, amount_minor, currency, status, created_at, updated_at)
       select account_id, gen_random_uuid(), payment_id, provider, method, msisdn, amount_minor, currency, 'sending', created_at, updated_at
       from payment_attempts where id = $1`,
      [uuidOf(attempt.id)],
    )
    await expect(copy).rejects.toMatchObject({ constraint: 'payment_attempts_one_open' })
  })

  test.for([
    'amount_minor = 1',
    "currency = 'ZAR'",
    "msisdn = '263779999999'",
    "provider = 'other'",
    "method = 'onemoney'",
    'payment_id = gen_random_uuid()',
    'account_id = gen_random_uuid()',
    'id = gen_random_uuid()',
  ])('an attempt of which afterwards %s', async (change, { world, shop }) => {
    const attempt = await makeAttempt(world.ctx, await makePayment(world.ctx, shop.owner))
    const update = run(world, `update payment_attempts set ${change} where id = $1`, [uuidOf(attempt.id)])
    await expect(update).rejects.toMatchObject(refusedAs('23001'))
  })

  test.for(['completed', 'duplicate'])(
    'an attempt that was %s and no longer is',
    async (booked, { world, shop }) => {
      const attempt = await latestAttempt(world.ctx, await makePaid(world.ctx, shop.owner, world.provider))
      const become = (status: string, more = '') =>
        run(world, `update payment_attempts set status = $2 ${more} where id = $1`, [
          uuidOf(attempt.id),
          status,
        ])
      if (booked === 'duplicate') {
        const triggers = ['payment_attempts_keep_facts', 'payment_attempts_guard_moves']
        for (const trigger of triggers)
          await run(world, `alter table payment_attempts disable trigger ${trigger}`)
        await become(booked)
        for (const trigger of triggers)
          await run(world, `alter table payment_attempts enable trigger ${trigger}`)
      }
      const others = ['sending', 'pending', 'unknown', 'held', 'completed', 'duplicate']
      for (const status of others.filter((each) => each !== booked))
        await expect(become(status), status).rejects.toMatchObject(refusedAs('23001'))
      await expect(become('failed', ", failure_reason = 'declined'")).rejects.toMatchObject(
        refusedAs('23001'),
      )
      await expect(become(booked, ", provider_status = 'again'")).resolves.toBe(1)
    },
  )

  test('an attempt of a payment of another merchant', async ({ world, shop }) => {
    const other = await makeShop(world.ctx)
    const payment = await makePayment(world.ctx, shop.owner)
    const attempt = run(
      world,
      `insert into payment_attempts (account_id, id, payment_id, provider, method, amount_minor, currency, status, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, 'scripted', 'ecocash', 1250, 'USD', 'sending', now(), now())`,
      [uuidOf(other.accountId), uuidOf(payment.id)],
    )
    await expect(attempt).rejects.toMatchObject(refusedAs('23001'))
  })
})
