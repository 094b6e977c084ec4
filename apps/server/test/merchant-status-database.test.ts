import { expect } from 'vitest'
import { changeMerchantStatus } from '../src/modules/applications/index.ts'
import { type MerchantMove, merchantMoves } from '../src/modules/identity/index.ts'
import { operatorActor } from '../src/platform/audit/actor.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { test as base } from './fixtures.ts'

type Status = 'new' | 'approved' | 'suspended' | 'closed'
const waysTo: Readonly<Record<Status, readonly MerchantMove[]>> = {
  new: [],
  approved: ['approve'],
  suspended: ['suspend'],
  closed: ['close'],
}
const to = (status: Status) => `status = '${status}', status_changed_at = now(), status_changed_by = 'x',
  status_reason = 'y', ${status === 'approved' ? "approved_at = coalesce(approved_at, '2026-11-20T09:30:00Z'), prompt_name = 'z'" : 'approved_at = approved_at'}`
const statuses = ['new', 'approved', 'suspended', 'closed'] as const
const pairs = statuses.flatMap((from) => statuses.flatMap((next) => (from === next ? [] : [{ from, next }])))

const test = base.extend('scene', ({ world: { ctx }, shop: { merchantId } }) => {
  const order = (move: MerchantMove) =>
    changeMerchantStatus(ctx, operatorActor('rudo', 'rudo@till'), {
      merchantId,
      move,
      reason: 'As decided',
      seen: null,
    })

  async function become(status: Status): Promise<void> {
    for (const move of waysTo[status]) expect(await order(move)).toEqual({ result: 'done', status })
  }

  const set = (change: string) =>
    ctx.db.pool.query(`update merchants set ${change} where id = $1`, [uuidOf(merchantId)])
  return { order, become, set }
})

test.for(pairs)(
  'the database allows $from to $next exactly when the machine does',
  async ({ from, next }, { scene }) => {
    await scene.become(from)
    const allowed = Object.values(merchantMoves).some(
      (move) =>
        (move.from as readonly string[]).includes(from) && (move.to as readonly string[]).includes(next),
    )
    // A merchant that was never approved resumes as new: another rule would refuse the missing approval.
    const neverApproved = from === 'suspended' && next === 'approved'
    const change = scene.set(to(next))
    if (allowed && !neverApproved) await change
    else await expect(change).rejects.toMatchObject({ code: expect.stringMatching(/^23/) })
  },
)

test.for([
  ['a status without who and why', "status = 'suspended'"],
  [
    'an approval without its time',
    "status = 'approved', status_changed_at = now(), status_changed_by = 'x', status_reason = 'y'",
  ],
  ['an approval that nobody gave', "approved_at = now(), prompt_name = 'z'"],
] as const)('the database refuses %s', async ([_what, change], { scene }) => {
  await expect(scene.set(change)).rejects.toMatchObject({ code: expect.stringMatching(/^23/) })
})

test('the database keeps its copy of the status beside the application, under any statement', async ({
  world,
  shop,
  scene,
}) => {
  const active = async (change = 'merchant_active = merchant_active') => {
    const { rows } = await world.ctx.db.pool.query(
      `update applications set ${change} where account_id = $1 returning merchant_active`,
      [uuidOf(shop.merchantId)],
    )
    return rows.map(({ merchant_active }) => merchant_active)
  }
  await scene.order('suspend')
  expect(await active('merchant_active = true')).toEqual([false])
  await scene.order('resume')
  expect(await active('merchant_active = false')).toEqual([true])
})
