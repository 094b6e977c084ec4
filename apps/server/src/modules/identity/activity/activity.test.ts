import type { AuditGroup } from '@muripo/contract/audit-groups'
import type { ActivityGroup } from '@muripo/contract/enums'
import type { activity } from '@muripo/locales/activity'
import { expect, expectTypeOf, test } from 'vitest'
import { teamServer } from '../../../../test/team-server.ts'
import { systemActor } from '../../../platform/audit/actor.ts'
import { type Action, audit } from '../../../platform/audit/audit.ts'
import { dayAt, plusDays } from '../../../platform/clock.ts'
import { makeMember, makeMerchant, makeSession } from '../factory.ts'

const { ctx, call, invite } = await teamServer()

test('the activity names the person of each entry, by page, person and group', async () => {
  const shop = await makeMerchant(ctx)
  const owner = await makeSession(ctx, shop.merchantId)
  const admin = await makeMember(ctx, shop.merchantId, 'admin')
  await invite(owner)
  await invite(admin.tokens)
  await call('PATCH', '/account', admin.tokens, { timeZone: 'Africa/Lusaka' })
  const read = async (query = '') => (await call('GET', `/activity${query}`, owner)).body
  const { activity, nextCursor } = await read('?limit=2')
  expect(activity).toMatchObject([
    { action: 'account.time_zone_changed', by: { kind: 'person', id: admin.personId } },
    { action: 'team.invited', by: { kind: 'person', id: admin.personId } },
  ])
  expect((await read(`?limit=1&cursor=${nextCursor}`)).activity).toMatchObject([
    { action: 'team.invited', by: { kind: 'person', id: shop.personId, name: 'Tendai Moyo' } },
  ])
  expect((await read('?group=account')).activity).toHaveLength(1)
  expect((await read(`?person=${shop.personId}&group=team`)).activity).toHaveLength(1)
  for (const nobody of ['per_01h455vb4pex5vsknk084sn02q', 'per_llllllllllllllllllllllllll', 'x'.repeat(300)])
    expect(await read(`?person=${nobody}`)).toEqual({ activity: [], nextCursor: null })
  const day = dayAt(ctx.clock.now(), 'Africa/Lusaka')
  expect((await read(`?from=${day}&to=${day}`)).activity).toHaveLength(3)
  expect((await read(`?from=${plusDays(day, 1)}`)).activity).toEqual([])
  expect((await read(`?to=${plusDays(day, -1)}`)).activity).toEqual([])
  const viewer = await makeMember(ctx, (await makeMerchant(ctx)).merchantId, 'viewer')
  expect((await call('GET', '/activity', viewer.tokens)).body.activity).toEqual([])
})

/** Actions that no merchant reads: of the company, and of an account that is gone. */
type Internal =
  | `${'operator' | 'proposal' | 'provider' | 'master_key' | 'jobs' | 'incident' | 'statement'}.${string}`
  | 'account.deleted_unproven'

type Group<Name extends string> = Name extends `${infer First}.${string}` ? First : never

test('each action that a merchant may read has a group, by which it is found', async () => {
  expectTypeOf<Exclude<Group<Exclude<Action, Internal>>, 'payments'>>().toEqualTypeOf<ActivityGroup>()
  expectTypeOf<Exclude<Group<Action>, 'payments'>>().toEqualTypeOf<AuditGroup>()
  const { merchantId } = await makeMerchant(ctx)
  for (const action of ['payments.exported', 'refund.failed_by_operator', 'document.read'] as const)
    await ctx.db.tx((tx) =>
      audit(ctx, tx, systemActor('test'), { action, subject: 'x', accountId: merchantId }),
    )
  const owner = await makeSession(ctx, merchantId)
  for (const group of ['payment', 'refund', 'document'])
    expect((await call('GET', `/activity?group=${group}`, owner)).body.activity).toHaveLength(1)
})

// The compiler checks it: an action without a text is shown to merchants by its technical name.
test('each action that a merchant may read has a text', () => {
  expectTypeOf<Exclude<Action, Internal>>().toExtend<keyof typeof activity>()
})
