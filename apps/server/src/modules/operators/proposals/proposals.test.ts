import type { MerchantId, ProposalId } from '@muripo/contract/ids'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeApp, makeCaller, withProviders } from '../../../../test/app.ts'
import { auditEntriesOn } from '../../../../test/audit-entries.ts'
import { type AtConsole, operatorAt, propose } from '../../../../test/console.ts'
import { makeWorld } from '../../../../test/world.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { changeMerchantStatus } from '../../applications/index.ts'
import { makeMerchant } from '../../identity/factory.ts'
import { findMerchants } from '../../identity/index.ts'
import { closeConsole } from '../jobs.ts'
import { addOperator, removeOperator } from '../people/actions/manage-operators.ts'
import { operatorByEmail } from '../people/store-operators.ts'
import { approveProposal } from './actions/approve.ts'
import { withdrawProposalsOf } from './actions/withdraw-all.ts'

const HOUR_MS = 3_600_000
const root = operatorActor('root', 'root@till')
const world = await makeWorld()
const { ctx } = world
let app: Awaited<ReturnType<typeof makeApp>>
let one: AtConsole
let other: AtConsole
let finance: AtConsole

beforeAll(async () => {
  app = await makeApp(ctx)
})
beforeEach(async () => {
  ctx.clock.advance(600_000)
  one = await operatorAt(app, ctx, 'risk')
  other = await operatorAt(app, ctx, 'admin')
  finance = await operatorAt(app, ctx, 'finance')
})
afterAll(async () => {
  await app.close()
  await ctx.close()
})

const newMerchant = async () => (await makeMerchant(ctx)).merchantId
const statusOf = async (id: Awaited<ReturnType<typeof newMerchant>>) =>
  (await findMerchants(ctx.db.kysely, id))[0]?.status
const stateOf = async (id: string) => {
  const { body } = await one.call('GET', '/proposals')
  return body.proposals.find((each: { id: string }) => each.id === id)?.state
}
const approvals = async (id: string) =>
  (await auditEntriesOn(ctx, id)).filter(({ action }) => action === 'proposal.approved')
/** An approval without a browser, as by the command line. */
const approveAs = async ({ email }: AtConsole, id: ProposalId) => {
  const operator = await operatorByEmail(ctx.db.kysely, email)
  if (operator === null) throw new Error('no operator')
  const actor = operatorActor(email, 'root@till')
  return approveProposal({ ctx: withProviders(ctx), paymentsOf: () => ctx }, { actor, operator, id })
}

test('a decision changes nothing until another operator approves it, and then executes what is stored', async () => {
  const merchant = await newMerchant()
  const { body: shown } = await one.call('GET', `/merchants/${merchant}`)
  const { status, body: proposal } = await propose(one, 'merchant.approve', merchant, { seen: shown.seen })
  expect([status, proposal]).toEqual([201, expect.anything()])
  expect(proposal).toMatchObject({
    state: 'open',
    mayApprove: false,
    mayWithdraw: true,
    whyNot: 'You proposed this. Somebody else must approve it.',
  })
  expect(proposal.diff[0]).toEqual({ label: 'Status', from: 'new', to: 'approved' })
  expect(await statusOf(merchant)).toBe('new')

  const approved = await other.approve(proposal.id)
  expect(approved.body).toMatchObject({ state: 'approved', decidedBy: { email: other.email } })
  expect(await statusOf(merchant)).toBe('approved')
  const [entry] = (await auditEntriesOn(ctx, merchant)).filter(({ action }) => action === 'merchant.approved')
  expect(entry).toMatchObject({ actor: other.email, details: { proposal: proposal.id, reason: 'because' } })
})

test('the second operator reads the reserved words that the first one lets the names have', async () => {
  const { merchantId } = await makeMerchant(ctx, { fullname: 'EcoCash Refunds' })
  const { body: shown } = await one.call('GET', `/merchants/${merchantId}`)
  const words = { seen: shown.seen, reserved: 'EcoCash' }
  const { body: proposal } = await propose(one, 'merchant.approve', merchantId, words)
  expect(proposal.diff).toContainEqual({ label: 'Reserved words', from: null, to: 'EcoCash' })
})

test('nobody approves an own proposal, by no way and after no promotion', async () => {
  const merchant = await newMerchant()
  const { body: proposal } = await propose(one, 'merchant.close', merchant)
  expect((await one.approve(proposal.id)).body.code).toBe('own_proposal')
  await expect(approveAs(one, proposal.id)).rejects.toMatchObject({ code: 'own_proposal' })
  await ctx.db.pool.query("update operators set role = 'admin' where id = $1", [uuidOf(one.id)])
  await expect(approveAs(one, proposal.id)).rejects.toMatchObject({ code: 'own_proposal' })
  const byHand = ctx.db.pool.query(
    "update proposals set state = 'approved', decided_by = proposed_by, decided_at = now(), executed_at = now() where id = $1",
    [uuidOf(proposal.id)],
  )
  await expect(byHand).rejects.toMatchObject({ constraint: 'proposals_second_person' })
  expect(await statusOf(merchant)).toBe('new')
})

test('a proposer who was removed and added again still cannot approve', async () => {
  const merchant = await newMerchant()
  await removeOperator(ctx, root, one.email, async () => undefined)
  await addOperator(ctx, root, { email: one.email, name: 'again', role: 'admin' })
  const { body: proposal } = await propose(other, 'merchant.close', merchant)
  await removeOperator(ctx, root, other.email, async () => undefined)
  await addOperator(ctx, root, { email: other.email, name: 'again', role: 'admin' })
  await expect(approveAs(other, proposal.id)).rejects.toMatchObject({ code: 'own_proposal' })
})

test('a role decides its own kinds, and another is told which roles do', async () => {
  const merchant = await newMerchant()
  const refused = await propose(finance, 'merchant.close', merchant)
  expect([refused.status, refused.body.code]).toEqual([403, 'not_permitted'])
  const { body: proposal } = await propose(one, 'merchant.close', merchant)
  const { body: list } = await finance.call('GET', '/proposals?state=open')
  const seen = list.proposals.find((each: { id: string }) => each.id === proposal.id)
  expect(seen).toMatchObject({
    mayApprove: false,
    whyNot: 'The role finance does not decide this. The roles risk and admin do',
  })
  expect((await finance.approve(proposal.id)).body.code).toBe('not_permitted')
})

test('a subject has one open proposal of a kind, until it is closed or expires', async () => {
  const merchant = await newMerchant()
  const { body: first } = await propose(one, 'merchant.close', merchant)
  expect((await propose(other, 'merchant.close', merchant)).body.code).toBe('proposal_open')
  expect((await one.call('POST', `/proposals/${first.id}/withdraw`)).body.state).toBe('withdrawn')
  const { status, body: second } = await propose(other, 'merchant.close', merchant)
  expect(status).toBe(201)
  ctx.clock.advance(72 * HOUR_MS)
  one = await operatorAt(app, ctx, 'risk')
  expect(await stateOf(second.id)).toBe('expired')
  expect((await one.approve(second.id)).body.code).toBe('proposal_closed')
  await closeConsole(ctx)
  expect((await propose(one, 'merchant.close', merchant)).status).toBe(201)
})

test('of 16 that propose at once, one proposal is open', async () => {
  const merchant = await newMerchant()
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => propose(one, 'merchant.close', merchant)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(15).fill(409)])
})

test('a rejected proposal has a reason, executes nothing and stays closed', async () => {
  const merchant = await newMerchant()
  const { body: proposal } = await propose(one, 'merchant.close', merchant)
  const { body } = await other.call('POST', `/proposals/${proposal.id}/reject`, { reason: 'Ask for more' })
  expect(body).toMatchObject({ state: 'rejected', decisionReason: 'Ask for more' })
  expect((await other.approve(proposal.id)).body.code).toBe('proposal_closed')
  expect(await statusOf(merchant)).toBe('new')
})

test('a suspension is immediate, and its end needs two', async () => {
  const merchant = await newMerchant()
  const suspended = await propose(one, 'merchant.suspend', merchant)
  expect([suspended.status, suspended.body]).toEqual([200, { executed: true }])
  expect(await statusOf(merchant)).toBe('suspended')
  const [entry] = (await auditEntriesOn(ctx, merchant)).filter(
    ({ action }) => action === 'merchant.suspended',
  )
  expect(entry?.details).toMatchObject({ four_eyes: 'immediate' })
  const { body: proposal } = await propose(one, 'merchant.resume', merchant)
  expect(await statusOf(merchant)).toBe('suspended')
  expect((await other.approve(proposal.id)).status).toBe(200)
  expect(await statusOf(merchant)).toBe('new')
})

test('an approval needs the own passkey, signed for this proposal', async () => {
  const merchants = [await newMerchant(), await newMerchant()]
  const [first, second] = await Promise.all(
    merchants.map(async (merchant) => (await propose(one, 'merchant.close', merchant)).body),
  )
  const options = await other.call('POST', `/proposals/${first.id}/sign`)
  const passkey = other.authenticator.show(options.body)
  const elsewhere = await other.call('POST', `/proposals/${second.id}/approve`, { passkey })
  expect(elsewhere.body.code).toBe('passkey_expired')
  const third = await operatorAt(app, ctx, 'admin')
  const theirs = await third.call('POST', `/proposals/${first.id}/sign`)
  const stolen = await third.call('POST', `/proposals/${first.id}/approve`, {
    passkey: other.authenticator.show(theirs.body),
  })
  expect(stolen.body.code).toBe('passkey_refused')
  const refusals = async (id: string) =>
    (await auditEntriesOn(ctx, id)).filter(({ action }) => action === 'proposal.signature_refused')
  expect(await refusals(first.id)).toMatchObject([
    {
      actor: third.email,
      account_id: uuidOf(merchants[0] as MerchantId),
      details: { refusal: 'passkey_refused' },
    },
  ])
  expect(await refusals(second.id)).toMatchObject([
    { actor: other.email, details: { refusal: 'passkey_expired' } },
  ])
})

describe('the only operator of the deciding roles', () => {
  const remove = (at: string) =>
    ctx.db.pool.query(
      `update operators set removed_at = ${at} where id <> all ($1) and removed_at is ${at === 'null' ? 'not null' : 'null'}`,
      [[uuidOf(one.id), uuidOf(finance.id)]],
    )
  beforeEach(() => remove('now()'))
  afterEach(() => remove('null'))

  test('is told to add another one, and nothing is proposed', async () => {
    const merchant = await newMerchant()
    const { status, body } = await propose(one, 'merchant.close', merchant)
    expect([status, body.code, body.detail]).toEqual([
      409,
      'proposal_refused',
      'No other operator decides this. Add one with the role risk or admin on the command line: operators add EMAIL --role risk',
    ])
    expect((await one.call('GET', '/proposals?state=open')).body.proposals).not.toContainEqual(
      expect.objectContaining({ subject: merchant }),
    )
    expect((await propose(one, 'merchant.suspend', merchant)).status).toBe(200)
  })
})

describe('at the same moment', () => {
  test('64 approvals execute once', async () => {
    const merchant = await newMerchant()
    const { body: proposal } = await propose(one, 'merchant.close', merchant)
    const approvers = [other, await operatorAt(app, ctx, 'admin')]
    const results = await Promise.allSettled(
      Array.from({ length: 64 }, (_, n) => approveAs(approvers[n % 2] as AtConsole, proposal.id)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    expect(refusals).toEqual(Array(63).fill('proposal_closed'))
    expect(await approvals(proposal.id)).toHaveLength(1)
    const closings = (await auditEntriesOn(ctx, merchant)).filter(
      ({ action }) => action === 'merchant.closed',
    )
    expect(closings).toHaveLength(1)
  })

  test('an approval and a withdrawal: one of them wins, whole', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < 8; round += 1) {
      const merchant = await newMerchant()
      const { body: proposal } = await propose(one, 'merchant.close', merchant)
      const both = [
        () => approveAs(other, proposal.id).then(() => 'approved'),
        () => one.call('POST', `/proposals/${proposal.id}/withdraw`).then(({ body }) => body.state),
      ]
      const runs = round % 2 === 0 ? both : both.toReversed()
      await Promise.allSettled(runs.map((run) => run()))
      const state = await stateOf(proposal.id)
      seen.add(state)
      expect(await statusOf(merchant)).toBe(state === 'approved' ? 'closed' : 'new')
    }
    expect([...seen].every((state) => state === 'approved' || state === 'withdrawn')).toBe(true)
  })

  test('an approval and a change of the subject: a changed subject is not decided', async () => {
    for (let round = 0; round < 8; round += 1) {
      const merchant = await newMerchant()
      const { body: proposal } = await propose(one, 'merchant.close', merchant)
      const suspend = () =>
        changeMerchantStatus(ctx, root, { merchantId: merchant, move: 'suspend', reason: 'r', seen: null })
      await Promise.allSettled(
        round % 2 === 0
          ? [approveAs(other, proposal.id), suspend()]
          : [suspend(), approveAs(other, proposal.id)],
      )
      const state = await stateOf(proposal.id)
      expect(await statusOf(merchant)).toBe(state === 'approved' ? 'closed' : 'suspended')
      expect(['approved', 'stale']).toContain(state)
    }
  })

  test('an approval and the removal of the approver: a removed operator approves nothing afterwards', async () => {
    for (let round = 0; round < 6; round += 1) {
      const merchant = await newMerchant()
      const leaving = await operatorAt(app, ctx, 'admin')
      const { body: proposal } = await propose(one, 'merchant.close', merchant)
      const [approved] = await Promise.allSettled([
        approveAs(leaving, proposal.id),
        removeOperator(ctx, root, leaving.email, withdrawProposalsOf),
      ])
      const state = await stateOf(proposal.id)
      expect(state).toBe(approved.status === 'fulfilled' ? 'approved' : 'open')
      expect(await statusOf(merchant)).toBe(state === 'approved' ? 'closed' : 'new')
    }
  })
})

test('the proposals of an operator who is removed are withdrawn', async () => {
  const merchant = await newMerchant()
  const leaving = await operatorAt(app, ctx, 'risk')
  const { body: proposal } = await propose(leaving, 'merchant.close', merchant)
  await removeOperator(ctx, root, leaving.email, withdrawProposalsOf)
  expect(await stateOf(proposal.id)).toBe('withdrawn')
  await expect(approveAs(other, proposal.id)).rejects.toMatchObject({ code: 'proposal_closed' })
  expect((await auditEntriesOn(ctx, proposal.id)).at(-1)).toMatchObject({
    actor: 'root',
    action: 'proposal.withdrawn',
    account_id: uuidOf(merchant),
    details: { kind: 'merchant.close', about: merchant },
  })
})

test('a merchant reads a decision when it is executed, and neither its proposal nor a look at the personal data', async () => {
  const { merchantId, withSession } = await makeCaller(ctx)
  await one.call('POST', '/reveal', { subject: merchantId, reason: 'The phone of a fraud' })
  const { body: rejected } = await propose(one, 'merchant.close', merchantId)
  await other.call('POST', `/proposals/${rejected.id}/reject`, { reason: 'Not yet' })
  await propose(one, 'merchant.suspend', merchantId, { reason: 'Chargebacks' })
  const { activity } = (await app.inject({ url: '/v1/activity', headers: withSession })).json()
  const byOperators = activity.filter(({ by }: { by: { kind: string } }) => by.kind === 'operator')
  expect(
    byOperators.map(({ action, details }: { action: string; details: object }) => [action, details]),
  ).toEqual([['merchant.suspended', { reason: 'Chargebacks' }]])
})

test('a subject that changed closes the proposal', async () => {
  const merchant = await newMerchant()
  const { body: proposal } = await propose(one, 'merchant.close', merchant)
  await changeMerchantStatus(ctx, root, { merchantId: merchant, move: 'suspend', reason: 'r', seen: null })
  expect((await other.approve(proposal.id)).body.code).toBe('proposal_stale')
  expect(await stateOf(proposal.id)).toBe('stale')
  expect(await statusOf(merchant)).toBe('suspended')
})

test.each([
  "update proposals set payload = '{}' where id = $1",
  "update proposals set reason = 'other' where id = $1",
  'delete from proposals where id = $1',
])('the database refuses: %s', async (statement) => {
  const { body: proposal } = await propose(one, 'merchant.close', await newMerchant())
  await expect(ctx.db.pool.query(statement, [uuidOf(proposal.id)])).rejects.toMatchObject({ code: '23001' })
})
