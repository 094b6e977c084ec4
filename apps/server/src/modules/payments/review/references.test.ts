import { RefundId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { operator, paymentScene } from '../../../../test/payment-scene.ts'
import { terminalOf } from '../../../../test/terminal.ts'
import { freshShop } from '../../../../test/world.ts'
import { idFrom } from '../../../platform/ids.ts'
import { handleCallback } from '../actions/handle-callback.ts'
import { resolveReview } from '../actions/resolve-anomaly.ts'
import { resolveAttempt } from '../actions/resolve-attempt.ts'
import { resolveRefund } from '../actions/resolve-refund.ts'
import {
  freshReference,
  latestAttempt,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  paymentNow,
  pending,
  refused,
  standingOf,
} from '../factory.ts'
import type { Attempt, Payment } from '../payment/payment.ts'
import { findRepeated } from './store-references.ts'

const { world, scene, query, rows, anomalies, refund, refundCallback } = await paymentScene()
const { admin } = terminalOf(world.ctx.databaseUrl)
const { provider } = world

const usd = (major: number) => money(BigInt(major) * 100n, 'USD')
/** A charge that waits for an operator; the provider has reported this reference for it. */
async function held(reported: string | null = null, { owner } = scene.shop): Promise<Payment> {
  const payment = await makePayment(world.ctx, owner, { amount: 25 })
  provider.charge = async () => ({ ...paid(usd(1)), providerReference: reported })
  await makeAttempt(world.ctx, payment)
  return payment
}
/** `done`, or the sentence of the refusal. */
const answerOf = (decision: Promise<unknown>): Promise<string> =>
  decision.then(
    () => 'done',
    (error: Error) => error.message,
  )
const complete = ({ id }: Payment, reference: string) =>
  answerOf(resolveAttempt(world.ctx, operator, id, null, { outcome: 'completed', reference }))
const completeReviewed = ({ id }: Payment, reference: string) =>
  answerOf(resolveReview(world.ctx, operator, id, null, { kind: 'completed', reference }))
const refusedFor = ({ id }: Payment) =>
  expect.stringMatching(new RegExp(`^The reference .+ already belongs to ${id}: one reference of a provider`))
const statusOf = async (payment: Payment) =>
  (await paymentNow(world.ctx, scene.shop.owner, payment.id)).status
/** A refund that waits for an operator. */
async function byHand(amount: number): Promise<RefundId> {
  provider.refundsBy = 'manual'
  await refund(amount)
  const waiting = (await rows('refunds')).find(({ status }) => status === 'awaiting_operator')
  return idFrom(RefundId, waiting?.id)
}
const payRefund = (id: RefundId, reference: string) =>
  answerOf(resolveRefund(world.ctx, operator, id, { kind: 'paid', reference }))
const paidNow = (reference?: string) =>
  makePaid(world.ctx, scene.shop.owner, provider, { amount: 25 }, reference)
/** A charge that failed here, and that an operator reviews. */
async function failedInReview(): Promise<Payment> {
  const payment = await makePayment(world.ctx, scene.shop.owner, { amount: 25 })
  provider.charge = async () => refused()
  await makeAttempt(world.ctx, payment)
  provider.lookup = async () => pending()
  await handleCallback(world.ctx, 'scripted', provider.charges.at(-1)?.callbackUrl.split('/').at(-1) ?? '')
  for (const hours of [1, 6, 24, 73]) {
    world.ctx.clock.advance(hours * 3_600_000)
    await handleCallback(world.ctx, 'scripted', provider.charges.at(-1)?.callbackUrl.split('/').at(-1) ?? '')
  }
  return payment
}

beforeEach(() => {
  provider.references = 'unique'
})

describe('one reference of a provider proves one payment:', () => {
  test.each([
    ['as it is', 'MP2611.1234.A'],
    ['in lower case', 'mp2611.1234.a'],
    ['with spaces around it', '  MP2611.1234.A '],
    ['with spaces in it', 'MP2611 .1234. A'],
    ['with marks of no width', 'MP2611\u200b.1234\u00a0.\ufeffA'],
    ['in wide letters', 'ＭＰ２６１１．１２３４．Ａ'],
    ['with hyphens', 'MP2611-1234–A'],
  ])('an operator gives it again %s', async (_how, other) => {
    const end = freshReference().split('.A').at(-1)
    const [first, second] = [await held(), await held()]
    expect(await complete(first, `MP2611.1234.A${end}`)).toBe('done')
    expect(await complete(second, `${other}${end}`)).toEqual(refusedFor(first))
    expect(await statusOf(second)).toBe('pending')
    expect(await standingOf(world.ctx, scene.shop.accountId)).toMatchObject({ 'clearing.scripted': 2500n })
    expect(await complete(second, freshReference())).toBe('done')
  })

  test('for payments of two merchants, and for rivals at the same moment once', async () => {
    const reference = freshReference()
    const theirs = await held(null, await freshShop(world))
    const all = [theirs, await held(), await held()]
    const verdict = { outcome: 'completed', reference } as const
    const ends = await Promise.allSettled(
      all.map(({ id }) => resolveAttempt(world.ctx, operator, id, null, verdict)),
    )
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    const statuses = await query(
      'select status from payment_attempts where provider_reference = $1 order by status',
      [reference],
    )
    expect(statuses).toEqual([{ status: 'completed' }])
  })

  test.each([
    ['a paid charge', async (reference: string) => paidNow(reference)],
    ['a charge in review', async (reference: string) => held(reference)],
    [
      'a charge that its payer still confirms',
      async (reference: string) => {
        const payment = await makePayment(world.ctx, scene.shop.owner)
        provider.charge = async () => ({ ...pending(), providerReference: reference })
        await makeAttempt(world.ctx, payment)
        return payment
      },
    ],
    [
      'a paid refund',
      async (reference: string) => {
        scene.payment = await paidNow(freshReference())
        provider.refund = async ({ amount }) => paid(amount, reference)
        await refund(5)
        return scene.payment
      },
    ],
  ])('the provider has reported it for %s', async (_what, make) => {
    const reference = freshReference()
    const first = await make(reference)
    const second = await held()
    expect(await complete(second, reference.toLowerCase())).toEqual(refusedFor(first))
    expect(await statusOf(second)).toBe('pending')
  })

  test('the reference that the provider has reported for the charge itself is no other', async () => {
    const reference = freshReference()
    expect(await complete(await held(reference), reference)).toBe('done')
  })

  test('of two charges in review that the provider has reported under one reference, the first is booked', async () => {
    const reference = freshReference()
    const [first, second] = [await held(reference), await held(reference)]
    expect(await complete(first, reference)).toBe('done')
    expect(await complete(second, reference)).toEqual(refusedFor(first))
  })

  test('a provider that repeats its references is not compared, and operators give each once nevertheless', async () => {
    provider.references = 'repeating'
    const reference = freshReference()
    await paidNow(reference)
    const first = await held()
    const verdict = { outcome: 'completed', reference } as const
    expect(await resolveAttempt(world.ctx, operator, first.id, null, verdict)).toMatchObject({ kind: 'done' })
    await expect(resolveAttempt(world.ctx, operator, (await held()).id, null, verdict)).rejects.toThrow(
      first.id,
    )
  })

  test('of refunds, also of the same payment, and of a refund and a charge', async () => {
    const [charge, receipt] = [freshReference(), freshReference()]
    scene.payment = await paidNow(charge)
    const first = await byHand(5)
    expect(await payRefund(first, receipt)).toBe('done')
    const second = await byHand(6)
    expect(await payRefund(second, receipt.toLowerCase())).toEqual(refusedFor(scene.payment))
    expect(await complete(await held(), receipt)).toEqual(refusedFor(scene.payment))
    // Some providers report a refund under the reference of its charge.
    expect(await payRefund(second, charge)).toBe('done')
    const other = scene.payment
    scene.payment = await paidNow(freshReference())
    expect(await payRefund(await byHand(5), charge)).toEqual(refusedFor(other))
  })

  test('of the outcome of a review', async () => {
    const reference = freshReference()
    const first = await held()
    await complete(first, reference)
    scene.payment = await failedInReview()
    expect(await anomalies()).toEqual(['still_pending'])
    expect(await completeReviewed(scene.payment, reference)).toEqual(refusedFor(first))
    expect(await statusOf(scene.payment)).not.toBe('completed')
    expect(await anomalies()).toEqual(['still_pending'])
    const own = freshReference()
    expect(await completeReviewed(scene.payment, own)).toBe('done')
    expect(await statusOf(scene.payment)).toBe('completed')
    expect(await complete(await held(), own)).toEqual(refusedFor(scene.payment))
  })

  test('which a command answers with the first payment', async () => {
    const [first, second, reference] = [await held(), await held(), freshReference()]
    const resolve = ({ id }: Payment) =>
      admin('payments', 'resolve', id, 'completed', '--reference', reference)
    expect(await resolve(first)).toMatchObject({ code: 0 })
    expect(await resolve(second)).toEqual({ code: 1, output: refusedFor(first) })
    scene.payment = await paidNow(freshReference())
    expect(await admin('refunds', 'paid', await byHand(5), '--reference', reference)).toEqual({
      code: 1,
      output: refusedFor(first),
    })
  })

  test('the database keeps the claim', async () => {
    await complete(await held(), freshReference())
    for (const change of ['set cause_id = gen_random_uuid()', "set provider = 'other'"])
      await expect(query(`update verdict_references ${change}`)).rejects.toThrow(/append-only/)
    await expect(query('delete from verdict_references')).rejects.toThrow(/append-only/)
    await expect(
      query('insert into verdict_references select * from verdict_references limit 1'),
    ).rejects.toThrow(/verdict_references_pkey/)
  })
})

describe('a reference that a provider reports again', () => {
  const reviewOf = async (payment: Payment) => {
    scene.payment = payment
    return rows('payment_anomalies')
  }

  test('books the payment and opens a review, which ends by a reversal', async () => {
    const reference = freshReference()
    const first = await paidNow(reference)
    expect(await reviewOf(first)).toEqual([])
    const second = await paidNow(` ${reference.toLowerCase()}`)
    expect(await reviewOf(second)).toMatchObject([
      { kind: 'reference_repeated', provider_status: expect.stringContaining(first.id), resolved_at: null },
    ])
    expect((await latestAttempt(world.ctx, second)).status).toBe('completed')
    const { output } = await admin('payments', 'review')
    expect(output).toContain('its provider reported the reference of another payment')
    const command = new RegExp(
      `resolve ${second.id} (reversed) --amount AMOUNT --reason "TEXT" (--review) (\\S+)`,
    )
    const [, verdict = '', option = '', id = ''] = command.exec(output) ?? []
    const line = ['payments', 'resolve', second.id, verdict, '--amount', '25', '--reason', 'x', option, id]
    expect(await admin(...line)).toMatchObject({ code: 0 })
    expect(await standingOf(world.ctx, scene.shop.accountId)).toMatchObject({ 'clearing.scripted': 2500n })
  })

  test('for a refund opens a review of the refund', async () => {
    scene.payment = await paidNow(freshReference())
    const reference = freshReference()
    provider.refund = async ({ amount }) => paid(amount, reference)
    await refund(5)
    expect(await anomalies()).toEqual([])
    await refund(6)
    expect(await rows('payment_anomalies')).toMatchObject([
      { kind: 'reference_repeated', refund_id: expect.any(String) },
    ])
    await refundCallback()
    expect(await anomalies()).toHaveLength(1)
  })

  test('of a refund is compared with a charge in progress when that is booked', async () => {
    const reference = freshReference()
    const waiting = await makePayment(world.ctx, scene.shop.owner, { amount: 25 })
    provider.charge = async () => ({ ...pending(), providerReference: reference })
    await makeAttempt(world.ctx, waiting)
    const refunded = await paidNow(freshReference())
    scene.payment = refunded
    provider.refund = async ({ amount }) => paid(amount, reference)
    await refund(5)
    expect(await anomalies()).toEqual([])
    provider.lookup = async () => paid(usd(25), reference)
    await handleCallback(world.ctx, 'scripted', provider.charges[0]?.callbackUrl.split('/').at(-1) ?? '')
    expect(await reviewOf(waiting)).toMatchObject([
      { kind: 'reference_repeated', provider_status: expect.stringContaining(refunded.id) },
    ])
  })

  test('is found by one search of the index for each charge of a batch', async () => {
    const charges: Attempt[] = []
    for (let made = 0; made < 8; made += 1)
      charges.push(await latestAttempt(world.ctx, await paidNow(freshReference())))
    const scans = await world.ctx.db.tx(async (tx) => {
      const countScans = async () => {
        const { rows } = await sql<{ count: string }>`
          select idx_scan as count from pg_stat_xact_user_tables where relname = 'payments'`.execute(tx)
        return Number(rows[0]?.count)
      }
      const before = await countScans()
      expect(await Promise.all(charges.map((charge) => findRepeated(tx, charge)))).toEqual(
        charges.map(() => null),
      )
      return (await countScans()) - before
    })
    expect(scans).toBe(charges.length)
  })

  test('opens none at a provider that repeats its references', async () => {
    provider.references = 'repeating'
    const reference = freshReference()
    await paidNow(reference)
    expect(await reviewOf(await paidNow(reference))).toEqual([])
  })
})
