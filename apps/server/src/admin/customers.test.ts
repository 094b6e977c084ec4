import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AttemptId, PaymentId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { describe, expect } from 'vitest'
import { byMerchant } from '../../test/audit-entries.ts'
import { test as base } from '../../test/fixtures.ts'
import { testMasterKey } from '../../test/master-key.ts'
import { makeTerminal } from '../../test/terminal.ts'
import type { Shop, World } from '../../test/world.ts'
import { checkAttempt } from '../modules/payments/actions/check-attempt.ts'
import { capturePayment } from '../modules/payments/actions/instruct-payment.ts'
import { refundPayment } from '../modules/payments/actions/request-refund.ts'
import {
  authorising,
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  paymentNow,
  pending,
} from '../modules/payments/factory.ts'
import { customerOf, eraseCustomer } from '../modules/payments/index.ts'
import { deleteOldNumbers } from '../modules/payments/jobs.ts'
import { operatorActor } from '../platform/audit/actor.ts'
import { invariant } from '../platform/errors.ts'
import { uuidOf } from '../platform/ids.ts'

type Admin = ReturnType<typeof makeTerminal>['admin']
const DAY = 86_400_000

const test = base.extend('scene', ({ world }, { onCleanup }) => {
  const { adminIn, dataDir, remove } = makeTerminal(world.ctx.databaseUrl)
  onCleanup(remove)
  // The id of a customer is computed with the master key.
  const admin = adminIn({ MURIPO_MASTER_KEY: testMasterKey.toString('base64') })
  const stored = async (id: PaymentId) =>
    (
      await world.ctx.db.pool.query(
        `select p.customer_id, p.customer_email, p.customer_name, p.customer_phone, p.amount_minor::int, p.status, a.msisdn
       from payments p join payment_attempts a on a.payment_id = p.id where p.id = $1`,
        [uuidOf(id)],
      )
    ).rows[0]
  return { admin, dataDir, stored }
})

test('a customer is exported whole and erased, and its payments keep their numbers', async ({
  world,
  shop: { owner, merchantId },
  scene: { admin, dataDir, stored },
}) => {
  const customer = { email: 'rudo@shop.example', name: 'Rudo', phone: '0771234567' }
  const paid = await makePaid(world.ctx, owner, world.provider, { amount: 12.5, currency: 'USD', customer })
  const file = join(dataDir, 'rudo.json')
  const written = await admin('customers', 'export', merchantId, 'RUDO@shop.example', file)
  expect(written).toMatchObject({ code: 0, output: expect.stringContaining('with one payment') })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    customer: { email: 'rudo@shop.example', name: 'Rudo', phone: '+263771234567' },
    payments: [
      {
        id: paid.id,
        amountMinor: '1250',
        customer: { ...customer, phone: '+263771234567' },
        paidFrom: [expect.stringMatching(/^263/)],
      },
    ],
  })
  expect(await admin('customers', 'export', merchantId, 'rudo@shop.example', file)).toMatchObject({
    code: 1,
    output: expect.stringContaining('exists already'),
  })

  const erase = () => admin('customers', 'erase', merchantId, 'rudo@shop.example', '--reason', 'Her request')
  expect(await erase()).toMatchObject({ code: 0, output: expect.stringContaining('is erased') })
  expect(await stored(paid.id)).toEqual({
    customer_id: null,
    customer_email: null,
    customer_name: null,
    customer_phone: null,
    amount_minor: 1250,
    status: 'completed',
    msisdn: null,
  })
  expect(await erase()).toMatchObject({ code: 1, output: expect.stringContaining('has no customer') })
  expect((await admin('audit', 'list', '--about', merchantId)).output).toContain('customer.erased')
  expect(await admin('ledger')).toMatchObject({ code: 0 })
})

test('a customer with an open payment stays until the payment ends', async ({
  world,
  shop: { owner, merchantId },
  scene: { admin },
}) => {
  await makePayment(world.ctx, owner, { customer: { email: 'tendai@shop.example' } })
  expect(
    await admin('customers', 'erase', merchantId, 'tendai@shop.example', '--reason', 'His request'),
  ).toMatchObject({ code: 1, output: expect.stringContaining('that are open') })
})

test('[invariant] no table has a personal field of an erased customer, but for events within their period', async ({
  world: { ctx, provider },
  shop: { owner, accountId, merchantId },
  scene: { admin },
}) => {
  const customer = { email: 'canary@shop.example', name: 'Rudo Canary', phone: '+263771999888' }
  authorising(provider)
  const payment = await makePayment(ctx, owner, {
    customer,
    capture: 'manual',
    amount: 12.5,
    currency: 'USD',
  })
  await checkAttempt(ctx, accountId, (await makeAttempt(ctx, payment, customer.phone)).id)
  const capture = () => capturePayment(ctx, owner, payment.id, { amount: 10 }, { idempotencyKey: 'capture' })
  const first = await capture()
  expect(await capture()).toEqual({ ...first, replayed: true })
  const found = async () => {
    const { rows: tables } = await ctx.db.pool.query(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const counts = await Promise.all(
      tables.map(async ({ name }) => {
        const { rowCount } = await ctx.db.pool.query(
          `select from ${name} as row where row::text ~* 'canary@shop|rudo canary|771999888' limit 1`,
        )
        return rowCount ? [name] : []
      }),
    )
    return counts.flat().toSorted()
  }
  expect(await found()).toEqual([
    'public.customers',
    'public.events',
    'public.payment_attempts',
    'public.payments',
  ])
  // An earlier version stored the whole response.
  await ctx.db.pool.query('alter table capture_instructions disable trigger capture_instructions_keep_facts')
  const stored = 'update capture_instructions set response = $2 where account_id = $1'
  await ctx.db.pool.query(stored, [uuidOf(accountId), first.json])
  await ctx.db.pool.query('alter table capture_instructions enable trigger capture_instructions_keep_facts')
  expect(await found()).toContain('public.capture_instructions')
  const erased = await admin('customers', 'erase', merchantId, customer.email, '--reason', 'Her request')
  expect(erased).toMatchObject({ code: 0 })
  // The retained number is encrypted, and deleted later.
  expect(await found()).toEqual(['public.events'])
  ctx.clock.advance(60_000)
  const again = await capture()
  expect(again).toMatchObject({ replayed: true })
  expect(again.json).not.toMatch(/canary|771999888/i)
})

describe('after the erasure of its payer', () => {
  const email = 'chipo@shop.example'
  const msisdn = '263771234567'
  const paidAndErased = async ({ ctx, provider }: World, { owner, merchantId }: Shop, admin: Admin) => {
    const payment = await makePaid(ctx, owner, provider, { amount: 25, customer: { email } })
    const erased = await admin('customers', 'erase', merchantId, email, '--reason', 'Her request')
    expect(erased).toMatchObject({
      code: 0,
      output: expect.stringContaining(
        'of one payment stays encrypted for refunds and disputes, and is deleted 180 days',
      ),
    })
    const attempt = await latestAttempt(ctx, payment)
    expect(attempt.msisdn).toBeNull()
    return { payment, attempt }
  }
  const isRetained = async ({ ctx }: World, { id }: { id: AttemptId }) =>
    (await ctx.db.pool.query('select from retained_numbers where attempt_id = $1', [uuidOf(id)])).rows
      .length === 1

  test('a charge is refunded and looked up with its number, by the provider and by hand', async ({
    world,
    shop,
    scene: { admin },
  }) => {
    const { ctx, provider } = world
    const { payment, attempt } = await paidAndErased(world, shop, admin)
    await checkAttempt(ctx, shop.accountId, attempt.id)
    expect(provider.lookups.at(-1)).toMatchObject({ msisdn })
    provider.refund = async () => pending()
    await refundPayment(ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
      amount: 5,
      currency: 'USD',
    })
    expect(provider.refunds.at(-1)).toMatchObject({ msisdn })
    provider.lookupRefund = async () => paid(money(500n, 'USD'), 'R1')
    ctx.clock.advance(10_000)
    await lookUpDue(ctx)
    expect(provider.refundLookups.at(-1)).toMatchObject({ msisdn })
    expect(await paymentNow(ctx, shop.owner, payment.id)).toMatchObject({ refunded: money(500n, 'USD') })
    const open = ['refunds', 'open', shop.merchantId, payment.id, '--reason', 'Returned', '--by-hand']
    expect(await admin(...open)).toMatchObject({ code: 0 })
    const list = (await admin('refunds', 'list')).output
    expect(list).toContain(`+${msisdn}`)
    const [, id = ''] = /refunds paid (rfd_\w+)/.exec(list) ?? []
    expect(await admin('refunds', 'paid', id, '--reference', 'MP2611.1240.R1')).toMatchObject({ code: 0 })
    expect(await paymentNow(ctx, shop.owner, payment.id)).toMatchObject({ status: 'refunded' })
    // A refund that is over needs no number.
    expect((await admin('refunds', 'show', id)).output).not.toContain(msisdn)
  })

  test('the number is deleted after 180 days, and when an open refund has ended', async ({
    world,
    shop,
    scene: { admin },
  }) => {
    const { ctx, provider } = world
    const other = await paidAndErased(world, shop, admin)
    const { payment, attempt } = await paidAndErased(world, shop, admin)
    const kept = async () => {
      await deleteOldNumbers(ctx)
      return [await isRetained(world, other.attempt), await isRetained(world, attempt)]
    }
    provider.refundsBy = 'manual'
    const part = { amount: 5, currency: 'USD' } as const
    await refundPayment(ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, part)
    ctx.clock.advance(179 * DAY)
    expect(await kept()).toEqual([true, true])
    ctx.clock.advance(2 * DAY)
    expect(await kept()).toEqual([false, true])
    const list = (await admin('refunds', 'list')).output
    const [, id = ''] = new RegExp(`${msisdn}[\\s\\S]+?refunds paid (rfd_\\w+)`).exec(list) ?? []
    expect(await admin('refunds', 'paid', id, '--reference', 'MP2611.1240.R2')).toMatchObject({ code: 0 })
    expect(await kept()).toEqual([false, false])
  })

  test('a payment that is out of that time keeps no number, and none is retained of a charge that has one', async ({
    world,
    shop: { owner, accountId },
  }) => {
    const { ctx, provider } = world
    const payment = await makePaid(ctx, owner, provider, { customer: { email: 'old@shop.example' } })
    const { id } = await latestAttempt(ctx, payment)
    const retain = 'insert into retained_numbers values ($1, $2, $3, now())'
    await expect(ctx.db.pool.query(retain, [uuidOf(accountId), uuidOf(id), Buffer.of(1)])).rejects.toThrow(
      'is not retained',
    )
    ctx.clock.advance(181 * DAY)
    const customer = customerOf(ctx.keys, accountId, { email: 'old@shop.example', phone: null, name: null })
    invariant(customer, 'an email names a customer')
    const erased = await eraseCustomer(
      ctx,
      operatorActor('tendai', 'till'),
      accountId,
      customer.id,
      'His request',
    )
    expect(erased).toEqual({ kind: 'erased', payments: 1, retained: 0 })
    expect((await latestAttempt(ctx, payment)).msisdn).toBeNull()
  })
})
