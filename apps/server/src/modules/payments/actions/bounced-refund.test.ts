import { RefundId } from '@muripo/contract/ids'
import { fromMajor, money } from '@muripo/contract/money'
import { beforeEach, describe, expect, test } from 'vitest'
import { operator, paymentScene } from '../../../../test/payment-scene.ts'
import { terminalOf } from '../../../../test/terminal.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import type { Reply } from '../../providers/index.ts'
import {
  freshReference,
  makeDuplicateRefund,
  makePaid,
  paid,
  refused,
  standingOf,
  tracesOf,
} from '../factory.ts'
import { checkRefund } from './check-refund.ts'
import { readDetails } from './read-details.ts'
import { refundPayment } from './request-refund.ts'
import { resolveReview } from './resolve-anomaly.ts'
import { type RefundVerdict, resolveRefund } from './resolve-refund.ts'

const { world, scene, query, rows, attempt, now, anomalies, refund, refundCallback } = await paymentScene()
const { admin } = terminalOf(world.ctx.databaseUrl)

const usd = (major: number) => fromMajor(major, 'USD')
const standing = () => standingOf(world.ctx, scene.shop.accountId)
const refunds = async () =>
  (await rows('refunds')).sort((one, other) => (one.id < other.id ? -1 : 1)).map(({ status }) => status)
const idOf = ({ id }: { id: string }) => idFrom(RefundId, id)
/** The refund of the payment that waits for an operator, as the list shows it. */
const waiting = async () => {
  const ids = (await rows('refunds')).filter(({ status }) => status === 'awaiting_operator').map(idOf)
  expect(ids).toHaveLength(1)
  expect((await admin('refunds', 'list')).output).toContain(`refunds paid ${ids[0]} `)
  return ids[0] as RefundId
}
const inBalance = async () => {
  expect((await admin('ledger', '--merchant', scene.shop.accountId)).output).toContain('In balance')
  expect(await query('select * from payment_ledger_drift')).toEqual([])
}
/** The provider reports the completed refund as failed. */
const bounce = async () => {
  world.provider.lookupRefund = async () => refused()
  await refundCallback()
}
const resolve = (...words: string[]) => admin('payments', 'resolve', scene.payment.id, ...words)

beforeEach(async () => {
  scene.payment = await makePaid(world.ctx, scene.shop.owner, world.provider, { amount: 25 })
  world.provider.refund = async ({ amount }) => paid(amount, 'R1')
})

describe('a completed refund whose amount comes back', () => {
  test.each([25, 10])('is owed to the payer again, and sent by hand: %d of 25', async (amount) => {
    await refund(amount)
    const before = await standing()
    await bounce()
    expect(await anomalies()).toEqual(['contradicted'])
    const command = /payments resolve (.+ bounced) --reason "TEXT" (.+)/.exec(
      (await admin('payments', 'review')).output,
    )
    const line = `${command?.[1]} ${command?.[2]}`.split(' ').slice(1)
    expect(await resolve('reversed', '--amount', '1', '--reason', 'x')).toMatchObject({ code: 1 })
    expect(await resolve(...line)).toMatchObject({ code: 2 })
    expect(await resolve(...line, '--reason', 'The wallet is closed')).toMatchObject({ code: 0 })
    expect(await resolve(...line, '--reason', 'The wallet is closed')).toMatchObject({ code: 1 })

    expect(await refunds()).toEqual(['failed', 'awaiting_operator'])
    expect(await now()).toMatchObject({
      status: 'completed',
      refunded: money(0n, 'USD'),
      refundPending: usd(amount),
    })
    expect(await standing()).toEqual({
      ...before,
      'clearing.scripted': (before['clearing.scripted'] ?? 0n) + usd(amount).minor,
      'refunds.payable': -usd(amount).minor,
    })
    const { events } = await tracesOf(world.ctx, scene.payment)
    expect(events.slice(-1)).toEqual(['3 refund.failed'])
    const [event] = await query(
      "select data->'refund'->>'status' as status, data->'replacement'->>'status' as next, data->'amount_refunded' as refunded from events where type = 'refund.failed' and subject_id = $1",
      [uuidOf(scene.payment.id)],
    )
    expect(event).toEqual({ status: 'failed', next: 'pending', refunded: 0 })
    const { timeline } = await readDetails(world.ctx, scene.shop.accountId, scene.payment.id)
    expect(timeline).toContainEqual(
      expect.objectContaining({ kind: 'refund_bounced', explanation: 'The wallet is closed' }),
    )
    await inBalance()

    // The same report changes nothing: the bounced refund is over.
    await refundCallback()
    expect(await anomalies()).toEqual(['contradicted'])
    const id = await waiting()
    expect(await admin('refunds', 'paid', id, '--reference', freshReference())).toMatchObject({ code: 0 })
    expect(await now()).toMatchObject({
      status: amount === 25 ? 'refunded' : 'completed',
      refunded: usd(amount),
    })
    expect(await standing()).toEqual(before)
    await inBalance()
  })

  test('returns to the merchant, and can be requested again, when the payer cannot be paid', async () => {
    await refund(25)
    const bounced = await waitingAfterBounce()
    expect((await admin('refunds', 'show', bounced)).output).toContain('replaces it')
    const replacement = await waiting()
    expect(await admin('refunds', 'failed', replacement, '--reason', 'No such number')).toMatchObject({
      code: 0,
    })
    expect(await standing()).toMatchObject({ 'clearing.scripted': 2500n, 'refunds.payable': 0n })
    await inBalance()
    await refund(25)
    expect(await now()).toMatchObject({ status: 'refunded' })
    await inBalance()
  })

  /** An operator reports the bounce from a statement. */
  async function waitingAfterBounce(): Promise<string> {
    const list = await admin(
      'refunds',
      'open',
      scene.shop.accountId,
      scene.payment.id,
      '--amount',
      '25',
      '--reason',
      'x',
    )
    const [id = ''] = /rfd_\w+/.exec(list.output) ?? []
    expect(list).toMatchObject({ code: 0, output: expect.stringContaining('Nothing new is opened') })
    expect(await admin('refunds', 'bounced', id, '--reason', 'Statement of May')).toMatchObject({ code: 0 })
    expect(await admin('refunds', 'bounced', id, '--reason', 'Statement of May')).toMatchObject({ code: 1 })
    return id
  }

  test('bounces again after it was sent again', async () => {
    await refund(25)
    await bounce()
    await resolve('bounced', '--reason', 'Closed')
    const second = await waiting()
    await admin('refunds', 'paid', second, '--reference', 'HAND-2')
    expect(await admin('refunds', 'bounced', second, '--reason', 'Closed too')).toMatchObject({ code: 0 })
    expect(await refunds()).toEqual(['failed', 'failed', 'awaiting_operator'])
    expect(await now()).toMatchObject({ status: 'completed', refundPending: usd(25) })
    await inBalance()
  })

  test('is recorded once by 8 concurrent operators', async () => {
    await refund(25)
    await bounce()
    const verdict = { kind: 'bounced', reason: 'Closed' } as const
    const all = await Promise.all(
      Array.from({ length: 8 }, () => resolveReview(world.ctx, operator, scene.payment.id, null, verdict)),
    )
    expect(all.filter((each) => each === 'done')).toHaveLength(1)
    expect(await refunds()).toEqual(['failed', 'awaiting_operator'])
    await inBalance()
  })

  test('is listed when its provider reports the bounced refund as paid after all', async () => {
    await refund(25)
    await bounce()
    await resolve('bounced', '--reason', 'Closed')
    world.provider.lookupRefund = async () => ({ ...paid(usd(25), 'R1'), providerStatus: 'PAID' })
    await refundCallback()
    expect(await anomalies()).toEqual(['contradicted', 'contradicted'])
    expect(await standing()).toMatchObject({ 'refunds.payable': -2500n })
    expect(await resolve('bounced', '--reason', 'x')).toMatchObject({ code: 1 })
    await inBalance()
  })
})

/** The refund of a second charge, in this status, and no longer looked up. */
async function refundOfDuplicate(status: 'awaiting_operator' | 'unknown'): Promise<RefundId> {
  const { refund } = await makeDuplicateRefund(world.ctx, { ...(await attempt()), status: 'duplicate' })
  await query('update refunds set status = $2, next_check_at = null where id = $1', [
    uuidOf(refund.id),
    status,
  ])
  return refund.id
}

test('the refund of a second charge that comes back stays owed to its payer', async () => {
  const id = await refundOfDuplicate('awaiting_operator')
  const done = await admin('refunds', 'paid', id, '--reference', 'D1')
  expect(done).toMatchObject({ code: 0, output: expect.not.stringContaining('notified') })
  expect(await admin('refunds', 'bounced', id, '--reason', 'Closed')).toMatchObject({ code: 0 })
  expect(await standing()).toMatchObject({ 'refunds.payable': -2500n })
  const next = await waiting()
  expect(await admin('refunds', 'failed', next, '--reason', 'x')).toMatchObject({ code: 1 })

  // Nobody can reach the payer: the amount leaves the refunds, and the payer can still claim it.
  const unclaimed = ['refunds', 'unclaimed', next, '--reason', 'The number is closed'] as const
  expect(await admin(...unclaimed)).toMatchObject({ code: 0 })
  expect(await admin(...unclaimed)).toMatchObject({ code: 1 })
  expect(await standing()).toMatchObject({ 'refunds.payable': 0n, 'unclaimed.payable': -2500n })
  expect(
    await query('select unclaimed_at is not null as is_dated from refunds where id = $1', [uuidOf(next)]),
  ).toEqual([{ is_dated: true }])
  expect((await admin('refunds', 'list')).output).not.toContain(next)
  await inBalance()
  expect(await admin('refunds', 'paid', next, '--reference', 'D2')).toMatchObject({ code: 0 })
  expect(await standing()).toMatchObject({ 'unclaimed.payable': 0n, 'clearing.scripted': 2500n })
  await inBalance()
})

describe('a refund without an answer whose payer nobody reaches', () => {
  let id: RefundId
  const answer = async (reply: Reply) => {
    world.provider.lookupRefund = async () => reply
    await checkRefund(world.ctx, scene.shop.accountId, id)
  }
  const decide = async (verdict: RefundVerdict) =>
    expect(await resolveRefund(world.ctx, operator, id, verdict)).toBe('done')
  const claim = () => decide({ kind: 'paid', reference: freshReference() })
  const isPaid = async () => {
    expect(await refunds()).toEqual(['completed'])
    expect(await standing()).toMatchObject({ 'unclaimed.payable': 0n, 'clearing.scripted': 2500n })
    await inBalance()
  }
  beforeEach(async () => {
    id = await refundOfDuplicate('unknown')
    // In this process, whose registry has the provider: the refund is watched.
    await decide({ kind: 'unclaimed', reason: 'The number is closed' })
  })

  test('is paid when the payer claims it', async () => {
    await claim()
    await isPaid()
  })

  test('is paid when its provider reports so', async () => {
    await answer(paid(usd(25), 'R3'))
    await isPaid()
  })

  test('is paid when the payer claims it after the provider has reported another amount', async () => {
    await answer(paid(usd(7), 'R3'))
    expect(
      await query('select paid_late_at is not null as is_late from refunds where id = $1', [uuidOf(id)]),
    ).toEqual([{ is_late: true }])
    await claim()
    await isPaid()
  })
})

test('a refund that its provider refuses is opened by hand, and a refund of the merchant is not unclaimed', async () => {
  world.provider.refund = async () => refused('declined')
  const open = (...options: string[]) =>
    admin('refunds', 'open', scene.shop.accountId, scene.payment.id, '--reason', 'The payer asks', ...options)
  await expect(refund(5)).rejects.toMatchObject({ code: 'refund_declined' })
  const byHand = { amount: 5, currency: 'USD', isByHand: true } as const
  const { accountId, id: paymentId } = scene.payment
  expect(await refundPayment(world.ctx, operator, accountId, paymentId, byHand)).toMatchObject({
    isDone: false,
    isRepetition: false,
  })
  const id = await waiting()
  expect(await open('--amount', '5', '--by-hand')).toMatchObject({
    code: 0,
    output: expect.stringContaining(`Nothing new is opened: ${id}`),
  })
  expect(await refunds()).toEqual(['failed', 'awaiting_operator'])
  expect(await admin('refunds', 'unclaimed', id, '--reason', 'x')).toMatchObject({ code: 1 })
  expect(await admin('refunds', 'paid', id, '--reference', 'HAND-3')).toMatchObject({ code: 0 })
  expect(await now()).toMatchObject({ refunded: usd(5) })
  await inBalance()
})
