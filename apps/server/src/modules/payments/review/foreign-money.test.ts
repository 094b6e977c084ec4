import { fromMajor, type Money, money } from '@muripo/contract/money'
import { beforeEach, describe, expect, test } from 'vitest'
import { byMerchant } from '../../../../test/audit-entries.ts'
import { DAY, HOUR, MINUTE, operator, paymentScene } from '../../../../test/payment-scene.ts'
import { terminalOf } from '../../../../test/terminal.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { Reply } from '../../providers/index.ts'
import { instructPayment } from '../actions/instruct-payment.ts'
import { resolveReview } from '../actions/resolve-anomaly.ts'
import { resolveRefund, waitingRefunds } from '../actions/resolve-refund.ts'
import {
  authorising,
  freshReference,
  makeAuthorised,
  makePaid,
  paid,
  refused,
  standingOf,
  tracesOf,
} from '../factory.ts'

const { world, scene, rows, now, query, callback, refundCallback, refund, later } = await paymentScene()
const { provider } = world
const { admin } = terminalOf(world.ctx.databaseUrl)

const usd = (major: number) => fromMajor(major, 'USD')
const report = (outcome: Reply['outcome'], echo: Money | null, more: Partial<Reply> = {}) => {
  provider.lookup = async () => ({ ...paid(echo), outcome, ...more })
  return callback()
}
const reviews = async () =>
  (await rows('payment_anomalies')).map(({ kind, amount_minor, resolution }) =>
    [kind, amount_minor ?? 'no amount', resolution].filter((each) => each !== null).join(' '),
  )
const unchanged = () =>
  resolveReview(world.ctx, operator, scene.payment.id, null, {
    kind: 'unchanged',
    reason: 'A test of theirs',
  })
const events = async (type: string) =>
  (await tracesOf(world.ctx, scene.payment)).events.filter((each) => each.endsWith(type)).length

beforeEach(async () => {
  scene.payment = await makePaid(world.ctx, scene.shop.owner, provider, { amount: 25 })
})

describe('an amount that was refunded at the provider beside a refund of ours', () => {
  test.each([
    ['the rest', 'refunded', 25, ['reversed 2000']],
    ['a part of the rest', 'reversed', 24, ['reversed 1900']],
    ['nothing more', 'reversed', 5, []],
  ] as const)(
    'is reviewed with its amount where the echo is the total: %s',
    async (_what, outcome, total, expected) => {
      await refund(5)
      expect(await report(outcome, usd(total))).toBe('done')
      expect(await reviews()).toEqual(expected)
      expect(await events('payment.reversed')).toBe(expected.length)
    },
  )

  test.each([
    ['the rest, or a part of it', 5, usd(25), ['reversed no amount']],
    ['any part, where no amount is named', 5, null, ['reversed no amount']],
    ['nothing, after a refund of the whole', 25, usd(25), []],
    ['another amount than the whole that we refunded', 25, usd(250), ['reversed no amount']],
  ] as const)(
    'is reviewed without an amount where it is not stated: %s',
    async (_what, own, echo, expected) => {
      provider.returnedEcho = 'unknown'
      await refund(own)
      expect(await report('refunded', echo)).toBe('done')
      expect(await reviews()).toEqual(expected)
      expect(await events('payment.reversed')).toBe(expected.length)
    },
  )

  test('is reviewed after the refund that may explain it has ended, and shown at once', async () => {
    provider.returnedEcho = 'unknown'
    provider.refundsBy = 'manual'
    await refund(5)
    expect(await report('refunded', usd(25))).toBe('again')
    expect(await reviews()).toEqual([])
    const [waiting] = (await waitingRefunds(world.ctx, 100)).filter(
      ({ paymentId }) => paymentId === scene.payment.id,
    )
    expect(waiting?.chargeReport).toMatchObject({ outcome: 'refunded', providerStatus: 'scripted' })
    if (!waiting) return
    const paidBy = (reference: string, although?: string) =>
      resolveRefund(world.ctx, operator, waiting.id, {
        kind: 'paid',
        reference,
        ...(although !== undefined && { although }),
      })
    expect(await paidBy('HAND1')).toBe('returned')
    expect(await paidBy('HAND1', 'Sent by hand before Paynow did')).toBe('done')
    expect(await reviews()).toEqual(['reversed no amount'])
  })

  test('needs no other statement than its reference', async () => {
    provider.returnedEcho = 'unknown'
    provider.refundsBy = 'manual'
    await refund(25)
    await report('refunded', usd(25), { providerReference: 'PN70001' })
    const [waiting] = (await waitingRefunds(world.ctx, 100)).filter(
      ({ paymentId }) => paymentId === scene.payment.id,
    )
    if (!waiting) throw new Error('the refund waits')
    const verdict = { kind: 'paid', reference: 'PN70001' } as const
    expect(await resolveRefund(world.ctx, operator, waiting.id, verdict)).toBe('done')
    expect(await reviews()).toEqual([])
  })

  test('after a refused refund is reviewed at once, and the review is closed when that refund was paid after all', async () => {
    provider.refund = async () => refused('declined')
    await expect(refund(25)).rejects.toMatchObject({ code: 'refund_declined' })
    provider.lookupRefund = async () => refused('declined')
    expect(await report('refunded', usd(25))).toBe('done')
    expect(await reviews()).toEqual(['reversed 2500'])
    await expect(refund(1)).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
    provider.lookupRefund = async () => paid(usd(25), 'R1')
    await later(HOUR + 10 * MINUTE)
    expect(await now()).toMatchObject({ status: 'refunded' })
    expect(await reviews()).toEqual(['reversed 2500 nothing_moved'])
    expect(await standingOf(world.ctx, scene.shop.accountId)).toMatchObject({ 'clearing.scripted': 0n })
  })

  test('is compared after a look-up of the refused refund, which may have been paid', async () => {
    provider.refund = async () => refused('declined')
    await expect(refund(25)).rejects.toMatchObject({ code: 'refund_declined' })
    provider.lookupRefund = async () => paid(usd(25), 'R1')
    expect(await report('refunded', usd(25))).toBe('done')
    expect(await reviews()).toEqual([])
    expect(await now()).toMatchObject({ status: 'refunded' })
  })

  test('that has become less causes look-ups of the completed refunds: one of them has come back', async () => {
    await refund(5)
    provider.lookupRefund = async () => refused('declined')
    expect(await report('completed', usd(25))).toBe('done')
    expect(await rows('payment_anomalies')).toMatchObject([
      { kind: 'contradicted', refund_id: expect.any(String) },
    ])
  })
})

test('an operator reads the last report with its time, and pays no refund in silence that the provider has returned', async () => {
  provider.returnedEcho = 'unknown'
  provider.refundsBy = 'manual'
  await refund(5)
  await report('refunded', usd(25), { providerStatus: 'Refunded', providerReference: 'PN70001' })
  const { output } = await admin('refunds', 'list')
  const id =
    /rfd_\w+/.exec(output.slice(0, output.indexOf(scene.payment.id)).split('\n\n').at(-1) ?? '')?.[0] ?? ''
  const words = /scripted reports this charge as Refunded since \d{4}-\d\d-\d\d \d\d:\d\d UTC, /
  expect(output).toMatch(words)
  const hand = freshReference()
  const refusal = await admin('refunds', 'paid', id, '--reference', hand)
  expect([refusal.code, refusal.output]).toEqual([1, expect.stringMatching(words)])
  expect(refusal.output).toContain('--reference PN70001')
  expect(
    await admin('refunds', 'paid', id, '--reference', hand, '--although', 'Sent before it'),
  ).toMatchObject({
    code: 0,
  })
  const review = (await admin('payments', 'review')).output
  expect(review).toMatch(words)
  expect(review).toContain(`npm run admin -- payments resolve ${scene.payment.id} reversed --amount AMOUNT`)
  // A report in the same words keeps the time of the first one.
  world.ctx.clock.advance(HOUR)
  await report('refunded', usd(25), { providerStatus: 'Refunded', providerReference: 'PN70001' })
  expect((await admin('payments', 'review')).output).toMatch(/Refunded since [^,]+, .+; last at /)
})

describe('a booked charge that its provider reports', () => {
  test.each([
    ['with more', usd(250), ['amount_differs 25000'], 'scripted'],
    ['with less', usd(24.99), ['amount_differs 2499'], 'scripted'],
    ['in another currency', money(2500n, 'ZWG'), ['amount_differs no amount'], 'scripted: ZWG 25.00'],
    ['with nothing', money(0n, 'USD'), ['amount_differs no amount'], 'scripted: USD 0.00'],
    ['as it is booked', usd(25), [], undefined],
  ])('%s', async (_what, echo, expected, words) => {
    expect(await report('completed', echo)).toBe('done')
    expect(await report('completed', echo)).toBe('done')
    expect(await reviews()).toEqual(expected)
    expect((await rows('payment_anomalies'))[0]?.provider_status).toBe(words)
  })

  test.each([
    ['held', ['amount_differs 2500']],
    ['authorized', ['contradicted no amount']],
    ['failed', ['contradicted no amount']],
    ['pending', []],
  ] as const)('as %s', async (outcome, expected) => {
    await report(outcome, usd(25))
    expect(await reviews()).toEqual(outcome === 'held' ? [] : expected)
  })

  test('with a second capture in the portal, of a part that we have captured', async () => {
    const bank = authorising(provider)
    scene.payment = await makeAuthorised(world.ctx, scene.shop.owner, { amount: 25 })
    await instructPayment(world.ctx, {
      actor: byMerchant(scene.shop.merchantId),
      accountId: scene.shop.accountId,
      paymentId: scene.payment.id,
      requested: { amount: 10, currency: 'USD' },
      confirm: async () => {},
    })
    expect(bank.calls).toEqual(['capture 1000'])
    await report('completed', usd(25))
    expect(await reviews()).toEqual(['amount_differs 2500'])
    // The amount of the second capture is refunded too: both amounts are compared.
    await report('refunded', usd(15), { charged: usd(25) })
    expect(await reviews()).toEqual(['amount_differs 2500', 'reversed 1500'])
  })

  test('follows the last reported amount until an operator decides', async () => {
    for (const amount of [26, 30, 24]) await report('completed', usd(amount))
    expect(await reviews()).toEqual(['amount_differs 2400'])
  })
})

test('a completed refund that its provider reports with another amount or currency is reviewed', async () => {
  await refund(5)
  for (const [echo, expected] of [
    [usd(5), []],
    [usd(6), ['amount_differs 600']],
    [usd(4), ['amount_differs 400']],
  ] as const) {
    provider.lookupRefund = async () => paid(echo, 'RF1')
    expect(await refundCallback()).toBe('done')
    expect(await reviews()).toEqual(expected)
  }
})

describe('a report that an operator has denied', () => {
  test('opens a review again, and from the second verdict on after a day', async () => {
    expect(await report('reversed', usd(25))).toBe('done')
    expect(await unchanged()).toBe('done')
    world.ctx.clock.advance(MINUTE)
    expect(await report('reversed', usd(25))).toBe('done')
    expect(await reviews()).toEqual(['reversed 2500 nothing_moved', 'reversed 2500'])
    await expect(refund(1)).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
    expect(await unchanged()).toBe('done')
    // The callback is kept and retried, so that the report is not lost.
    expect(await report('reversed', usd(25))).toBe('again')
    world.ctx.clock.advance(DAY)
    expect(await report('reversed', usd(25))).toBe('done')
    expect(await reviews()).toHaveLength(3)
  })

  test('of another amount opens a review at once', async () => {
    await report('reversed', usd(25))
    await unchanged()
    await report('reversed', usd(25))
    await unchanged()
    expect(await report('reversed', usd(20))).toBe('done')
    expect(await reviews()).toHaveLength(3)
  })

  test('stays denied for the very event that the provider names, and not for another event', async () => {
    await report('reversed', usd(25), { eventReference: 'T1' })
    await unchanged()
    expect(await report('reversed', usd(25), { eventReference: 'T1' })).toBe('done')
    expect(await reviews()).toHaveLength(1)
    await report('reversed', usd(25), { eventReference: 'T2' })
    expect(await reviews()).toHaveLength(2)
  })

  test('about a refund opens a review again too', async () => {
    await refund(5)
    provider.lookupRefund = async () => refused('declined')
    for (const [outcome, count] of [
      ['done', 1],
      ['done', 2],
      ['again', 2],
    ] as const) {
      expect(await refundCallback()).toBe(outcome)
      expect(await reviews()).toHaveLength(count)
      if (outcome === 'done') await unchanged()
    }
  })
})

describe('an amount that differs', () => {
  const differs = (total: number, to?: 'merchant') =>
    resolveReview(world.ctx, operator, scene.payment.id, null, {
      kind: 'differs',
      total: usd(total),
      to: to ?? 'suspense',
      reason: 'Order in the portal',
    })

  test.each([
    [40, 'suspense', { 'clearing.scripted': 4000n, suspense: -1500n }],
    [40, 'merchant', { 'clearing.scripted': 4000n, 'merchant.payable': -1500n }],
    [24, 'suspense', { 'clearing.scripted': 2400n, suspense: 100n }],
  ] as const)('of %d is booked once on %s', async (total, to, expected) => {
    const before = await standingOf(world.ctx, scene.shop.accountId)
    await report('completed', usd(total))
    expect((await admin('payments', 'review')).output).toContain(
      `payments resolve ${scene.payment.id} differs --amount TOTAL`,
    )
    expect(await differs(total, to === 'merchant' ? to : undefined)).toBe('done')
    const after = await standingOf(world.ctx, scene.shop.accountId)
    const change = 'merchant.payable' in expected ? (before['merchant.payable'] ?? 0n) : 0n
    expect(after).toMatchObject({
      ...expected,
      ...('merchant.payable' in expected && { 'merchant.payable': change - 1500n }),
    })
    await report('completed', usd(total))
    expect(await reviews()).toEqual([`amount_differs ${total}00 booked`])
    expect(
      await query('select * from payment_ledger_drift where payment_id = $1', [uuidOf(scene.payment.id)]),
    ).toEqual([])
  })

  test('of less is not booked against the merchant, and another kind of review has no such verdict', async () => {
    await report('completed', usd(24))
    expect(await differs(24, 'merchant')).toBe('unfit')
    await unchanged()
    await report('reversed', usd(25))
    expect(await differs(40)).toBe('unfit')
  })
})
