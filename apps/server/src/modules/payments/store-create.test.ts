import { CreatePayment } from '@muripo/contract/payments'
import { expect, vi } from 'vitest'
import { test as base } from '../../../test/fixtures.ts'
import { makeShop, type Shop } from '../../../test/world.ts'
import { uuidOf } from '../../platform/ids.ts'
import { createPayment } from './actions/create-payment.ts'
import { idempotencyChecksum } from './idempotency.ts'

const asUuid = (checksum: string): string => checksum.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

interface Sent {
  readonly name?: string
  readonly values?: readonly string[]
}

/** The rows of a statement that creates payments. */
const rowsOf = ({ name, values }: Sent): { account_id: string }[] | null =>
  name?.startsWith('create-payments') ? JSON.parse(values?.[0] ?? '[]') : null

const test = base
  .extend('shops', async ({ world }) => [
    await makeShop(world.ctx),
    await makeShop(world.ctx),
    await makeShop(world.ctx),
  ])
  .extend('scene', ({ world, shops }) => {
    const shop = (nth: number): Shop => shops[nth] as Shop
    const create = (from: Shop, key: string | undefined, change: object = {}, ctx = world.ctx) =>
      createPayment(
        ctx,
        from.owner,
        CreatePayment.parse({ amount: 12.5, currency: 'USD', description: 'Order 1001', ...change }),
        { idempotencyKey: key },
      )
    async function paymentsMade(): Promise<number> {
      const { rows } = await world.ctx.db.pool.query(
        'select count(*)::int as made from payments where account_id = any($1)',
        [shops.map(({ accountId }) => uuidOf(accountId))],
      )
      return rows[0].made
    }
    /** Records the number of rows of each batch statement. */
    function watchBatches(): () => number[] {
      const query = vi.spyOn(world.ctx.db.pool, 'query')
      const sent = () => query.mock.calls.map(([statement]) => statement as unknown as Sent)
      return () => sent().flatMap((statement) => rowsOf(statement)?.length ?? [])
    }
    return { shop, create, paymentsMade, watchBatches }
  })

test('concurrent creates are written together, each with its own facts', async ({ world, shops, scene }) => {
  const sizes = scene.watchBatches()
  const orders = shops.map((from, nth) => ({
    from,
    change: {
      amount: nth + 1.01,
      description: `"Quoted" \\ and {braced}, order ${nth} – ✓`,
      metadata: { nth: String(nth), quote: '\'"\\' },
      ...(nth === 1 && {
        reference: 'R1',
        method: 'ecocash',
        customer: { name: 'Rudo', phone: '077 123 4567' },
      }),
    },
  }))
  const answers = await Promise.all(orders.map(({ from, change }) => scene.create(from, 'k', change)))
  expect(sizes()).toEqual([3])
  expect(answers.map(({ replayed }) => replayed)).toEqual([false, false, false])

  const { rows } = await world.ctx.db.pool.query(
    `select p.amount_minor::int as amount, p.description, p.metadata, p.reference, p.method, p.customer_name, p.customer_phone,
       p.created_at = $2 and p.expires_at = p.created_at + interval '1 day' as dated, p.idempotency_checksum as key
     from payments p where p.account_id = any($1) order by p.id`,
    [shops.map(({ accountId }) => uuidOf(accountId)), world.ctx.clock.now()],
  )
  expect(rows).toEqual(
    orders.map(({ from, change }, nth) => ({
      amount: 101 + 100 * nth,
      description: change.description,
      metadata: change.metadata,
      reference: nth === 1 ? 'R1' : null,
      method: nth === 1 ? 'ecocash' : null,
      customer_name: nth === 1 ? 'Rudo' : null,
      customer_phone: nth === 1 ? '077 123 4567' : null,
      dated: true,
      key: asUuid(idempotencyChecksum(from.applicationId, 'k')),
    })),
  )
})

test('a key that occurs twice in one batch is one payment and one response; the other creates are not affected', async ({
  scene,
}) => {
  const [first, second, other, third] = await Promise.all([
    scene.create(scene.shop(0), 'twice'),
    scene.create(scene.shop(0), 'twice'),
    scene.create(scene.shop(1), 'twice'),
    scene.create(scene.shop(0), 'twice'),
  ])
  expect(second).toEqual({ ...first, replayed: true })
  expect(third).toEqual({ ...first, replayed: true })
  expect(other).toMatchObject({ replayed: false })
  expect(await scene.paymentsMade()).toBe(2)
})

test('a key that occurs twice in one batch with other contents is refused the second time', async ({
  scene,
}) => {
  const [first, second, other] = await Promise.allSettled([
    scene.create(scene.shop(0), 'twice'),
    scene.create(scene.shop(0), 'twice', { amount: 13 }),
    scene.create(scene.shop(1), 'other'),
  ])
  expect(first.status).toBe('fulfilled')
  expect(second).toMatchObject({ reason: { code: 'idempotency_mismatch' } })
  expect(other.status).toBe('fulfilled')
})

test('a known key returns its response from the middle of a batch', async ({ scene }) => {
  const known = await scene.create(scene.shop(1), 'known')
  const answers = await Promise.all([
    scene.create(scene.shop(0), 'new'),
    scene.create(scene.shop(1), 'known'),
    scene.create(scene.shop(2), 'new'),
  ])
  expect(answers[1]).toEqual({ ...known, replayed: true })
  expect(answers.map(({ replayed }) => replayed)).toEqual([false, true, false])
  expect(await scene.paymentsMade()).toBe(3)
})

test('a replaced key and a stopped application fail only themselves', async ({ world, shops, scene }) => {
  const { pool } = world.ctx.db
  await pool.query('update application_keys set revoked_at = now() where application_id = $1', [
    uuidOf(scene.shop(0).applicationId),
  ])
  await pool.query("update applications set status = 'inactive' where id = $1", [
    uuidOf(scene.shop(1).applicationId),
  ])
  const sizes = scene.watchBatches()
  const results = await Promise.allSettled(shops.map((from) => scene.create(from, 'k')))
  expect(sizes()).toEqual([3])
  expect(results).toMatchObject([
    { reason: { code: 'invalid_key' } },
    { reason: { code: 'application_inactive' } },
    { status: 'fulfilled' },
  ])
  expect(await scene.paymentsMade()).toBe(1)
})

test('a row that the database refuses fails only itself', async ({ world, scene }) => {
  const { pool } = world.ctx.db
  const send = pool.query.bind(pool) as (...given: readonly unknown[]) => Promise<unknown>
  const sizes = scene.watchBatches()
  // A method that validation would refuse.
  const spoilt = uuidOf(scene.shop(1).accountId)
  vi.mocked(pool.query).mockImplementation(((statement: Sent, ...others: readonly unknown[]) => {
    const rows = rowsOf(statement)?.map((row) =>
      row.account_id === spoilt ? { ...row, method: 'barter' } : row,
    )
    return send(rows ? { ...statement, values: [JSON.stringify(rows)] } : statement, ...others)
  }) as never)
  const results = await Promise.allSettled([
    scene.create(scene.shop(0), 'good'),
    scene.create(scene.shop(1), 'bad'),
    scene.create(scene.shop(2), 'good'),
  ])
  expect(sizes()).toEqual([3, 1, 1, 1])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await scene.paymentsMade()).toBe(2)
})

test('an unreachable database fails the batch at once, without an attempt for each row', async ({
  world,
  shops,
  scene,
}) => {
  const query = vi
    .spyOn(world.ctx.db.pool, 'query')
    .mockImplementation(() =>
      Promise.reject(Object.assign(new Error('terminating connection'), { code: '57P01' })),
    )
  const results = await Promise.allSettled(shops.map((from) => scene.create(from, 'k')))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(query).toHaveBeenCalledTimes(1)
})

test('batches of several writers that share keys, in any order, neither deadlock nor make a payment twice', async ({
  world,
  scene,
}) => {
  const query = vi.spyOn(world.ctx.db.pool, 'query')
  // Each has a batcher of its own.
  const contexts = Array.from({ length: 4 }, () => ({ ...world.ctx, db: { ...world.ctx.db } }))
  const keys = Array.from({ length: 30 }, (_, nth) => `key-${nth}`)
  const turned = (by: number) => [...keys.slice(by), ...keys.slice(0, by)]
  const answers = await Promise.all(
    contexts.flatMap((ctx, nth) =>
      (nth % 2 === 0 ? turned(7 * nth) : turned(7 * nth).reverse()).map((key) =>
        scene.create(scene.shop(key.length % 3), key, {}, ctx).then(({ json }) => [key, json] as const),
      ),
    ),
  )
  const byKey = Map.groupBy(answers, ([key]) => key)
  for (const given of byKey.values()) expect(new Set(given.map(([, json]) => json)).size).toBe(1)
  expect(await scene.paymentsMade()).toBe(30)
  const sent = await Promise.allSettled(query.mock.results.map(({ value }) => value as Promise<unknown>))
  expect(sent.filter(({ status }) => status === 'rejected')).toEqual([])
})
