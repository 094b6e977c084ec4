import type { AccountId, MerchantId } from '@muripo/contract/ids'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGroups } from '../src/gateway-groups.ts'
import { makeApplication } from '../src/modules/applications/factory.ts'
import { changeMerchantStatus } from '../src/modules/applications/index.ts'
import { lookupOf } from '../src/modules/applications/key.ts'
import { findKeyOwner, type KeyOwner } from '../src/modules/applications/store-keys.ts'
import { makeMerchant } from '../src/modules/identity/factory.ts'
import { balancesOf } from '../src/modules/ledger/index.ts'
import { aggregateLedgerBalances } from '../src/modules/ledger/jobs.ts'
import { inGroup, type PaymentsCtx } from '../src/modules/payments/context.ts'
import {
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  paymentNow,
} from '../src/modules/payments/factory.ts'
import { aggregatePaymentStats, expireDue } from '../src/modules/payments/jobs.ts'
import { refundPayment } from '../src/modules/payments/refunds/actions/refund-by-dashboard.ts'
import { startRelay } from '../src/modules/webhooks/deliveries/relay.ts'
import { makeEndpoint, makeReceiver } from '../src/modules/webhooks/factory.ts'
import { operatorActor } from '../src/platform/audit/actor.ts'
import { createPools, GROUP_POOL_SIZES, type Pools } from '../src/platform/db/pools.ts'
import {
  type Grouped,
  grouped,
  groupSettings,
  readShardGroups,
  type ShardGroup,
} from '../src/platform/db/shard-groups.ts'
import { simulateTime } from '../src/platform/db/simulated-time.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { migrateJobs } from '../src/platform/jobs/jobs.ts'
import { createOutbound } from '../src/platform/outbound/outbound.ts'
import { anyTargets } from '../src/platform/outbound/targets.ts'
import { byMerchant } from './audit-entries.ts'
import { makeTerminal } from './terminal.ts'
import { makeWorld, type World } from './world.ts'

/** A statement of a group with its values, and the node's plan of it. */
interface Planned {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Statements on the tables of the coordinator, and on the environments of all nodes. */
const ofCoordinator =
  /\b(audit_log|"audit_log"|sessions|rate_limits|devices|resume_codes|public\.environments)\b/

describe.skipIf(process.env.CITUS_URL === undefined)('on several nodes', () => {
  let world: World
  let groups: Grouped<ShardGroup>
  let pools: Grouped<Pools & { close(): Promise<void> }>
  let ctxs: Grouped<PaymentsCtx>

  beforeAll(async () => {
    world = await makeWorld()
    const found = grouped(await readShardGroups(world.ctx.databaseUrl))
    if (found === null) throw new Error('the test database is not distributed')
    groups = found
    pools = groups.map((group) => {
      const made = createPools(group.url, { settings: groupSettings(group), sizes: GROUP_POOL_SIZES })
      for (const pool of [made.db, made.reads, made.background]) simulateTime(pool, world.ctx.clock)
      return made
    })
    // A gateway makes the queue of jobs of each node when it starts.
    for (const { background } of pools.all) await migrateJobs(background, world.ctx.log)
    const ctx = { ...world.ctx, schemaOf: (id: AccountId) => groups.of(id).schema }
    ctxs = pools.map((each) => inGroup(ctx, each))
  })
  afterAll(async () => {
    await Promise.all(pools.all.map((each) => each.close()))
    await world.ctx.close()
  })

  async function makeOwner(merchantId: MerchantId, ctx = ctxs.of(merchantId)): Promise<KeyOwner> {
    const { applicationKey } = await makeApplication(ctx, merchantId)
    const owner = await findKeyOwner(
      world.ctx.db.kysely,
      lookupOf(ctx.keys, applicationKey ?? ''),
      ctx.config.keyMode,
    )
    if (owner === null) throw new Error('a new key has its owner')
    return owner
  }

  /** A merchant in each of the first two groups that merchants are made in. */
  async function ownersOfTwoGroups(): Promise<[KeyOwner, KeyOwner]> {
    const first = await makeOwner((await makeMerchant(world.ctx)).merchantId)
    for (;;) {
      const { merchantId } = await makeMerchant(world.ctx)
      if (ctxs.of(merchantId) !== ctxs.of(first.accountId)) return [first, await makeOwner(merchantId)]
    }
  }

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
      await work(inGroup({ ...world.ctx, schemaOf: (id) => groups.of(id).schema }, own))
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
      const owner = await makeOwner(merchantId, ctx)
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
    const [first, second] = await ownersOfTwoGroups()
    await expect(makePayment(ctxs.of(second.accountId), first)).rejects.toThrow()
    const { pool } = ctxs.of(second.accountId).db
    await expect(
      pool.query("insert into ledger_accounts values ($1, 'suspense', 'USD')", [uuidOf(first.accountId)]),
    ).rejects.toMatchObject({ code: '44000' })
    await expect(pool.query("update merchants set fullname = 'x'")).rejects.toMatchObject({ code: '23001' })
  })

  test('an application has the status of its merchant on each node', async () => {
    const owners = await ownersOfTwoGroups()
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

  test('commands of the administrator change the rows of a merchant in its group', async () => {
    const owners = await ownersOfTwoGroups()
    const { admin, remove } = makeTerminal(world.ctx.databaseUrl)
    try {
      for (const { accountId } of owners) {
        const adjusted = await admin(
          ...['ledger', 'adjust', '--merchant', accountId, '--debit', 'suspense', '--credit', 'fee.revenue'],
          ...['--amount', '1.50', '--currency', 'USD', '--reason', 'a correction'],
        )
        expect(adjusted).toMatchObject({ code: 0 })
        expect(await balancesOf(ctxs.of(accountId).db.kysely, accountId)).toMatchObject([
          { code: 'fee.revenue', balanceMinor: -150n },
          { code: 'suspense', balanceMinor: 150n },
        ])
        expect(await admin('merchants', 'suspend', accountId, '--reason', 'a question')).toMatchObject({
          code: 0,
        })
        expect(await admin('merchants', 'show', accountId)).toMatchObject({ code: 0 })
        await expect(makePayment(ctxs.of(accountId), owners[0])).rejects.toThrow()
      }
    } finally {
      remove()
    }
  })

  test('a gateway does not start without the schema of a group', async () => {
    const missing = grouped([{ ...groups.all[0], schema: 'shard_group_99' }])
    await expect(openGroups(world.ctx, missing, world.ctx.databaseUrl)).rejects.toThrow('shard_group_99')
  })

  test('of several sign-ups at once with one email one succeeds', async () => {
    const made = await Promise.allSettled(
      Array.from({ length: 4 }, () => makeMerchant(world.ctx, { email: 'same@shop.example' })),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
