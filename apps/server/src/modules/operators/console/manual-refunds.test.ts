import { CONSOLE_PAGE } from '@muripo/contract/console'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeApp } from '../../../../test/app.ts'
import { auditEntriesOn, byMerchant } from '../../../../test/audit-entries.ts'
import { type AtConsole, operatorAt } from '../../../../test/console.ts'
import { freshShop, makeWorld, type Shop } from '../../../../test/world.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { freshReference, makePaid } from '../../payments/factory.ts'
import { refundPayment, refundsOf } from '../../payments/index.ts'

const world = await makeWorld()
const { ctx } = world
let app: Awaited<ReturnType<typeof makeApp>>
let one: AtConsole
let other: AtConsole
let shop: Shop

beforeAll(async () => {
  app = await makeApp(ctx)
  one = await operatorAt(app, ctx, 'finance')
  other = await operatorAt(app, ctx, 'finance')
})
beforeEach(async () => {
  shop = await freshShop(world)
  world.provider.refundsBy = 'manual'
})
afterAll(async () => {
  await app.close()
  await ctx.close()
})

/** A refund that an operator has to send. */
async function toSend(): Promise<{
  readonly id: string
  readonly payment: Awaited<ReturnType<typeof makePaid>>
}> {
  const payment = await makePaid(ctx, shop.owner, world.provider)
  const refunded = { amount: 5, currency: 'USD' } as const
  const { refund } = await refundPayment(
    ctx,
    byMerchant(shop.merchantId),
    shop.accountId,
    payment.id,
    refunded,
  )
  return { id: refund.id, payment }
}
const listed = async (by: AtConsole, query = '') => (await by.call('GET', `/refunds${query}`)).body
const find = (body: { refunds: { refundId: string; takenUntil: string | null }[] }, id: string) =>
  body.refunds.find(({ refundId }) => refundId === id)
const batchOf = (ids: readonly string[]) => {
  const refunds = ids.map((refund) => ({ refund, reference: freshReference() }))
  return { kind: 'refund.batch', subject: ids[0], refunds, reason: 'Sent in the portal' }
}
const statusOf = async ({ payment }: Awaited<ReturnType<typeof toSend>>) =>
  (await refundsOf(ctx.db.kysely, shop.accountId, payment.id))[0]

test('a number is whole for the operator who has taken the refund out, and in the file', async () => {
  const { id, payment } = await toSend()
  expect(find(await listed(one), id)).toMatchObject({ phone: '077 *** 4567', takenUntil: null })
  expect((await one.call('GET', '/refunds/export')).text).not.toContain(id)
  const { status } = await one.call('POST', '/refunds/take-out', { refunds: [id], reason: 'To send' })
  expect(status).toBe(201)
  expect(find(await listed(one), id)).toMatchObject({ phone: '+263771234567' })
  expect(find(await listed(other), id)).toMatchObject({ phone: '077 *** 4567' })
  const { text } = await one.call('GET', '/refunds/export')
  expect(text.split('\r\n').filter((line) => line.includes(id))).toEqual([
    expect.stringContaining('"+263771234567",5.00,"USD"'),
  ])
  expect((await auditEntriesOn(ctx, id)).at(-1)).toMatchObject({
    action: 'operator.revealed',
    details: { reason: 'To send' },
  })
  expect((await one.call('POST', '/refunds/take-out', { refunds: [payment.id], reason: 'r' })).status).toBe(
    404,
  )
})

test('the list filters by state, provider, currency and words', async () => {
  const { id, payment } = await toSend()
  for (const query of [`?search=${payment.id}`, '?state=to_send&currency=USD', '?provider=scripted'])
    expect(find(await listed(one, query), id)).toBeDefined()
  for (const query of ['?search=nothing', '?state=proposed', '?currency=ZWG', '?provider=other'])
    expect(find(await listed(one, query), id)).toBeUndefined()
})

test('a refund that was sent, and one that came back, are in lists and files of their own', async () => {
  const { id, payment } = await toSend()
  const reference = freshReference()
  const sent = { kind: 'refund.resolve', subject: id, outcome: 'completed', reference, reason: 'Sent' }
  const { body: proposal } = await one.call('POST', '/proposals', sent)
  expect(proposal).toMatchObject({ merchantId: shop.accountId, paymentId: payment.id })
  expect(find(await listed(one, '?state=sent'), id)).toBeUndefined()
  await other.approve(proposal.id)
  expect(find(await listed(one, '?state=sent'), id)).toMatchObject({ reference, bouncedAt: null })
  expect((await one.call('GET', '/refunds/list?state=sent')).text).toContain(reference)

  const bounce = { kind: 'refund.bounce', subject: id, reason: 'The number is closed' }
  const { body: bounced } = await one.call('POST', '/proposals', bounce)
  await other.approve(bounced.id)
  expect(find(await listed(one, '?state=sent'), id)).toBeUndefined()
  expect(find(await listed(one, '?state=came_back'), id)).toMatchObject({ status: 'failed' })
  const [replacement] = await refundsOf(ctx.db.kysely, shop.accountId, payment.id)
  const { text } = await one.call('GET', '/refunds/list?state=came_back')
  expect(text.split('\r\n').find((line) => line.includes(id))).toContain(replacement?.id)
  expect(find(await listed(one, '?state=to_send'), replacement?.id ?? '')).toBeDefined()
})

test('a batch is confirmed by two, once, each refund under its own reference', async () => {
  const sent = [await toSend(), await toSend(), await toSend()]
  const ids = sent.map(({ id }) => id)
  const asked = batchOf(ids)
  const { status, body: proposal } = await one.call('POST', '/proposals', asked)
  expect([status, proposal.about]).toEqual([201, '3 refunds, USD 15.00'])
  expect(find(await listed(one, '?state=proposed'), ids[1] ?? '')).toMatchObject({ proposalId: proposal.id })
  const again = await other.call('POST', '/proposals', batchOf(ids.toReversed()))
  expect(again.body).toMatchObject({ code: 'proposal_refused' })
  expect((await statusOf(sent[0] as never))?.status).toBe('awaiting_operator')
  expect((await other.approve(proposal.id)).body.state).toBe('approved')
  for (const [index, each] of sent.entries())
    expect(await statusOf(each)).toMatchObject({
      status: 'completed',
      providerReference: asked.refunds[index]?.reference,
    })
  const { actor, details } = (await auditEntriesOn(ctx, ids[2] ?? '')).at(-1) ?? {}
  expect([actor, details]).toEqual([other.email, expect.objectContaining({ proposal: proposal.id })])
})

test('a batch with a refund that was resolved meanwhile confirms nothing', async () => {
  const sent = [await toSend(), await toSend()]
  const { body: proposal } = await one.call('POST', '/proposals', batchOf(sent.map(({ id }) => id)))
  await ctx.db.pool.query('update payments set version = version + 1 where description is not null')
  expect((await other.approve(proposal.id)).body.code).toBe('proposal_stale')
  for (const each of sent) expect((await statusOf(each))?.status).toBe('awaiting_operator')
})

test('a reference that proves another refund rolls the whole batch back', async () => {
  const [earlier, ...sent] = [await toSend(), await toSend(), await toSend()]
  const first = batchOf([earlier.id])
  const { body: done } = await one.call('POST', '/proposals', first)
  expect((await other.approve(done.id)).status).toBe(200)
  const asked = batchOf(sent.map(({ id }) => id))
  asked.refunds[1] = { refund: sent[1]?.id ?? '', reference: first.refunds[0]?.reference ?? '' }
  const { body: proposal } = await one.call('POST', '/proposals', asked)
  expect((await other.approve(proposal.id)).body).toMatchObject({
    code: 'proposal_stale',
    detail: expect.stringContaining('already belongs'),
  })
  for (const each of sent) expect((await statusOf(each))?.status).toBe('awaiting_operator')
  const { body } = await one.call('GET', '/proposals?state=stale')
  expect(body.proposals[0]).toMatchObject({
    id: proposal.id,
    decisionReason: expect.stringContaining('already belongs'),
  })
})

test('a batch names each refund once, and its first as the subject', async () => {
  const { id } = await toSend()
  const twice = batchOf([id, id])
  expect((await one.call('POST', '/proposals', twice)).body.errors[0].field).toBe('refunds')
  const wrong = { ...batchOf([id]), subject: 'rfd_0' }
  expect((await one.call('POST', '/proposals', wrong)).body.errors[0].field).toBe('subject')
})

test('a refund is in one open proposal, alone or in a batch', async () => {
  const [alone, batched] = [await toSend(), await toSend()]
  const resolve = (subject: string) => ({
    kind: 'refund.resolve',
    subject,
    outcome: 'completed',
    reference: freshReference(),
    reason: 'Sent',
  })
  expect((await one.call('POST', '/proposals', resolve(alone.id))).status).toBe(201)
  expect((await one.call('POST', '/proposals', batchOf([batched.id]))).status).toBe(201)
  for (const [asked, id] of [
    [resolve(batched.id), batched.id],
    [batchOf([alone.id]), alone.id],
  ] as const)
    expect((await other.call('POST', '/proposals', asked)).body).toMatchObject({
      code: 'proposal_refused',
      detail: `${id} is in another open proposal`,
    })
})

test('a refund that is proposed as sent is in no file, and nobody takes it out again', async () => {
  const [sent, left] = [await toSend(), await toSend()]
  const ids = [sent.id, left.id]
  expect((await one.call('POST', '/refunds/take-out', { refunds: ids, reason: 'r' })).status).toBe(201)
  expect((await one.call('POST', '/proposals', batchOf([sent.id]))).status).toBe(201)
  const { text } = await one.call('GET', '/refunds/export')
  expect([text.includes(sent.id), text.includes(left.id)]).toEqual([false, true])
  expect(
    (await other.call('POST', '/refunds/take-out', { refunds: [sent.id], reason: 'r' })).body,
  ).toMatchObject({
    code: 'proposal_refused',
    detail: `${sent.id} is in an open proposal: it was sent`,
  })
})

test('of two operators who take a refund out at once, one sends it', async () => {
  const { id } = await toSend()
  const takeOut = (by: AtConsole) => by.call('POST', '/refunds/take-out', { refunds: [id], reason: 'r' })
  const answers = await Promise.all([one, other, one, other].map(takeOut))
  const [holder, second] = find(await listed(one), id)?.takenUntil ? [one, other] : [other, one]
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409])
  expect((await takeOut(holder)).status).toBe(201)
  expect((await takeOut(second)).body).toMatchObject({
    code: 'proposal_refused',
    detail: expect.stringMatching(`^${id} is taken out by ${holder.email} until `),
  })
  ctx.clock.advance(16 * 60_000)
  one = await operatorAt(app, ctx, 'finance')
  other = await operatorAt(app, ctx, 'finance')
  expect((await takeOut(one)).status).toBe(201)
})

test('a verdict that a refund does not allow is refused before anybody approves it', async () => {
  const { id, payment } = await toSend()
  const resolve = (outcome: string, more: object = {}) =>
    one.call('POST', '/proposals', { kind: 'refund.resolve', subject: id, outcome, reason: 'r', ...more })
  expect((await resolve('unclaimed')).body).toMatchObject({
    code: 'proposal_refused',
    detail: `${id} refunds no second charge: when it cannot be sent, it fails`,
  })
  const at = ctx.clock.now().toISOString()
  const report = { outcome: 'refunded', providerStatus: 'Refunded', providerReference: null, since: at, at }
  await ctx.db.pool.query('update payment_attempts set last_report = $2 where payment_id = $1', [
    uuidOf(payment.id),
    { ...report, minor: null, currency: null },
  ])
  const detail = `${id} was already returned by its provider: confirm it alone, with a reason`
  for (const { body } of [
    await resolve('completed', { reference: freshReference() }),
    await one.call('POST', '/proposals', batchOf([id])),
  ])
    expect(body).toMatchObject({ code: 'proposal_refused', detail })
  const { body } = await resolve('completed', { reference: freshReference(), although: 'Sent besides' })
  expect(body.diff).toContainEqual({
    label: 'Although the provider has returned the charge',
    from: null,
    to: 'Sent besides',
  })
  expect((await other.approve(body.id)).body.state).toBe('approved')
})

test('the list and its file go on after the first page, and the file of what was taken out names everything', async () => {
  const payment = await makePaid(ctx, shop.owner, world.provider, { amount: 100 })
  const ids: string[] = []
  for (let cents = 1; cents <= CONSOLE_PAGE + 2; cents += 1) {
    const asked = { amount: cents / 100, currency: 'USD', isByHand: true, reason: 'Call 0771234567' } as const
    const by = byMerchant(shop.merchantId)
    const { refund } = await refundPayment(ctx, by, shop.accountId, payment.id, asked)
    ids.push(refund.id)
  }
  const first = await listed(one, `?search=${payment.id}`)
  expect(first.refunds).toHaveLength(CONSOLE_PAGE)
  const next = await listed(one, `?search=${payment.id}&cursor=${first.nextCursor}`)
  expect(next.nextCursor).toBeNull()
  expect([...first.refunds, ...next.refunds].map(({ refundId }) => refundId)).toEqual(ids)
  const { text } = await one.call('GET', `/refunds/list?state=to_send&search=${payment.id}`)
  expect(ids.filter((id) => !text.includes(id))).toEqual([])
  expect(text).toContain('Call 077 *** 4567')
  for (const shown of [text, JSON.stringify(first)]) expect(shown).not.toMatch(/771234567/)
  for (const part of [ids.slice(0, 50), ids.slice(50)])
    await one.call('POST', '/refunds/take-out', { refunds: part, reason: 'To send' })
  const { text: taken } = await one.call('GET', '/refunds/export')
  expect(ids.filter((id) => !taken.includes(id))).toEqual([])
})

test('a text that no database stores finds nothing, in the list, its file and the routes', async () => {
  const admin = await operatorAt(app, ctx, 'admin')
  for (const path of ['/refunds?provider=%00', '/refunds?search=%00a', '/routes?account=%00'])
    expect((await admin.call('GET', path)).status, path).toBe(200)
  const { status, text } = await admin.call('GET', '/refunds/list?provider=%00&search=%00a')
  expect([status, text.trim().split('\n').length]).toEqual([200, 1])
})
