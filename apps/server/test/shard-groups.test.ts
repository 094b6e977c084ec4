import { AccountId } from '@muripo/contract/ids'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { regenerateKey } from '../src/modules/applications/actions/regenerate-key.ts'
import { applicationKeyAuth, changeMerchantStatus, KeyCache } from '../src/modules/applications/index.ts'
import { lookupOf, newKey } from '../src/modules/applications/key.ts'
import type { KeyOwner } from '../src/modules/applications/store-keys.ts'
import { makeMerchant } from '../src/modules/identity/factory.ts'
import { aggregateLedgerBalances } from '../src/modules/ledger/index.ts'
import { refundPayment } from '../src/modules/payments/actions/request-refund.ts'
import { contextOn, type PaymentsCtx } from '../src/modules/payments/context.ts'
import {
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  paymentNow,
} from '../src/modules/payments/factory.ts'
import { aggregatePaymentStats, expireDue } from '../src/modules/payments/jobs.ts'
import { startRelay } from '../src/modules/webhooks/deliveries/relay.ts'
import { makeEndpoint, makeReceiver } from '../src/modules/webhooks/factory.ts'
import { operatorActor } from '../src/platform/audit/actor.ts'
import { databasesOf, noteGroups, type PerDatabase } from '../src/platform/db/databases.ts'
import { createPools, GROUP_POOL_SIZES } from '../src/platform/db/pools.ts'
import { groupSettings, type ShardGroup } from '../src/platform/db/shard-groups.ts'
import { simulateTime } from '../src/platform/db/simulated-time.ts'
import { systemIds, uuidOf } from '../src/platform/ids.ts'
import { createOutbound } from '../src/platform/outbound/outbound.ts'
import { anyTargets } from '../src/platform/outbound/targets.ts'
import { byMerchant } from './audit-entries.ts'
import { type GroupedWorld, makeGroupedWorld } from './grouped-world.ts'
import type { World } from './world.ts'

/** A statement of a group with its values, and the node's plan of it. */
interface Planned {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Statements on the tables of the coordinator, and on the environments of all nodes. */
const ofCoordinator =
  /\b(audit_log|"audit_log"|sessions|rate_limits|devices|resume_codes|public\.environments)\b/

describe.skipIf(process.env.CITUS_URL === undefined)('on several nodes', () => {
  let grouping: GroupedWorld
  let world: World
  let groups: PerDatabase<ShardGroup>
  let ctxs: PerDatabase<PaymentsCtx>

  beforeAll(async () => {
    grouping = await makeGroupedWorld()
    ;({ world, groups, ctxs } = grouping)
  })
  afterAll(() => grouping.close())

  /** The statements that some work sends to the sessions of a group. */
  async function statementsOf(
    group: ShardGroup,
    work: (ctx: PaymentsCtx) => Promise<void>,
  ): Promise<Planned[]> {
    const sent = new Map<string, Planned>()
    const own = createPools(group.url, { settings: groupSettings(group), sizes: GROUP_POOL_SIZES })
    for (const { pool } of [own.db, own.reads, own.background]) {
      simulateTime({ pool }, world.ctx.clock)
      pool.on('connect', (client) => {
        const query = client.query.bind(client) as (...given: unknown[]) => unknown
        client.query = ((...given: unknown[]) => {
          // The name of a prepared statement comes with its text, and its values follow or come with it.
          const [first, second] = given
          const { text, values = second } =
            typeof first === 'string' ? { text: first } : (first as Partial<Planned>)
          if (/^\s*(with|select|insert|update|delete)\b/i.test(text ?? ''))
            sent.set(text ?? '', { text: text ?? '', values: Array.isArray(values) ? values : [] })
          return query(...given)
        }) as typeof client.query
      })
    }
    try {
      noteGroups(own, groups)
      await work(contextOn(world.ctx, own))
      return [...sent.values()]
    } finally {
      await own.close()
    }
  }

  test('no statement of a payment leaves its shard group, except for tables of the coordinator', async () => {
    const { provider } = world
    const { merchantId } = await makeMerchant(world.ctx)
    const group = groups.of(merchantId)
    const statements = await statementsOf(group, async (ctx) => {
      const owner = await grouping.makeOwner(merchantId, ctx)
      const receiver = await makeReceiver()
      await makeEndpoint(ctx, owner, receiver.url)
      const relay = startRelay(ctx, createOutbound(anyTargets(), { timeoutMs: 5000 }))
      const customer = { email: 'rudo@example.com', name: 'Rudo' }
      const payment = await makePaid(ctx, owner, provider, { customer, reference: 'order 1' })
      await refundPayment(ctx, byMerchant(merchantId), merchantId, payment.id, { amount: 5, currency: 'USD' })
      await makeAttempt(ctx, await makePayment(ctx, owner))
      provider.lookup = async () => paid(null)
      world.ctx.clock.advance(60_000)
      await lookUpDue(ctx)
      await expireDue(ctx)
      await aggregatePaymentStats(ctx)
      await aggregateLedgerBalances(ctx)
      expect((await paymentNow(ctx, owner, payment.id)).refunded.minor).toBe(500n)
      await expect.poll(() => receiver.ids().length).toBeGreaterThan(1)
      await relay.stop()
      await receiver.close()
    })
    expect(statements.length).toBeGreaterThan(40)
    const [explaining] = [ctxs.of(merchantId).db.pool]
    const others: string[] = []
    for (const { text, values } of statements) {
      const plan = await explaining.query(`explain ${text}`, [...values])
      const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
      if (lines.includes('Citus')) others.push(text)
    }
    expect(others.filter((text) => !ofCoordinator.test(text))).toEqual([])
  })

  test('the row of an account of another group is refused', async () => {
    const [first, second] = await grouping.ownersOfTwoGroups()
    await expect(makePayment(ctxs.of(second.accountId), first)).rejects.toThrow()
    const { pool } = ctxs.of(second.accountId).db
    await expect(
      pool.query("insert into ledger_accounts values ($1, 'suspense', 'USD')", [uuidOf(first.accountId)]),
    ).rejects.toMatchObject({ code: '44000' })
    await expect(pool.query("update merchants set fullname = 'x'")).rejects.toMatchObject({ code: '23001' })
  })

  test('an application has the status of its merchant on each node', async () => {
    const owners = await grouping.ownersOfTwoGroups()
    const activeOf = async ({ accountId }: KeyOwner) => {
      const { rows } = await ctxs
        .of(accountId)
        .db.pool.query('select merchant_active from applications where account_id = $1', [uuidOf(accountId)])
      return rows.map(({ merchant_active }) => merchant_active)
    }
    const move = ({ accountId }: KeyOwner, move: 'approve' | 'suspend') => {
      const ctx = ctxs.of(accountId)
      const live = { ...ctx, config: { ...ctx.config, keyMode: 'live' as const } }
      return changeMerchantStatus(live, operatorActor('tendai', 'till'), {
        merchantId: accountId,
        move,
        reason: 'a question',
        seen: null,
      })
    }
    for (const owner of owners) {
      expect(await move(owner, 'approve')).toEqual({ result: 'done', status: 'approved' })
      const { rows } = await ctxs
        .of(owner.accountId)
        .db.pool.query("select from application_keys where account_id = $1 and mode = 'live'", [
          uuidOf(owner.accountId),
        ])
      expect(rows).toHaveLength(1)
      expect(await move(owner, 'suspend')).toEqual({ result: 'done', status: 'suspended' })
    }
    expect(await Promise.all(owners.map(activeOf))).toEqual([[false], [false]])
    const { rows } = await world.ctx.db.pool.query(
      "select actor from audit_log where action in ('merchant.approved', 'merchant.suspended')",
    )
    expect(rows).toHaveLength(4)
    await expect(makePayment(ctxs.of(owners[0].accountId), owners[0])).rejects.toMatchObject({
      code: 'merchant_not_active',
    })
  })

  test('a key is found in the group of its account, and one of an earlier version in any', async () => {
    for (const { accountId, applicationId } of await grouping.ownersOfTwoGroups()) {
      const { db, keys, config } = ctxs.of(accountId)
      const key = await regenerateKey(
        ctxs.of(accountId),
        byMerchant(accountId),
        { merchantId: accountId, applicationId },
        async () => undefined,
      )
      const request = (key: string) =>
        ({ headers: { authorization: `Bearer ${key}` }, ip: '127.0.0.1' }) as FastifyRequest
      const ownerOf = (key: string) => applicationKeyAuth(world.ctx, new KeyCache(), ctxs)(request(key))
      const ofCoordinator = vi.spyOn(world.ctx.db.pool, 'connect')
      expect(await ownerOf(key)).toMatchObject({ accountId, applicationId })
      expect(ofCoordinator).not.toHaveBeenCalled()
      const earlier = newKey(systemIds, config.keyMode, systemIds.next(AccountId))
      await db.pool.query('update application_keys set lookup = $1 where account_id = $2', [
        lookupOf(keys, earlier),
        uuidOf(accountId),
      ])
      expect(await ownerOf(earlier)).toMatchObject({ accountId, applicationId })
      await expect(ownerOf(key)).rejects.toMatchObject({ code: 'invalid_key' })
      ofCoordinator.mockRestore()
    }
  })

  test('a gateway does not start without the schema of a group', async () => {
    const databases = databasesOf(world.ctx.databaseUrl, [{ ...groups.each[0], schema: 'shard_group_99' }])
    await expect(databases.openPools(world.ctx)).rejects.toThrow('shard_group_99')
  })

  test('of several sign-ups at once with one email one succeeds', async () => {
    const made = await Promise.allSettled(
      Array.from({ length: 4 }, () => makeMerchant(world.ctx, { email: 'same@shop.example' })),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
