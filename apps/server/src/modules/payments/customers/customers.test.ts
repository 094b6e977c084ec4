import type { PublicCustomer } from '@muripo/contract/customers'
import type { PublicPayment } from '@muripo/contract/payments'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { makeCaller } from '../../../../test/app.ts'
import { test as base } from '../../../../test/fixtures.ts'
import { makeShop } from '../../../../test/world.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { makeAttempt, paymentNow } from '../factory.ts'
import { customerOf, storedEmail, storedPhone } from '../payment/customer.ts'

type Page = { data: PublicCustomer[]; has_more: boolean; next_cursor: string | null }

let keys = 0

const test = base.extend('scene', ({ app, client }) => {
  async function get<T>(path: string, who = client.withKey): Promise<{ status: number; body: T }> {
    const answer = await app.inject({ method: 'GET', url: `/api/v1${path}`, headers: who })
    return { status: answer.statusCode, body: answer.json() }
  }
  const list = async (query: Record<string, string> = {}) =>
    (await get<Page>(`/customers?${new URLSearchParams(query)}`)).body
  const names = async (query: Record<string, string> = {}) => (await list(query)).data.map(({ name }) => name)
  async function pay(
    customer: object | undefined,
    { keyed = true, who = client.withKey } = {},
  ): Promise<PublicPayment> {
    keys += 1
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/payments',
      headers: { ...who, ...(keyed && { 'idempotency-key': `k${keys}` }) },
      payload: { amount: 5, currency: 'USD', description: 'Order', ...(customer && { customer }) },
    })
    expect(answer.statusCode).toBe(201)
    return answer.json()
  }
  return { get, list, names, pay }
})

describe('a payment names its customer', () => {
  test.for([true, false])(
    'in the response that creates it, and the next reader finds it (keyed: %s)',
    async (keyed, { app, client, scene: { pay, get } }) => {
      const { id, customer } = await pay(
        { email: 'Rudo@Shop.Example', name: 'Rudo', phone: '077 123 4567' },
        { keyed },
      )
      expect(customer).toEqual({
        id: expect.stringMatching(/^cus_/),
        email: 'Rudo@Shop.Example',
        name: 'Rudo',
        phone: '077 123 4567',
      })
      expect(await get(`/customers/${customer.id}`)).toEqual({
        status: 200,
        body: {
          id: customer.id,
          object: 'customer',
          email: 'rudo@shop.example',
          name: 'Rudo',
          phone: '+263771234567',
          created_at: expect.stringMatching(/Z$/),
        },
      })
      const details = await app.inject({ url: `/v1/payments/${id}`, headers: client.withSession })
      expect(details.json().customer).toEqual(customer)
    },
  )

  test('by its email in any case and composition; by its number in any notation, only without an email', async ({
    scene: { pay },
  }) => {
    const first = await pay({ email: 'zoe\u0308@shop.example', phone: '0771234567' })
    const same = await pay({ email: 'ZO\u00cb@shop.example' })
    const number = await pay({ phone: '+263 77 123-4567' })
    const again = await pay({ phone: '0771234567', name: 'Zoë' })
    expect(same.customer.id).toBe(first.customer.id)
    expect(again.customer.id).toBe(number.customer.id)
    expect(number.customer.id).not.toBe(first.customer.id)
  })

  test.for([undefined, {}, { name: 'Only a name' }])(
    'not at all by %j',
    async (customer, { scene: { pay, list } }) => {
      expect((await pay(customer)).customer.id).toBeNull()
      expect((await list()).data).toEqual([])
    },
  )

  test('by the number that pays, when it named nobody; a later number does not replace it', async ({
    world,
    client,
    scene: { pay, get, list },
  }) => {
    const { id } = await pay({ name: 'Only a name' })
    const named = await pay({ email: 'rudo@shop.example' })
    await makeAttempt(world.ctx, await paymentNow(world.ctx, client.owner, id))
    await makeAttempt(world.ctx, await paymentNow(world.ctx, client.owner, named.id))
    const { customer } = (await get<PublicPayment>(`/payments/${id}`)).body
    expect(customer.phone).toBe('+263771234567')
    expect((await list({ phone: '0771234567' })).data.map((each) => each.id)).toEqual([customer.id])
    const stored = (await get<PublicPayment>(`/payments/${named.id}`)).body
    expect(stored.customer).toMatchObject({ id: named.customer.id, phone: '+263771234567' })
  })
})

describe('a customer that cannot be stored', () => {
  /** The lowercase form is twice as long: each of these letters becomes two. */
  const swelling = `${'\u0130'.repeat(60)}@${`${'\u0130'.repeat(60)}.`.repeat(3)}example`

  test.for([
    ['a number of too few digits', { phone: '+491555' }],
    ['a number of too many digits', { phone: '+4915555555555555' }],
    ['an email that its small letters make too long', { email: swelling }],
  ] as const)(
    'leaves the payment unchanged and without a customer: %s',
    async ([_what, customer], { scene: { pay, list } }) => {
      for (const keyed of [true, false]) {
        const paid = await pay(customer, { keyed })
        expect(paid.customer).toEqual({ id: null, email: null, name: null, phone: null, ...customer })
      }
      expect((await list()).data).toEqual([])
    },
  )

  test('is not in the list either', async ({ scene: { pay, list } }) => {
    await pay({ email: 'rudo@shop.example' })
    expect((await list({ email: swelling })).data).toEqual([])
    expect((await list({ phone: '+491555' })).data).toEqual([])
  })

  test('because of its email is identified by the phone number', async ({ scene: { pay, list } }) => {
    await pay({ email: swelling, phone: '0771234567' })
    expect((await list()).data).toMatchObject([{ email: null, phone: '+263771234567' }])
  })

  test('is refused by the table, and nothing else is', async ({ world }) => {
    const { rows } = await world.ctx.db.pool.query(
      `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint where conname like 'customers_%_check'`,
    )
    const of = Object.fromEntries(rows.map(({ name, definition }) => [name, definition]))
    expect(of.customers_phone_check).toContain(`(phone ~ '${storedPhone.source}'::text)`)
    expect(of.customers_email_check).toContain(
      `((length(email) >= ${storedEmail.least}) AND (length(email) <= ${storedEmail.most}))`,
    )
  })
})

test('a customer keeps the first values, and receives missing ones', async ({ scene: { pay, get } }) => {
  const { customer } = await pay({ email: 'rudo@shop.example' })
  await pay({ email: 'rudo@shop.example', name: 'Rudo' })
  await pay({ email: 'rudo@shop.example', name: 'Somebody else', phone: '0771234567' }, { keyed: false })
  await pay({ email: 'rudo@shop.example', phone: '0787654321' })
  expect((await get(`/customers/${customer.id}`)).body).toMatchObject({
    name: 'Rudo',
    phone: '+263771234567',
  })
})

test('many concurrent payments with the same three customers create three, in any order', async ({
  scene: { pay, list },
}) => {
  const emails = ['a@shop.example', 'b@shop.example', 'c@shop.example']
  const made = await Promise.all(
    Array.from({ length: 90 }, (_, nth) => {
      const email = emails[(nth + Math.floor(nth / 30)) % 3]
      return pay({ email, ...(nth % 4 === 0 && { name: `Name of ${email}` }) }, { keyed: nth % 5 !== 0 })
    }),
  )
  expect(new Set(made.map(({ customer }) => customer.id)).size).toBe(3)
  const { data } = await list()
  expect(data.map(({ email }) => email).sort()).toEqual(emails)
  expect(data.map(({ name }) => name).sort()).toEqual(emails.map((email) => `Name of ${email}`))
})

test('every payment with customer data has a customer, and a refused payment creates none', async ({
  world,
  app,
  client,
  scene: { list },
}) => {
  const { ctx } = world
  const body = { amount: 5, currency: 'USD', description: 'Order' }
  const headers = { ...client.withKey, 'idempotency-key': 'same' }
  const send = (customer: object) =>
    app.inject({ method: 'POST', url: '/api/v1/payments', headers, payload: { ...body, customer } })
  await send({ email: 'first@shop.example' })
  expect((await send({ email: 'second@shop.example' })).statusCode).toBe(422)
  expect((await list()).data.map(({ email }) => email)).toEqual(['first@shop.example'])
  const { rows } = await ctx.db.pool.query(
    `select p.id from payments p left join customers c on c.account_id = p.account_id and c.id = p.customer_id
     where p.customer_id is not null and c.id is null`,
  )
  expect(rows).toEqual([])
})

describe('the list', () => {
  test('covers the whole merchant, newest first, and pages continue without a gap or a duplicate', async ({
    world,
    client,
    scene: { pay, names, list },
  }) => {
    const sister = await makeShop(world.ctx, client.merchantId)
    const withSister = { authorization: `Bearer ${sister.applicationKey}` }
    await pay({ email: 'a@stranger.example' }, { who: (await makeCaller(world.ctx)).withKey })
    for (let nth = 0; nth < 7; nth += 1)
      await pay(
        { email: `c${nth}@shop.example`, name: `${nth}` },
        { who: nth % 2 ? withSister : client.withKey },
      )
    expect(await names()).toEqual(['6', '5', '4', '3', '2', '1', '0'])
    for (const limit of [1, 3, 6, 7]) {
      const seen: (string | null)[] = []
      let cursor: string | null | undefined
      do {
        const page = await list({ limit: `${limit}`, ...(cursor && { cursor }) })
        seen.push(...page.data.map(({ name }) => name))
        expect(page.has_more).toBe(page.next_cursor !== null)
        cursor = page.next_cursor
      } while (cursor)
      expect(seen).toEqual(['6', '5', '4', '3', '2', '1', '0'])
    }
  })

  test('is filtered by email and by number, in any notation', async ({ scene: { pay, names } }) => {
    await pay({ email: 'rudo@shop.example', name: 'Rudo', phone: '0771234567' })
    await pay({ email: 'tendai@shop.example', name: 'Tendai', phone: '0771234567' })
    await pay({ phone: '0771234567', name: 'A number' })
    expect(await names({ email: 'RUDO@shop.example' })).toEqual(['Rudo'])
    expect(await names({ phone: '+263 77 123 4567' })).toEqual(['A number', 'Tendai', 'Rudo'])
    expect(await names({ phone: '0771234567', email: 'tendai@shop.example' })).toEqual(['Tendai'])
    expect(await names({ email: 'nobody@shop.example' })).toEqual([])
  })

  test.for([
    ['cursor', 'cus_nonsense'],
    ['cursor', 'cus_01h455vb4pex5vsknk084sn02q'],
    ['phone', 'ask at the desk'],
    ['email', 'nobody'],
    ['limit', '0'],
    ['limit', '101'],
    ['name', 'Rudo'],
  ] as const)('refuses %s=%s and names the field', async ([field, value], { scene: { get } }) => {
    const { status, body } = await get<{ errors: unknown[] }>(
      `/customers?${new URLSearchParams({ [field]: value })}`,
    )
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ field }])
  })
})

test('ids are UUIDs of version 8, the same for the same name and merchant and for no other', async ({
  world,
  client,
}) => {
  const { keys } = world.ctx
  const otherAccountId = (await makeShop(world.ctx)).accountId
  const idOf = (accountId: typeof otherAccountId, email: string) =>
    customerOf(keys, accountId, { email, phone: null, name: null })?.id
  await fc.assert(
    fc.asyncProperty(fc.emailAddress(), fc.emailAddress(), async (one, other) => {
      const id = idOf(client.accountId, one)
      expect(id && uuidOf(id)).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
      expect(idOf(client.accountId, one.toUpperCase())).toBe(id)
      expect(idOf(otherAccountId, one)).not.toBe(id)
      if (one.toLowerCase() !== other.toLowerCase()) expect(idOf(client.accountId, other)).not.toBe(id)
    }),
    { numRuns: 200 },
  )
})
