import { expect } from 'vitest'
import { test as base } from '../../../test/fixtures.ts'
import { isOnCitus } from '../../../test/on-citus.ts'
import type { World } from '../../../test/world.ts'
import { makePayment } from '../payments/factory.ts'
import type { Payment } from '../payments/payment/payment.ts'
import { createCheckout } from './checkout.ts'
import { newResumeCode, readResumeCode } from './resumption.ts'

const MINUTE = 60_000
const here = '203.0.113.7'

const tokenOf = (world: World, { accountId, id }: Payment) => world.ctx.checkoutLinks.tokenOf(accountId, id)

const test = base
  .extend('checkout', ({ world }) =>
    createCheckout({ ...world.ctx, config: { ...world.ctx.config, rateLimitFactor: 1 } }),
  )
  .extend(
    'send',
    ({ world, checkout }) =>
      (payment: Payment, form: Record<string, string>) =>
        checkout.submit(tokenOf(world, payment), new URLSearchParams(form)),
  )
  .extend('codeOf', ({ world, checkout }) => async (payment: Payment) => {
    const view = await checkout.view(tokenOf(world, payment), here)
    return view && 'resumeCode' in view ? view.resumeCode : null
  })
  .extend('waiting', ({ world, shop, send }) => async () => {
    const payment = await makePayment(world.ctx, shop.owner)
    await send(payment, { method: 'ecocash', phone: '0771234567' })
    return payment
  })

// The codes are on the coordinator of Citus, whose sessions have the machine's time.
test.beforeEach(({ world: { ctx } }) => {
  if (isOnCitus) ctx.clock.advance(Date.now() - ctx.clock.now().getTime())
})
test.afterEach(({ world }) => world.ctx.backgroundTasks.drain())

test('a payer requests a code, gets the same one again, and opens the payment with it', async ({
  world,
  checkout,
  send,
  codeOf,
  waiting,
}) => {
  const payment = await waiting()
  expect(await codeOf(payment)).toBeNull()
  await send(payment, { intent: 'resume' })
  const code = await codeOf(payment)
  expect(code).toMatch(/^[A-Z]{8}$/)
  await send(payment, { intent: 'resume' })
  expect(await codeOf(payment)).toBe(code)
  const typed = ` ${code?.slice(0, 4).toLowerCase()} - ${code?.slice(4)}`
  const found = await checkout.resume(typed, here)
  const opened = world.ctx.checkoutLinks.read(typeof found === 'string' ? '' : found.token)
  expect(opened?.id).toBe(payment.id)
})

test('a code expires after a quarter of an hour, and the payment may have another one', async ({
  world,
  checkout,
  send,
  codeOf,
  waiting,
}) => {
  const payment = await waiting()
  await send(payment, { intent: 'resume' })
  const code = (await codeOf(payment)) ?? ''
  await world.ctx.db.pool.query('update resume_codes set expires_at = $2 where code = $1', [
    code,
    world.ctx.clock.now(),
  ])
  expect(await codeOf(payment)).toBeNull()
  expect(await checkout.resume(code, here)).toBe('unknown')
  await send(payment, { intent: 'resume' })
  expect(await codeOf(payment)).toMatch(/^[A-Z]{8}$/)
  expect(await codeOf(payment)).not.toBe(code)
})

test('wrong codes of an address are refused after sixty, and right ones too; right codes do not count', async ({
  world,
  checkout,
  send,
  codeOf,
  waiting,
}) => {
  const payment = await waiting()
  await send(payment, { intent: 'resume' })
  const code = (await codeOf(payment)) ?? ''
  for (let time = 0; time < 61; time += 1)
    expect(await checkout.resume(code, here)).toMatchObject({ token: expect.any(String) })
  const guesses = Array.from({ length: 300 }, () => checkout.resume('ACDEFGHJ', here))
  const refused = (await Promise.all(guesses)).filter((found) => found === 'too-many')
  expect(refused).toHaveLength(240)
  expect(await checkout.resume(code, here)).toBe('too-many')
  expect(await checkout.resume(code, '203.0.113.8')).toMatchObject({ token: expect.any(String) })
  world.ctx.clock.advance(10 * MINUTE)
  expect(await checkout.resume(code, here)).toMatchObject({ token: expect.any(String) })
})

test.for([
  ['an IPv6 /56', 240, (nth: number) => `2001:db8:0:${(nth % 14).toString(16)}::1`, '2001:db8:0:ff::1'],
  ['an IPv6 /48', 960, (nth: number) => `2001:db8:0:${(nth * 256).toString(16)}::1`, '2001:db8:0:ffff::1'],
  ['an IPv4 /24', 600, (nth: number) => `203.0.113.${nth % 200}`, '203.0.113.201'],
] as const)(
  '%s has its share of wrong codes, and closes codes for nobody else',
  async ([, most, addressOf, own], { checkout, send, codeOf, waiting }) => {
    const payment = await waiting()
    await send(payment, { intent: 'resume' })
    const code = (await codeOf(payment)) ?? ''
    const wrong = Array.from({ length: most }, (_, nth) => checkout.resume('WRONG', addressOf(nth % 256)))
    const found = await Promise.all(wrong)
    expect(new Set(found)).toEqual(new Set(['unknown']))
    expect(await checkout.resume(code, own)).toBe('too-many')
    expect(await checkout.resume(code, '198.51.100.1')).toMatchObject({ token: expect.any(String) })
  },
)

test('a code has eight letters that look unlike each other', ({ world }) => {
  for (let time = 0; time < 100; time += 1) {
    const code = newResumeCode(world.ctx.ids)
    expect(code).toMatch(/^[^BILOSZ0-9]{8}$/)
    expect(readResumeCode(code)).toBe(code)
  }
  for (const typed of ['', 'ACDEFGH', 'ACDEFGHJK', 'ACDEFGH1', 'A'.repeat(5000), 'ÄCDEFGHJ'])
    expect(readResumeCode(typed)).toBeNull()
})
