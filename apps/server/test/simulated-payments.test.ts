import { currencies } from '@muripo/contract/money'
import { paymentMethods } from '@muripo/contract/payments'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseGatewayConfig } from '../src/gateway-config.ts'
import { createCheckout } from '../src/modules/checkout/index.ts'
import { lookUpDue } from '../src/modules/payments/factory.ts'
import { createProviders, registryOf } from '../src/modules/providers/registry.ts'
import { simulatedConnectors } from '../src/modules/providers/simulated/index.ts'
import { type Clock, systemClock } from '../src/platform/clock.ts'
import { makeAppWithPages } from './app.ts'
import { type LiveShop, liveGateway } from './live-gateway.ts'
import { productionEnv } from './production-env.ts'

// The gateway of an operator who has one account, at EcoCash, and none for test keys.
const providersAt = (clock: Clock) => createProviders(parseGatewayConfig(productionEnv), clock)
const { ctx, call, openShop, ...gateway } = await liveGateway(providersAt)
const app = await makeAppWithPages(ctx)
afterAll(() => app.close())

let shop: LiveShop
beforeAll(async () => {
  shop = await openShop()
})

let orders = 0
/** Payers are asked before they pay one order twice. */
const create = (who: LiveShop['live'], change: object = {}) => {
  orders += 1
  return gateway.create(who, { reference: `R${orders}`, ...change })
}
const tokenOf = ({ payment_url }: { payment_url: string }) =>
  new URL(payment_url).pathname.split('/')[2] ?? ''
const read = async (id: string) => (await call('GET', `/api/v1/payments/${id}`, shop.trial)).body
const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const page = (token: string) => `/pay/${token}/simulator`
const post = (token: string, choice: string, headers = {}) =>
  app.inject({
    method: 'POST',
    url: page(token),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://pay.example',
      host: 'pay.example',
      ...headers,
    },
    payload: form({ choice }).toString(),
  })

/** A test payment whose payer has chosen the method. */
async function open(method: string, phone = '') {
  const { status, body } = await create(shop.trial)
  expect([status, body.methods]).toEqual([201, [...paymentMethods]])
  const token = tokenOf(body)
  expect(await createCheckout(ctx).submit(token, form({ method, phone }))).toBeNull()
  return { id: body.id, token }
}

describe('a test key of a live gateway without an account for test keys pays', () => {
  test.each([
    ['ecocash', '077 444 4444', 'insufficient_funds'],
    ['onemoney', '071 444 4444', 'insufficient_funds'],
  ])('by %s at %s, whose prompt fails at once', async (method, phone, reason) => {
    const { token } = await open(method, phone)
    await createCheckout(ctx).checkOnReturn(token)
    const view = await createCheckout(ctx).view(token, '203.0.113.7')
    expect(view).toMatchObject({ stage: 'refused', isTest: true, attempt: { failure: reason } })
  })

  test.each(['ecocash', 'onemoney'])(
    'by %s after a while, also when another process looks it up',
    async (method) => {
      const { id } = await open(method, method === 'ecocash' ? '077 111 1111' : '071 111 1111')
      const restarted = { ...ctx, providers: providersAt(ctx.clock) }
      ctx.clock.advance(6000)
      await lookUpDue(restarted)
      expect((await read(id)).status).toBe('completed')
    },
  )

  test.each([
    ['visa', 'pay', 'completed'],
    ['innbucks', 'pay', 'completed'],
    ['visa', 'no_funds', 'pending'],
    ['innbucks', 'cancel', 'pending'],
  ])('by %s at the page of the gateway, where the payer chooses %s', async (method, choice, status) => {
    const { id, token } = await open(method)
    const shown = await app.inject({ url: page(token), headers: { host: 'pay.example' } })
    expect(shown.statusCode).toBe(200)
    expect(shown.body).toContain('This is a test: no real money moves.')
    expect(shown.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
      ),
    })
    const chosen = await post(token, choice)
    expect([chosen.statusCode, chosen.headers.location]).toEqual([303, `/pay/${token}`])
    expect((await read(id)).status).toBe(status)
    const again = await app.inject({ url: page(token), headers: { host: 'pay.example' } })
    expect([again.statusCode, again.headers.location]).toEqual([303, `/pay/${token}`])
    expect((await post(token, 'pay')).statusCode).toBe(303)
    expect((await read(id)).status).toBe(status)
  })

  test('and refunds, captures and voids', async () => {
    const { id, token } = await open('visa')
    await post(token, 'pay')
    const refund = await call('POST', '/api/v1/refunds', shop.trial, { payment: id, amount: 5 })
    expect([refund.status, refund.body.status]).toEqual([201, 'completed'])

    const manual = (await create(shop.trial, { capture: 'manual' })).body
    expect(manual.methods).toEqual(['visa'])
    expect(await createCheckout(ctx).submit(tokenOf(manual), form({ method: 'visa', phone: '' }))).toBeNull()
    await post(tokenOf(manual), 'pay')
    expect((await read(manual.id)).status).toBe('authorized')
    await call('POST', `/api/v1/payments/${manual.id}/capture`, shop.trial, { amount: 10 })
    await expect.poll(async () => (await read(manual.id)).status).toBe('completed')
  })

  test('to test numbers only', async () => {
    const { status, body } = await create(shop.trial, { customer: { phone: '0771234567' } })
    expect([status, body]).toMatchObject([
      422,
      { errors: [{ message: expect.stringContaining('071 111 1111') }] },
    ])
  })
})

describe('a live key', () => {
  test('offers the methods of its provider alone', async () => {
    const { body } = await create(shop.live)
    expect(body.methods).toEqual(['ecocash'])
    const submit = (method: string) => createCheckout(ctx).submit(tokenOf(body), form({ method, phone: '' }))
    for (const method of ['visa', 'innbucks', 'onemoney']) expect(await submit(method)).not.toBeNull()
    const shown = await app.inject({ url: page(tokenOf(body)), headers: { host: 'pay.example' } })
    expect([shown.statusCode, shown.headers.location]).toEqual([303, `/pay/${tokenOf(body)}`])
    await post(tokenOf(body), 'pay')
    const { body: after } = await call('GET', `/api/v1/payments/${body.id}`, shop.live)
    expect(after.status).toBe('pending')
  })

  test('has no route to the simulator, whatever the settings are', () => {
    const routed = (env: object) => {
      const { offeredIn } = createProviders(parseGatewayConfig({ ...productionEnv, ...env }), systemClock)
      return currencies.flatMap((currency) =>
        paymentMethods.flatMap((method) =>
          offeredIn('live')
            .routeOf(method, currency)
            .map(({ id }) => id),
        ),
      )
    }
    for (const env of [{}, { TEST_SIMULATOR: 'on', PROVIDER_ACCOUNTS: 'database', ROUTE_ECOCASH: 'none' }])
      expect(routed(env).filter((id) => id.startsWith('simulator'))).toEqual([])
    expect(() => parseGatewayConfig({ ...productionEnv, ROUTE_VISA: 'simulator-cards' })).toThrow(
      'ROUTE_VISA',
    )
  })

  test('has no attempt at the simulator: the database refuses it', async () => {
    const { body } = await create(shop.live)
    const wrong = { ...ctx, providers: registryOf(simulatedConnectors(ctx.clock)) }
    await expect(
      createCheckout(wrong).submit(tokenOf(body), form({ method: 'visa', phone: '' })),
    ).rejects.toThrow('the simulated provider serves test keys only')
  })

  test('is refused without any provider', async () => {
    const none = { ...productionEnv, PROVIDER_ACCOUNTS: 'database', ROUTE_ECOCASH: 'none' }
    const bare = createProviders(parseGatewayConfig(none), systemClock)
    expect(bare.offeredIn('live').methodsIn('USD')).toEqual([])
    expect(bare.offeredIn('test').methodsIn('USD')).toEqual([...paymentMethods])
  })
})
