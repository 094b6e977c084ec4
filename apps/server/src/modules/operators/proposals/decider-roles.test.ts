import { immediateKinds, type ProposalKind } from '@muripo/contract/console-permissions'
import { expect } from 'vitest'
import { withProviders } from '../../../../test/app.ts'
import { test as base } from '../../../../test/fixtures.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { invariant } from '../../../platform/errors.ts'
import { makeMerchant } from '../../identity/factory.ts'
import { findMerchants } from '../../identity/index.ts'
import { makePaid } from '../../payments/factory.ts'
import { addOperator, changeRole, removeOperator } from '../people/actions/manage-operators.ts'
import { operatorByEmail } from '../people/store-operators.ts'
import { rejectProposal } from './actions/close.ts'
import { decide } from './actions/decide.ts'
import { withdrawProposalsOf } from './actions/withdraw-all.ts'
import type { KindTypes } from './payloads.ts'

const root = operatorActor('root', 'root@till')
let made = 0

const test = base.extend('scene', async ({ world: { ctx } }) => {
  const add = async (role: 'risk' | 'admin') => {
    made += 1
    const email = `${role}-${made}@company.test`
    const added = await addOperator(ctx, root, { email, name: email, role })
    invariant(added, 'nobody has the email')
    return added.operator
  }
  await add('admin')
  /** The operator as a call has read it before the role changes. */
  const operator = await add('risk')
  const decideAs = <Kind extends ProposalKind>(kind: Kind, payload: KindTypes[Kind]['payload']) =>
    decide(
      { ctx: withProviders(ctx), paymentsOf: () => ctx },
      { actor: operatorActor(operator.email, 'counter'), operator },
      kind,
      { payload, reason: 'because' },
    )
  const suspend = async (merchantId?: Awaited<ReturnType<typeof makeMerchant>>['merchantId']) =>
    decideAs('merchant.suspend', {
      merchantId: merchantId ?? (await makeMerchant(ctx)).merchantId,
      reason: 'because',
      seen: null,
    })
  const demote = () => changeRole(ctx, root, operator.email, 'support', withdrawProposalsOf)
  return { add, operator, decideAs, suspend, demote }
})

test.for(immediateKinds)(
  '[invariant] %s is refused to an operator who has lost the role since the call began',
  async (kind, { world: { ctx, provider }, shop, scene: { operator, decideAs, demote } }) => {
    await changeRole(ctx, root, operator.email, 'admin', withdrawProposalsOf)
    const present = await operatorByEmail(ctx.db.kysely, operator.email)
    Object.assign(operator, present)
    await demote()
    const payload = {
      merchantId: shop.merchantId,
      accountId: shop.accountId,
      applicationId: shop.applicationId,
      paymentId: (await makePaid(ctx, shop.owner, provider)).id,
      mode: 'test',
      revision: 0,
      amount: { minor: '100', currency: 'USD' },
      account: 'paynow',
      email: 'nobody@company.test',
      reason: 'because',
    }
    await expect(decideAs(kind, payload as never)).rejects.toMatchObject({ code: 'not_permitted' })
  },
)

test('[invariant] an operator who was removed since the call began suspends nobody', async ({
  world: { ctx },
  scene: { operator, suspend },
}) => {
  const { merchantId } = await makeMerchant(ctx)
  await removeOperator(ctx, root, operator.email, withdrawProposalsOf)
  await expect(suspend(merchantId)).rejects.toMatchObject({ code: 'not_permitted' })
  const [merchant] = await findMerchants(ctx.db.kysely, merchantId)
  expect(merchant?.status).toBe('new')
})

test('[invariant] of 64 suspensions beside a change of the role, none is committed after the change', async ({
  world: { ctx },
  scene: { suspend, demote },
}) => {
  const merchants = await Promise.all(
    Array.from({ length: 64 }, async () => (await makeMerchant(ctx)).merchantId),
  )
  const suspended = async () => {
    const all = await Promise.all(merchants.map((id) => findMerchants(ctx.db.kysely, id)))
    return all.flat().filter(({ status }) => status === 'suspended').length
  }
  const calls = merchants.map((id) => suspend(id))
  const atChange = demote().then(suspended)
  const results = await Promise.allSettled(calls)
  const done = results.filter(({ status }) => status === 'fulfilled').length
  expect([await atChange, await suspended()]).toEqual([done, done])
  const refusals = results.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
  expect(new Set([...refusals, 'not_permitted'])).toEqual(new Set(['not_permitted']))
  await expect(suspend()).rejects.toMatchObject({ code: 'not_permitted' })
})

test('[invariant] an operator who has lost the role since the call began rejects nothing', async ({
  world: { ctx },
  scene: { add, operator, demote },
}) => {
  const proposer = await add('risk')
  const { merchantId } = await makeMerchant(ctx)
  const decided = await decide(
    { ctx: withProviders(ctx), paymentsOf: () => ctx },
    { actor: root, operator: proposer },
    'merchant.close',
    { payload: { merchantId, reason: 'because', seen: null }, reason: 'because' },
  )
  invariant('proposed' in decided, 'two operators decide')
  await demote()
  const deciding = { actor: root, operator, id: decided.proposed.id }
  await expect(rejectProposal(ctx, deciding, 'No')).rejects.toMatchObject({ code: 'not_permitted' })
})
