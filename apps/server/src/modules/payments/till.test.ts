import type { ApplicationId } from '@muripo/contract/ids'
import { permissionsOf } from '@muripo/contract/permissions'
import type { Till, TillPaymentDetails } from '@muripo/contract/till'
import { problemOf } from '@muripo/locales/form-problems'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeApp } from '../../../test/app.ts'
import { makeManyPayments } from '../../../test/many-payments.ts'
import { type MountedRoute, withRoutes } from '../../../test/mounted-routes.ts'
import { freshShop, makeShop, makeWorld, type Shop, type World } from '../../../test/world.ts'
import { operatorActor } from '../../platform/audit/actor.ts'
import { refusedField } from '../../platform/errors.ts'
import { uuidOf } from '../../platform/ids.ts'
import { changeMerchantStatus } from '../applications/index.ts'
import { makeMember } from '../identity/factory.ts'
import { makePaid, makePayment, paid, pending, refused } from './factory.ts'
import { paymentsOfDay, totalsOfDay } from './listing/store-till.ts'

const NUMBER = '077 123 4567'

let world: World
let app: FastifyInstance
let routes: readonly MountedRoute[]
/** A shop with two applications, and a cashier of the first one. */
let shop: Shop
let other: Shop
let token: string

beforeAll(async () => {
  world = await makeWorld()
  const built = await withRoutes(() => makeApp(world.ctx))
  app = built.app
  routes = built.routes
})
afterAll(async () => {
  await app.close()
  await world.ctx.close()
})
beforeEach(async () => {
  // The prompts of the test before do not count for the number.
  world.ctx.clock.advance(24 * 60 * 60_000)
  shop = await freshShop(world)
  other = await makeShop(world.ctx, shop.merchantId)
  token = await cashierOf([shop.applicationId])
})

const cashierOf = async (applications: readonly ApplicationId[] | null) =>
  (await makeMember(world.ctx, shop.merchantId, 'cashier', applications)).tokens.authToken

async function call(method: 'GET' | 'POST', url: string, body?: object, key?: string, authToken = token) {
  const answered = await app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${authToken}`, ...(key && { 'idempotency-key': key }) },
    ...(body && { payload: body }),
  })
  return { status: answered.statusCode, headers: answered.headers, body: answered.json() }
}

const charge = (change: object = {}, key?: string) =>
  call(
    'POST',
    '/v1/till/charge',
    { applicationId: shop.applicationId, amount: 25, currency: 'USD', phone: NUMBER, ...change },
    key,
  )

const tillOf = async (query = '', authToken = token): Promise<Till> =>
  (await call('GET', `/v1/till${query}`, undefined, undefined, authToken)).body

async function paymentsMade(): Promise<{ status: string; attempts: number }[]> {
  const { rows } = await world.ctx.db.pool.query(
    `select status, (select count(*)::int from payment_attempts a where a.account_id = p.account_id and a.payment_id = p.id) as attempts
     from payments p where account_id = $1 order by id`,
    [uuidOf(shop.accountId)],
  )
  return rows
}

describe('a charge', () => {
  test('prompts the wallet of the number, and says who was asked and until when', async () => {
    const { status, body } = await charge()
    expect(status).toBe(201)
    expect(body).toMatchObject({
      status: 'PENDING',
      amount: 25,
      currency: 'USD',
      method: 'ecocash',
      lastDigits: '4567',
      attempts: 1,
      isCancelled: false,
      openAttempt: { method: 'ecocash', phone: '077 *** 4567', dialIn: null, closesAt: expect.any(String) },
      paymentUrl: expect.stringMatching(/\/pay\//),
      paymentQr: null,
    })
    expect(world.provider.charges).toMatchObject([
      { msisdn: '263771234567', method: 'ecocash', description: 'Payment at the counter' },
    ])
  })

  test('that the provider confirms at once is paid', async () => {
    world.provider.charge = async ({ amount }) => paid(amount)
    const { body } = await charge({ purposeDescription: 'Two loaves' })
    expect(body).toMatchObject({ status: 'COMPLETED', openAttempt: null })
    expect(world.provider.charges[0]?.description).toBe('Two loaves')
  })

  test('under one key is one payment and one prompt, sent one after the other or together', async () => {
    const first = await charge({}, 'tap')
    const answers = [
      first,
      await charge({}, 'tap'),
      ...(await Promise.all(Array.from({ length: 8 }, () => charge({}, 'tap')))),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(new Set(answers.map(({ body }) => body.paymentId)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
    const together = await Promise.all(Array.from({ length: 8 }, () => charge({ amount: 26 }, 'together')))
    expect(new Set(together.map(({ body }) => body.paymentId)).size).toBe(1)
    expect(await paymentsMade()).toEqual([
      { status: 'pending', attempts: 1 },
      { status: 'pending', attempts: 1 },
    ])
    expect(world.provider.charges).toHaveLength(2)
  })

  test('is not sent again by a repetition after the customer has declined', async () => {
    world.provider.charge = async () => refused()
    const { body } = await charge({}, 'declined')
    expect(body).toMatchObject({
      status: 'PENDING',
      statusReason: 'user_cancelled',
      openAttempt: null,
      attempts: 1,
    })
    expect((await charge({}, 'declined')).body).toMatchObject({ paymentId: body.paymentId, attempts: 1 })
    expect(world.provider.charges).toHaveLength(1)
  })

  /** A charge in another process of the gateway, which runs `before` when its payment exists and nobody was prompted. */
  async function chargeElsewhere(key: string, before: () => Promise<unknown>): Promise<number> {
    const { reserve, noteResult } = world.ctx.attemptLimits
    const attemptLimits: typeof world.ctx.attemptLimits = {
      noteResult,
      reserve: (...attempt) => before().then(() => reserve(...attempt)),
    }
    const elsewhere = await makeApp({ ...world.ctx, attemptLimits })
    const { statusCode } = await elsewhere.inject({
      method: 'POST',
      url: '/v1/till/charge',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
      payload: { applicationId: shop.applicationId, amount: 25, currency: 'USD', phone: NUMBER },
    })
    await elsewhere.close()
    return statusCode
  }
  const chargeFailing = (error: Error, key: string) => chargeElsewhere(key, () => Promise.reject(error))

  test('that a repetition overtakes finds its attempt, also when its own is refused', async () => {
    expect(await chargeElsewhere('overtaken', () => charge({}, 'overtaken'))).toBe(201)
    const busy = () =>
      charge({}, 'refused').then(() => Promise.reject(refusedField('phone', problemOf('phoneBusy'))))
    expect(await chargeElsewhere('refused', busy)).toBe(422)
    expect(await paymentsMade()).toEqual([
      { status: 'pending', attempts: 1 },
      { status: 'pending', attempts: 1 },
    ])
    expect((await charge({}, 'refused')).body).toMatchObject({
      isCancelled: false,
      openAttempt: { method: 'ecocash' },
    })
    expect(world.provider.charges).toHaveLength(2)
  })

  test('whose process ended before the prompt is prompted by the repetition', async () => {
    expect(await chargeFailing(new Error('ended'), 'ended')).toBe(500)
    expect(await paymentsMade()).toEqual([{ status: 'pending', attempts: 0 }])
    expect((await charge({}, 'ended')).body).toMatchObject({ attempts: 1 })
    expect(await paymentsMade()).toEqual([{ status: 'pending', attempts: 1 }])
  })

  test('whose prompt is refused leaves no open payment, and its repetition prompts nobody', async () => {
    expect(await chargeFailing(refusedField('phone', problemOf('phoneBusy')), 'busy')).toBe(422)
    expect(await paymentsMade()).toEqual([{ status: 'failed', attempts: 0 }])
    expect((await charge({}, 'busy')).body).toMatchObject({ status: 'FAILED', isCancelled: true })
    expect(world.provider.charges).toEqual([])
  })

  test.each([
    ['phone', 'phoneInvalid', { phone: '077 12' }],
    ['phone', 'phoneWithoutWallet', { phone: '073 123 4567' }],
    ['method', 'methodNotInCurrency', { phone: '071 123 4567' }],
    ['method', 'methodNotInCurrency', { currency: 'GBP' }],
    ['amount', undefined, { amount: 0 }],
  ])('is refused beside %s: %s', async (field, code, change) => {
    const { status, body } = await charge(change)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ field, ...(code && { reason: { code } }) }])
    expect(await paymentsMade()).toEqual([])
  })

  test('is refused for another application, and for a merchant that is suspended', async () => {
    expect(await charge({ applicationId: other.applicationId })).toMatchObject({ status: 404 })
    const { merchantId } = shop
    const suspended = { merchantId, move: 'suspend', reason: 'Reported', seen: null } as const
    const operator = operatorActor('rudo', 'rudo@office')
    expect(await changeMerchantStatus(world.ctx, operator, suspended)).toMatchObject({ result: 'done' })
    expect(await charge()).toMatchObject({ status: 403, body: { code: 'merchant_not_active' } })
    expect(world.provider.charges).toEqual([])
  })

  test('of a method without a prompt needs a QR', async () => {
    world.provider.needs = []
    expect((await charge()).body.errors).toMatchObject([
      { field: 'method', reason: { code: 'methodWithoutPrompt' } },
    ])
  })
})

describe('asking again', () => {
  const ask = (paymentId: string, attempts: number, phone = NUMBER) =>
    call('POST', `/v1/till/payments/${paymentId}/ask`, { phone, attempts })

  test('sends one more prompt for the same payment, however often it is repeated', async () => {
    world.provider.charge = async () => refused('wrong_pin')
    const { paymentId } = (await charge()).body as TillPaymentDetails
    world.provider.charge = async () => pending()
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask(paymentId, 1, '078 765 4321')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers[0]?.body).toMatchObject({ lastDigits: '4321', attempts: 2 })
    expect(world.provider.charges).toHaveLength(2)
    expect(await ask(paymentId, 2)).toMatchObject({ status: 409, body: { code: 'payment_not_payable' } })
  })

  test('is refused for a payment of another application, or of yesterday', async () => {
    const foreign = await makePayment(world.ctx, other.owner)
    expect((await ask(foreign.id, 0)).status).toBe(404)
    const own = await makePayment(world.ctx, shop.owner)
    world.ctx.clock.advance(24 * 60 * 60_000)
    expect(
      (
        await call(
          'POST',
          `/v1/till/payments/${own.id}/ask`,
          { phone: NUMBER, attempts: 0 },
          undefined,
          await cashierOf(null),
        )
      ).status,
    ).toBe(404)
    expect(world.provider.charges).toEqual([])
  })
})

describe('today', () => {
  test('has the payments of the cashier’s applications since midnight, with totals and without names', async () => {
    await makePaid(world.ctx, shop.owner, world.provider, { amount: 99 })
    world.ctx.clock.advance(24 * 60 * 60_000)
    token = await cashierOf([shop.applicationId])
    const customer = { name: 'Rudo Moyo', email: 'rudo@customer.test', phone: '0771234567' }
    await makePaid(world.ctx, shop.owner, world.provider, { amount: 12.5, customer })
    await makePaid(world.ctx, shop.owner, world.provider, { amount: 7.5 })
    const open = await makePayment(world.ctx, shop.owner, { amount: 3 })
    const foreign = await makePaid(world.ctx, other.owner, world.provider, { amount: 50 })
    const till = await tillOf()
    expect(till.applications.map(({ id }) => id)).toEqual([shop.applicationId])
    expect(till.currencies).toContainEqual({ currency: 'USD', methods: ['ecocash'] })
    expect(till.today.totals).toEqual([{ currency: 'USD', amount: 20, count: 2 }])
    expect(till.today.payments.map(({ amount }) => amount)).toEqual([3, 7.5, 12.5])
    expect(till.today.payments[2]).toMatchObject({
      lastDigits: '4567',
      status: 'COMPLETED',
      method: 'ecocash',
    })
    for (const word of ['Rudo', 'rudo@', '123']) expect(JSON.stringify(till.today)).not.toContain(word)
    expect((await tillOf('', await cashierOf(null))).today.payments).toHaveLength(4)
    const read = (id: string) => call('GET', `/v1/till/payments/${id}?qr=1`)
    expect((await read(open.id)).body).toMatchObject({ paymentQr: { path: expect.any(String) }, attempts: 0 })
    expect((await read(foreign.id)).status).toBe(404)
  })

  test('finds payments by amount or by the last four digits', async () => {
    const make = (amount: number, phone: string) =>
      makePayment(world.ctx, shop.owner, { amount, customer: { phone } })
    await make(12.5, '077 111 2222')
    await make(2222, '+263 78 333 4444')
    await make(8, '0771115555')
    const found = async (search: string) =>
      (await tillOf(`?search=${encodeURIComponent(search)}`)).today.payments.map(({ amount }) => amount)
    expect(await found('12.50')).toEqual([12.5])
    expect(await found('2222')).toEqual([2222, 12.5])
    expect(await found('2,222')).toEqual([2222, 12.5])
    expect(await found('4444')).toEqual([2222])
    expect(await found('Rudo')).toEqual([])
  })

  test('a payment is shown until shortly after midnight, and not on the next day', async () => {
    const { clock } = world.ctx
    const midnight = new Date(`${clock.now().toISOString().slice(0, 10)}T22:00:00Z`).getTime()
    clock.advance(midnight + 24 * 60 * 60_000 - 60_000 - clock.now().getTime())
    token = await cashierOf([shop.applicationId])
    const { id } = await makePayment(world.ctx, shop.owner)
    const read = async () => (await call('GET', `/v1/till/payments/${id}`)).status
    clock.advance(2 * 60_000)
    expect([await read(), (await tillOf()).today.payments]).toEqual([200, []])
    clock.advance(14 * 60_000)
    token = await cashierOf([shop.applicationId])
    expect(await read()).toBe(404)
  })

  test('is a range of the primary key, however many payments there were on other days, and 200 at most', async () => {
    await makeManyPayments(world.ctx, shop, 20_000)
    const since = world.ctx.clock.now().getTime()
    const plans: string[] = []
    const explaining = world.ctx.db.kysely.withPlugin({
      transformQuery: ({ node }) =>
        node.kind === 'RawNode'
          ? { ...node, sqlFragments: [`explain ${node.sqlFragments[0]}`, ...node.sqlFragments.slice(1)] }
          : node,
      async transformResult({ result }) {
        plans.push(result.rows.map((row) => row['QUERY PLAN']).join('\n'))
        return { ...result, rows: [] }
      },
    })
    for (const applications of [null, [shop.applicationId], [shop.applicationId, other.applicationId]]) {
      const day = { accountId: shop.accountId, applications, since }
      await totalsOfDay(explaining, day)
      await paymentsOfDay(explaining, day)
      await paymentsOfDay(explaining, day, '4567')
    }
    expect(plans).toHaveLength(9)
    for (const plan of plans) {
      expect(plan).toMatch(/payments_pkey.*\n +Index Cond: \(\(account_id = .*\) AND \(id >= /)
      expect(plan).not.toContain('Seq Scan')
    }
    const all = { accountId: shop.accountId, applications: null, since: 0 }
    expect(await paymentsOfDay(world.ctx.db.kysely, all)).toHaveLength(200)
  })
})

test('a cashier may call the till, create and cancel, and is refused in words everywhere else', async () => {
  const guarded = routes.filter(
    ({ url, spec }) =>
      url.startsWith('/v1/') && spec !== null && spec.access !== 'anyone' && spec.access !== 'person',
  )
  const results: string[] = []
  const unlimited = await cashierOf(null)
  for (const { method, url, spec } of guarded) {
    const answered = await app.inject({
      method: method as 'POST',
      url: url.replace(/:applicationId/, shop.applicationId).replace(/:\w+/g, 'x'),
      headers: { authorization: `Bearer ${unlimited}`, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { payload: '{}' }),
    })
    const isRefused = answered.statusCode === 403 && answered.json().code === 'not_permitted'
    if (isRefused) expect(answered.json().detail).toBe(`Your role lacks the permission ${spec?.access}`)
    else results.push(`${method} ${url}`)
    expect([method, url, isRefused]).toEqual([
      method,
      url,
      !permissionsOf.cashier.has(spec?.access as 'till.read'),
    ])
  }
  expect(results.toSorted()).toEqual([
    'GET /v1/payments/options',
    'GET /v1/till',
    'GET /v1/till/payments/:paymentId',
    'POST /v1/payments/create',
    'POST /v1/till/charge',
    'POST /v1/till/payments/:paymentId/ask',
    'POST /v1/till/payments/:paymentId/cancel',
  ])
})
