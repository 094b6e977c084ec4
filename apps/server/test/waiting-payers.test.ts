import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { handleCallback } from '../src/modules/payments/actions/handle-callback.ts'
import { makeAttempt, makePayment, paid, paymentNow, pending } from '../src/modules/payments/factory.ts'
import { checkDue } from '../src/modules/payments/jobs.ts'
import type { Attempt, Payment } from '../src/modules/payments/payment/payment.ts'
import { createProviderCalls, ProviderError } from '../src/modules/providers/index.ts'
import { registryOf } from '../src/modules/providers/registry.ts'
import { coordinatorOf } from '../src/platform/db/databases.ts'
import { suffixOf } from '../src/platform/ids.ts'
import { test as base } from './fixtures.ts'

/** MURIPO_WAITING=2000: as many payers as EcoCash allows calls in four minutes. */
const PAYERS = Number(process.env.MURIPO_WAITING ?? 160)
const CALLS_PER_MINUTE = PAYERS / 4
const SECONDS = 60
/** Payers confirm as fast as the provider could be asked about them, less the calls that the budget leaves to charges. */
const CALLBACKS_PER_SECOND = (CALLS_PER_MINUTE / 60) * 0.75
/** A second of the database's clock in milliseconds of the test. */
const SECOND_MS = 100
const MINUTE_MS = 60_000

/** `scene.ctx` is a gateway whose look-ups share a budget; its provider answers that the payments of `confirmed` are paid. */
const test = base.extend('scene', ({ world }) => {
  const { provider } = world
  const payments = new Map<string, Payment>()
  const confirmed = new Set<string>()
  const nowMs = () => world.ctx.clock.now().getTime()
  let calls: number[] = []
  let refused = 0
  /** The provider counts its calls, and answers further ones 429. */
  function counted(): void {
    calls = calls.filter((time) => time > nowMs() - MINUTE_MS)
    if (calls.length >= CALLS_PER_MINUTE) {
      refused += 1
      throw new ProviderError('unavailable', '429', { providerCode: '429', retryAfterMs: 5000 })
    }
    calls.push(nowMs())
  }
  provider.lookup = async ({ key }) => {
    counted()
    return confirmed.has(key) ? paid(payments.get(key)?.amount ?? null) : pending()
  }
  const limits = createProviderCalls(
    {
      db: coordinatorOf(world.ctx).db,
      background: coordinatorOf(world.ctx).background,
      log: world.ctx.log,
      timer: { now: nowMs, sleep: (ms) => sleep((ms * SECOND_MS) / 1000) },
    },
    new Map([[provider.connector.id, CALLS_PER_MINUTE]]),
  )
  const ctx = {
    ...world.ctx,
    // Payers have been prompted before: only the look-ups share the budget here.
    providers: registryOf([{ ...limits.guard(provider.connector), charge: async () => pending() }]),
    lookupRoom: limits.room,
  }
  return { ctx, payments, confirmed, nowMs, refusedCalls: () => refused }
})

test('payers who wait at once, more than the provider allows look-ups, get their answer within a minute of its callback', async ({
  world,
  shop,
  scene,
}) => {
  const { ctx, payments, confirmed, nowMs } = scene
  const attempts: Attempt[] = []
  for (let nth = 0; nth < PAYERS; nth += 1) {
    const payment = await makePayment(ctx, shop.owner)
    const attempt = await makeAttempt(ctx, payment, `077${1_000_000 + nth}`)
    payments.set(suffixOf(attempt.id), payment)
    attempts.push(attempt)
  }
  const delays: number[] = []
  const notified: Promise<void>[] = []
  let due = 0
  const notify = async ({ accountId, id }: Attempt): Promise<void> => {
    confirmed.add(suffixOf(id))
    const since = nowMs()
    const token = ctx.attemptLinks.tokenOf(accountId, id)
    while ((await handleCallback(ctx, 'scripted', token)) !== 'done') await sleep(SECOND_MS)
    delays.push(nowMs() - since)
  }
  for (let second = 0; second < SECONDS; second += 1) {
    world.ctx.clock.advance(1000)
    for (due += CALLBACKS_PER_SECOND; due >= 1; due -= 1) {
      const next = attempts.shift()
      if (next) notified.push(notify(next))
    }
    await checkDue(ctx)
    await sleep(SECOND_MS)
  }
  const clock = setInterval(() => world.ctx.clock.advance(1000), SECOND_MS)
  await Promise.all(notified)
  clearInterval(clock)
  expect(delays.length).toBeGreaterThan(CALLS_PER_MINUTE / 2)
  expect(Math.max(...delays)).toBeLessThan(MINUTE_MS)
  expect(scene.refusedCalls()).toBe(0)
  // The other payers were looked up, too.
  expect(world.provider.lookups.length).toBeGreaterThan(delays.length)
  const completed = [...confirmed].map((key) => payments.get(key) as Payment)
  for (const payment of completed)
    expect((await paymentNow(ctx, shop.owner, payment.id)).status).toBe('completed')
}, 300_000)
