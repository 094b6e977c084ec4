import { toMajor } from '@muripo/contract/money'
import { describe, expect } from 'vitest'
import { test, usd } from '../../../../test/authorised-payment.ts'
import { ProviderError } from '../../providers/index.ts'
import { authorised, CAPTURE_WITHIN_MS, latestAttempt, lookUpDue, makeAuthorised, paid } from '../factory.ts'
import { commitChange } from '../payment/commit.ts'
import { instruct } from '../payment/decide/instruct.ts'
import { readState } from '../payment/state.ts'
import { checkAttempt } from './check-attempt.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

describe('the outcome of an instruction', () => {
  const lost = () => {
    throw new ProviderError('unknown', 'the answer was lost')
  }

  test('that is lost after the provider has captured is found by a look-up', async ({
    scene,
    world: { ctx, provider },
  }) => {
    const { lookup } = provider
    provider.lookup = async (request) => {
      await lookup(request)
      return lost()
    }
    expect(JSON.parse((await scene.capture(7)).json)).toMatchObject({
      status: 'authorized',
      status_reason: 'checking',
    })
    provider.lookup = lookup
    ctx.clock.advance(MINUTE)
    await lookUpDue(ctx)
    expect(await scene.now()).toMatchObject({ status: 'completed', captured: usd(700n) })
    expect(scene.bank.calls).toEqual(['capture 700'])
  })

  test('after a crash between the commit and the call is reached by the schedule, also days later', async ({
    scene,
    world: { ctx },
    shop,
  }) => {
    ctx.clock.advance(3 * DAY)
    const state = await readState(ctx.db.kysely, shop.accountId, scene.payment.id)
    if (state === null) throw new Error('there is no such payment')
    const { effects } = instruct(state, { kind: 'capture', amount: usd(1250n) })
    await commitChange(ctx, { payment: state.payment, at: state.at, ...effects })
    expect(scene.bank.calls).toEqual([])
    ctx.clock.advance(MINUTE)
    await lookUpDue(ctx)
    expect((await scene.now()).status).toBe('completed')
  })

  test('that stays unknown is never a failure, and is an operator’s after a day', async ({
    scene,
    world: { ctx, provider },
  }) => {
    ctx.clock.advance(3 * DAY)
    provider.lookup = async () => lost()
    await scene.cancel()
    ctx.clock.advance(MINUTE)
    await lookUpDue(ctx)
    expect(await scene.now()).toMatchObject({ status: 'authorized', statusReason: 'checking' })
    ctx.clock.advance(DAY)
    await lookUpDue(ctx)
    expect(await scene.now()).toMatchObject({ status: 'authorized', statusReason: 'under_review' })
  })

  test('that contradicts a void is held, and books nothing', async ({ scene, world: { ctx, provider } }) => {
    provider.lookup = async () => paid(usd(1250n))
    expect(await scene.cancel()).toMatchObject({ status: 'authorized', statusReason: 'under_review' })
    expect((await latestAttempt(ctx, scene.payment)).status).toBe('held')
    expect((await scene.traces()).transfers).toEqual([])
  })

  test('that contradicts a void after it was confirmed is held, and books nothing', async ({
    scene,
    world: { ctx, provider },
  }) => {
    await scene.cancel()
    provider.lookup = async () => paid(usd(1250n))
    await checkAttempt(ctx, scene.payment.accountId, (await latestAttempt(ctx, scene.payment)).id)
    expect(await scene.now()).toMatchObject({ status: 'failed', statusReason: 'under_review' })
    expect((await scene.traces()).transfers).toEqual([])
  })

  test('that is a refusal of the capture ends the payment, and a late capture completes it', async ({
    scene,
    world: { ctx, provider },
  }) => {
    const { lookup } = provider
    provider.lookup = async () => ({ ...authorised(null), outcome: 'failed', reason: 'declined' })
    expect(JSON.parse((await scene.capture(7)).json)).toMatchObject({
      status: 'failed',
      status_reason: 'declined',
    })
    provider.lookup = async () => paid(usd(700n))
    await checkAttempt(ctx, scene.payment.accountId, (await latestAttempt(ctx, scene.payment)).id)
    expect(await scene.now()).toMatchObject({ status: 'completed', captured: usd(700n) })
    provider.lookup = lookup
  })

  test('that comes without an instruction is held', async ({ scene, world: { ctx, provider } }) => {
    provider.lookup = async () => paid(usd(1250n))
    await checkAttempt(ctx, scene.payment.accountId, (await latestAttempt(ctx, scene.payment)).id)
    expect(await scene.now()).toMatchObject({ status: 'authorized', statusReason: 'under_review' })
  })
})

describe('under an Idempotency-Key', () => {
  test('the same request has the same response, to the byte', async ({ scene }) => {
    const first = await scene.capture(5, 'k')
    expect(first.replayed).toBe(false)
    await scene.refund(1)
    expect(await scene.capture(5, 'k')).toEqual({ ...first, replayed: true })
    expect(scene.bank.calls).toEqual(['capture 500'])
  })

  test('another amount or payment is refused, and another key captures nothing', async ({
    scene,
    world: { ctx },
    shop,
  }) => {
    await scene.capture(5, 'k')
    const other = await makeAuthorised(ctx, shop.owner)
    await expect(scene.capture(6, 'k')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    await expect(scene.capture(5, 'k', other)).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    await expect(scene.capture(5, 'k2')).rejects.toMatchObject({ code: 'payment_not_capturable' })
    expect(scene.bank.calls).toEqual(['capture 500'])
  })

  test('equal requests at once are one capture', async ({ scene }) => {
    const results = await Promise.allSettled(Array.from({ length: 16 }, () => scene.capture(5, 'k')))
    expect(scene.bank.calls).toEqual(['capture 500'])
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'idempotency_in_flight' })
    expect((await scene.capture(5, 'k')).replayed).toBe(true)
  })
})

test('of captures, voids and the end of the authorisation at once, exactly one wins', async ({
  scene,
  world: { ctx },
  shop,
}) => {
  for (let round = 0; round < 12; round += 1) {
    scene.bank.calls.length = 0
    const payment = await makeAuthorised(ctx, shop.owner)
    const { id } = await latestAttempt(ctx, payment)
    ctx.clock.advance(CAPTURE_WITHIN_MS)
    const rivals = [
      () => scene.capture(5, `a${round}`, payment),
      () => scene.capture(12.5, `b${round}`, payment),
      () => scene.cancel(payment),
      () => checkAttempt(ctx, shop.accountId, id),
    ]
    const inOrder = [...rivals.slice(round % 4), ...rivals.slice(0, round % 4)]
    await Promise.allSettled(inOrder.map((rival) => rival()))
    await checkAttempt(ctx, shop.accountId, id)
    expect(scene.bank.calls).toHaveLength(1)
    const [call = ''] = scene.bank.calls
    const after = await scene.now(payment)
    expect(after.status).toBe(call === 'void' ? 'failed' : 'completed')
    if (after.captured) expect(`capture ${Math.round(toMajor(after.captured) * 100)}`).toBe(call)
    expect((await scene.traces(payment)).transfers).toEqual(call === 'void' ? [] : ['capture', 'fee'])
  }
})
