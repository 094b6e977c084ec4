import { RefundId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { auditEntriesOn, byMerchant } from '../../../../test/audit-entries.ts'
import { terminalOf } from '../../../../test/terminal.ts'
import { freshShop, makeWorld, type Shop } from '../../../../test/world.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { changeMerchantStatus } from '../../applications/index.ts'
import {
  latestAttempt,
  lookUpDue,
  makeDuplicateRefund,
  makePaid,
  notFound,
  paid,
  paymentNow,
  pending,
  refused,
  standingOf,
  tracesOf,
  unanswered,
} from '../factory.ts'
import type { Payment } from '../payment/payment.ts'
import { refundsOf } from '../payment/store-refunds.ts'
import { handleCallback } from './handle-callback.ts'
import { readDetails } from './read-details.ts'
import { refundPayment } from './request-refund.ts'

const DAY = 86_400_000

const world = await makeWorld()
afterAll(() => world.ctx.close())
const { admin } = terminalOf(world.ctx.databaseUrl)
let shop: Shop
let payment: Payment

beforeEach(async () => {
  shop = await freshShop(world)
  world.provider.refundsBy = 'manual'
  world.provider.lookupRefund = async () => notFound
  payment = await makePaid(world.ctx, shop.owner, world.provider)
})

const refund = (amount: number) =>
  refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
    amount,
    currency: 'USD',
  })
const latest = async () => {
  const [first] = await refundsOf(world.ctx.db.kysely, shop.accountId, payment.id)
  if (!first) throw new Error('there is no refund')
  return first
}
const now = () => paymentNow(world.ctx, shop.owner, payment.id)
const balances = () => standingOf(world.ctx, shop.accountId)
const events = async () => (await tracesOf(world.ctx, payment)).events

describe('a refund that its provider cannot send', () => {
  beforeEach(async () => {
    expect(await refund(5)).toMatchObject({ isDone: false, payment: { status: 'completed' } })
  })

  test('is taken from the merchant at once and listed for the operator, with the facts for the transfer', async () => {
    expect(world.provider.refunds).toEqual([])
    expect(await balances()).toMatchObject({ 'merchant.payable': -666n, 'refunds.payable': -500n })
    const { id } = await latest()
    const { code, output } = await admin('refunds', 'list')
    expect(code).toBe(0)
    for (const text of [id, 'to be sent by hand', 'USD 5.00', '+263771234567, ecocash', 'MP1', payment.id]) {
      expect(output).toContain(text)
    }
    expect(output).toContain(`npm run admin -- refunds paid ${id} --reference REFERENCE`)
  })

  test('is paid by the operator once, with an event and an audit entry', async () => {
    const { id } = await latest()
    const done = await admin('refunds', 'paid', id, '--reference', 'EC77', '--as', 'Rudo')
    expect(done).toMatchObject({ code: 0, output: expect.stringContaining('EC77') })
    expect(await latest()).toMatchObject({ status: 'completed', providerReference: 'EC77' })
    expect(await now()).toMatchObject({ status: 'completed', refunded: money(500n, 'USD') })
    expect(await balances()).toMatchObject({ 'clearing.scripted': 750n, 'refunds.payable': 0n })
    expect(await events()).toEqual(['1 payment.completed', '2 payment.refunded'])
    expect(await auditEntriesOn(world.ctx, id)).toMatchObject([
      { action: 'refund.paid_by_operator', actor: 'Rudo', details: { reference: 'EC77' } },
    ])
    const again = await Promise.all([
      admin('refunds', 'paid', id, '--reference', 'EC78'),
      admin('refunds', 'failed', id, '--reason', 'no such number'),
    ])
    for (const { code, output } of again)
      expect([code, output]).toEqual([1, expect.stringContaining('already')])
    expect(await balances()).toMatchObject({ 'clearing.scripted': 750n, 'refunds.payable': 0n })
    expect((await admin('refunds', 'list')).output).not.toContain(id)
    expect((await admin('refunds', 'show', id)).output).toContain('EC77')
  })

  test('is failed by the operator: the merchant has the amount again, and may request another refund', async () => {
    const { id } = await latest()
    expect(await admin('refunds', 'failed', id, '--reason', 'The number is closed')).toMatchObject({
      code: 0,
    })
    expect(await latest()).toMatchObject({ status: 'failed', failureReason: 'declined' })
    const watch = await world.ctx.db.pool.query(
      'select watch_until, next_watch_at from refunds where id = $1',
      [uuidOf(id)],
    )
    expect(watch.rows).toEqual([{ watch_until: null, next_watch_at: null }])
    expect(await balances()).toMatchObject({ 'merchant.payable': -1166n, 'refunds.payable': 0n })
    expect(await events()).toEqual(['1 payment.completed', '2 refund.failed'])
    expect(await auditEntriesOn(world.ctx, id)).toMatchObject([
      { action: 'refund.failed_by_operator', details: { reason: 'The number is closed' } },
    ])
    const { output } = await admin('refunds', 'show', id)
    expect(output).toMatch(/Why it failed +The number is closed$/m)
    expect(output).not.toContain('Provider status')
    const { timeline } = await readDetails(world.ctx, shop.accountId, payment.id)
    expect(timeline.at(-1)).toMatchObject({ kind: 'refund_failed', explanation: 'The number is closed' })
    expect(await refund(5)).toMatchObject({ isDone: false })
  })

  test('is decided once by two concurrent decisions', async () => {
    const { id } = await latest()
    const verdicts = await Promise.all([
      admin('refunds', 'paid', id, '--reference', 'A'),
      admin('refunds', 'failed', id, '--reason', 'B'),
      admin('refunds', 'paid', id, '--reference', 'C'),
    ])
    expect(verdicts.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await auditEntriesOn(world.ctx, id)).toHaveLength(1)
    expect((await balances())['refunds.payable']).toBe(0n)
  })

  test('does not prevent another partial refund', async () => {
    expect(await refund(7.5)).toMatchObject({ isDone: false })
    expect((await now()).refundPending).toEqual(money(1250n, 'USD'))
  })
})

test('a provider without partial refunds sends a refund of the whole, and an operator sends a part', async () => {
  world.provider.refundsBy = 'api-full'
  expect(await refund(5)).toMatchObject({ isDone: false })
  expect((await latest()).status).toBe('awaiting_operator')
  payment = await makePaid(world.ctx, shop.owner, world.provider)
  expect(await refund(12.5)).toMatchObject({ isDone: true, payment: { status: 'refunded' } })
})

test('an operator resolves a refund that is open after a day, and none that is still looked up', async () => {
  world.provider.refundsBy = 'api-partial'
  world.provider.refund = async () => Promise.reject(unanswered())
  world.provider.lookupRefund = async () => pending()
  await refund(5)
  const { id } = await latest()
  expect(await admin('refunds', 'paid', id, '--reference', 'X')).toMatchObject({
    code: 1,
    output: expect.stringContaining('still open at its provider'),
  })
  world.ctx.clock.advance(DAY)
  await lookUpDue(world.ctx)
  expect((await admin('refunds', 'list')).output).toContain(id)
  expect(await admin('refunds', 'paid', id, '--reference', 'X')).toMatchObject({ code: 0 })
  expect(await now()).toMatchObject({ refunded: money(500n, 'USD'), refundPending: money(0n, 'USD') })
})

test('the reply of its provider is kept when the operator decides a refund', async () => {
  world.provider.refundsBy = 'api-partial'
  world.provider.refund = async () => ({ ...pending(), state: { at: 'one' } })
  world.provider.lookupRefund = async () => Promise.reject(unanswered())
  await refund(5)
  world.ctx.clock.advance(DAY)
  await lookUpDue(world.ctx)
  const { id } = await latest()
  expect(await admin('refunds', 'paid', id, '--reference', 'EC80')).toMatchObject({ code: 0 })
  expect(await latest()).toMatchObject({ providerReference: 'EC80', providerState: { at: 'one' } })
})

describe('a refund that its provider paid late, after another refund,', () => {
  let id: string
  const callback = () =>
    handleCallback(world.ctx, 'scripted', world.provider.refunds[0]?.callbackUrl.split('/').at(-1) ?? '')
  beforeEach(async () => {
    world.provider.refundsBy = 'api-partial'
    world.provider.refund = async () => refused('declined')
    await expect(refund(12.5)).rejects.toMatchObject({ code: 'refund_declined' })
    id = (await latest()).id
    world.provider.refund = async ({ amount }) => paid(amount, 'RF2')
    await refund(5)
    expect((await admin('refunds', 'list')).output).not.toContain(id)
    world.provider.lookupRefund = async () => paid(money(1250n, 'USD'), 'RF9')
    await callback()
  })

  test('is listed for the operator with its reference until it is resolved, and nothing is booked when the amount was returned', async () => {
    const before = await balances()
    await callback()
    const { output } = await admin('refunds', 'list')
    for (const text of [id, 'its provider paid it later', 'RF9', `refunds settled ${id} --how "TEXT"`])
      expect(output).toContain(text)
    expect(await admin('refunds', 'paid', id, '--reference', 'RF9')).toMatchObject({ code: 1 })
    expect(await admin('refunds', 'settled', id, '--how', ' ')).toMatchObject({ code: 2 })
    const twice = await Promise.all(
      ['The payer gave it back', 'once more'].map((how) =>
        admin('refunds', 'settled', id, '--how', how, '--amount', '0'),
      ),
    )
    expect(twice.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(twice.find(({ code }) => code === 0)?.output).toContain('nothing is booked')
    expect(await auditEntriesOn(world.ctx, id)).toMatchObject([
      { action: 'refund.settled_by_operator', details: { reference: 'RF9' } },
    ])
    expect((await admin('refunds', 'list')).output).not.toContain(id)
    await callback()
    expect((await admin('refunds', 'list')).output).not.toContain(id)
    expect(await balances()).toEqual(before)
    expect(await now()).toMatchObject({ status: 'completed', refunded: money(500n, 'USD') })
  })

  test('and with another amount than requested is listed too', async () => {
    world.provider.refund = async () => refused('declined')
    await expect(refund(7.5)).rejects.toMatchObject({ code: 'refund_declined' })
    const { id: other } = await latest()
    world.provider.lookupRefund = async () => paid(money(1n, 'USD'), 'RF8')
    const token = world.provider.refunds.at(-1)?.callbackUrl.split('/').at(-1) ?? ''
    await handleCallback(world.ctx, 'scripted', token)
    expect((await admin('refunds', 'list')).output).toContain(other)
  })
})

test('a refund that was not paid after its failure cannot be resolved', async () => {
  await refund(5)
  const { id } = await latest()
  expect(await admin('refunds', 'settled', id, '--how', 'somehow')).toMatchObject({ code: 1 })
  expect((await admin('refunds', 'list')).output).toContain(id)
})

test('the refund of a duplicate charge cannot fail: it waits until it is sent', async () => {
  const { refund: opened } = await makeDuplicateRefund(world.ctx, await latestAttempt(world.ctx, payment))
  expect(await admin('refunds', 'failed', opened.id, '--reason', 'no')).toMatchObject({ code: 1 })
  expect(await balances()).toMatchObject({ 'refunds.payable': -1250n })
  expect(await admin('refunds', 'paid', opened.id, '--reference', 'EC9')).toMatchObject({ code: 0 })
  expect(await balances()).toMatchObject({ 'refunds.payable': 0n, 'merchant.payable': -1166n })
})

test.each([
  [['refunds', 'paid', 'pay_x', '--reference', 'A'], 2, 'not the id of a refund'],
  [
    ['refunds', 'paid', idFrom(RefundId, '018f0000-0000-7000-8000-000000000000'), '--reference', 'A'],
    1,
    'no refund',
  ],
  [
    ['refunds', 'settled', idFrom(RefundId, '018f0000-0000-7000-8000-000000000000'), '--how', 'A'],
    1,
    'no refund',
  ],
  [['refunds', 'show', idFrom(RefundId, '018f0000-0000-7000-8000-000000000000')], 1, 'no refund'],
  [['refunds', 'paid', idFrom(RefundId, '018f0000-0000-7000-8000-000000000000')], 2, '--reference'],
  [
    ['refunds', 'failed', idFrom(RefundId, '018f0000-0000-7000-8000-000000000000'), '--reason', ' '],
    2,
    '--reason',
  ],
])('%j is refused with %s', async (args, code, text) => {
  expect(await admin(...args)).toMatchObject({ code, output: expect.stringContaining(text) })
})

describe('a refund that the operator opens', () => {
  const open = (...words: string[]) =>
    admin('refunds', 'open', shop.merchantId, payment.id, '--reason', 'The goods never came', ...words)

  test('is opened once, for a suspended merchant too, with the operator and the reason in the audit log', async () => {
    await changeMerchantStatus(world.ctx, operatorActor('rudo', 'rudo@till'), {
      merchantId: shop.merchantId,
      move: 'suspend',
      reason: 'Complaints',
      seen: null,
    })
    const opened = await open('--amount', '5')
    expect(opened).toEqual({
      code: 0,
      output: expect.stringContaining(`A refund of USD 5.00 of ${payment.id} is open`),
    })
    expect(await latest()).toMatchObject({
      status: 'awaiting_operator',
      amount: money(500n, 'USD'),
      reason: 'The goods never came',
    })
    await open('--amount', '5')
    expect((await refundsOf(world.ctx.db.kysely, shop.accountId, payment.id)).length).toBe(1)
    expect(await auditEntriesOn(world.ctx, payment.id)).toMatchObject([
      {
        action: 'payment.refund_opened',
        actor_kind: 'operator',
        details: { reason: 'The goods never came' },
      },
    ])
    expect((await admin('refunds', 'list')).output).toContain((await latest()).id)
    await open()
    expect(await latest()).toMatchObject({ amount: money(750n, 'USD') })
  })

  test('is refused for more than remains, and for a payment that is not the merchant’s', async () => {
    expect(await open('--amount', '12.51')).toMatchObject({
      code: 1,
      output: expect.stringContaining('Nothing has changed'),
    })
    expect(await open('--amount', 'much')).toMatchObject({ code: 2 })
    const other = await freshShop(world)
    const foreign = await admin('refunds', 'open', other.accountId, payment.id, '--reason', 'x')
    expect(foreign).toMatchObject({ code: 1, output: expect.stringContaining('has no payment') })
    expect(await refundsOf(world.ctx.db.kysely, shop.accountId, payment.id)).toEqual([])
  })
})
