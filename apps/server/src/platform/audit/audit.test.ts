import { ApplicationId, MerchantId } from '@muripo/contract/ids'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditEntriesOn, byMerchant } from '../../../test/audit-entries.ts'
import { type TestCtx, testCtx } from '../../../test/test-ctx.ts'
import { makeMerchant } from '../../modules/identity/factory.ts'
import { uuidOf } from '../ids.ts'
import { operatorActor } from './actor.ts'
import { audit } from './audit.ts'

let ctx: TestCtx
let merchantId: MerchantId

beforeAll(async () => {
  ctx = await testCtx()
  ;({ merchantId } = await makeMerchant(ctx))
})
afterAll(() => ctx.close())

const newSubject = () => ctx.ids.next(ApplicationId)

test('a line has actor, action, subject, time, address and request', async () => {
  const subject = newSubject()
  await ctx.db.tx((tx) =>
    audit(ctx, tx, byMerchant(merchantId), {
      action: 'application.status_changed',
      subject,
      accountId: merchantId,
      details: { from: 'active', to: 'inactive' },
    }),
  )
  await ctx.db.tx((tx) =>
    audit(ctx, tx, operatorActor('rudo', 'root@till'), {
      action: 'application.banking_approved',
      subject,
      accountId: null,
    }),
  )
  expect(await auditEntriesOn(ctx, subject)).toEqual([
    {
      at: ctx.clock.now(),
      actor_kind: 'merchant',
      actor: merchantId,
      action: 'application.status_changed',
      address: '203.0.113.7',
      request_id: 'request-1',
      account_id: uuidOf(merchantId),
      details: { from: 'active', to: 'inactive' },
    },
    {
      at: ctx.clock.now(),
      actor_kind: 'operator',
      actor: 'rudo',
      action: 'application.banking_approved',
      address: 'root@till',
      request_id: null,
      account_id: null,
      details: {},
    },
  ])
})

test('an action that is rolled back leaves no entry', async () => {
  const subject = newSubject()
  const action = ctx.db.tx(async (tx) => {
    await audit(ctx, tx, byMerchant(merchantId), {
      action: 'application.key_regenerated',
      subject,
      accountId: merchantId,
    })
    throw new Error('changed its mind')
  })
  await expect(action).rejects.toThrow('changed its mind')
  expect(await auditEntriesOn(ctx, subject)).toEqual([])
})

test.each([
  "update audit_log set actor = 'somebody else'",
  "update audit_log set details = details || '{}'",
  'delete from audit_log',
  'truncate audit_log',
])('the database refuses: %s', async (statement) => {
  const subject = newSubject()
  await ctx.db.tx((tx) =>
    audit(ctx, tx, byMerchant(merchantId), {
      action: 'application.key_regenerated',
      subject,
      accountId: merchantId,
    }),
  )
  await expect(ctx.db.pool.query(statement)).rejects.toThrow(/append-only/)
  expect(await auditEntriesOn(ctx, subject)).toHaveLength(1)
})

test('a line outlives its account', async () => {
  const deleted = ctx.ids.next(MerchantId)
  const subject = newSubject()
  await ctx.db.tx((tx) =>
    audit(ctx, tx, byMerchant(deleted), {
      action: 'application.key_regenerated',
      subject,
      accountId: deleted,
    }),
  )
  expect(await auditEntriesOn(ctx, subject)).toHaveLength(1)
})
