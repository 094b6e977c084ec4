import { expect } from 'vitest'
import { parseGatewayConfig } from '../src/gateway-config.ts'
import { createCheckout } from '../src/modules/checkout/index.ts'
import { latestAttempt, lookUpDue, makeAttempt, makePayment } from '../src/modules/payments/factory.ts'
import { changeAccount, changeRoute, connectProviders } from '../src/modules/providers/index.ts'
import { operatorActor } from '../src/platform/audit/actor.ts'
import { coordinatorOf } from '../src/platform/db/databases.ts'
import { type Caller, makeCaller } from './app.ts'
import { test as base } from './fixtures.ts'
import { gatewayUrl } from './on-citus.ts'
import { startSimulator } from './simulator.ts'
import type { WorldCtx } from './world.ts'

/** `gateway` is two processes on one database. */
const test = base
  .extend('simulator', { scope: 'file' }, async ({ world: _before }, { onCleanup }) => {
    const simulator = await startSimulator({ SIMULATOR_ECOCASH_PASSWORD: 'simulator,first,second' })
    onCleanup(() => simulator.stop())
    return simulator
  })
  .extend('gateway', { scope: 'file' }, async ({ world, simulator }, { onCleanup }) => {
    const config = parseGatewayConfig({ SIMULATOR_PORT: new URL(simulator.url).port })
    const accounts = {
      ...coordinatorOf(world.ctx),
      config: { ...config, ...world.ctx.config, simulatorUrl: simulator.url },
    }
    const connect = async () => {
      const { providers, close } = await connectProviders(
        accounts,
        gatewayUrl(world.ctx.databaseUrl),
        (each) => each,
      )
      return { ...world.ctx, providers, close }
    }
    const processes = [await connect(), await connect()] as const
    onCleanup(async () => {
      for (const process of processes) await process.close()
    })
    const rotate = (variables: Record<string, string>, kind: 'set' | 'rotate') =>
      changeAccount(accounts, operatorActor('rudo', 'rudo@till'), {
        id: 'ecocash',
        change: { kind, variables },
        reason: 'The yearly change',
      })
    const connectors = () => processes.map(({ providers }) => providers.byId('ecocash'))

    async function useEverywhere(variables: Record<string, string>, kind: 'set' | 'rotate'): Promise<void> {
      const before = connectors()
      await rotate(variables, kind)
      await expect
        .poll(() => connectors().every((connector, index) => connector !== before[index]))
        .toBe(true)
    }
    return { accounts, processes, useEverywhere }
  })

test('a password that changes while payers pay fails no attempt, in any process', async ({
  world,
  shop,
  simulator,
  gateway: { processes, useEverywhere },
}) => {
  const pay = async (process: WorldCtx) => {
    const payment = await makePayment(process, shop.owner)
    await makeAttempt(process, payment)
    return payment
  }
  const others = processes.map(({ providers }) => providers.byId('paynow'))
  let isOver = false
  const payments: Awaited<ReturnType<typeof pay>>[] = []
  const payers = processes.map(async (process) => {
    while (!isOver) payments.push(...(await Promise.all([pay(process), pay(process)])))
  })
  const more = async () => {
    const before = payments.length
    await expect.poll(() => payments.length).toBeGreaterThan(before + 8)
  }
  const url = `${simulator.url}/ecocash/payment/v1`
  await useEverywhere({ ECOCASH_URL: url, ECOCASH_PASSWORD: 'first' }, 'set')
  for (const password of ['second', 'simulator', 'first']) {
    await more()
    await useEverywhere({ ECOCASH_PASSWORD: password }, 'rotate')
  }
  await more()
  isOver = true
  await Promise.all(payers)
  world.ctx.clock.advance(60_000)
  await lookUpDue(processes[0])
  for (const payment of payments) expect((await latestAttempt(world.ctx, payment)).failureReason).toBeNull()
  // The accounts of other providers keep their connectors.
  expect(processes.map(({ providers }) => providers.byId('paynow'))).toEqual(others)
})

test('a call in progress ends with the credentials that it began with, and its look-up has the present ones', async ({
  shop,
  simulator,
  gateway: {
    processes: [process],
    useEverywhere,
  },
}) => {
  await simulator.order({
    replyDelayMs: 1000,
    decision: { verdict: 'success', afterMs: 0 },
    callback: 'lost',
  })
  const payment = await makePayment(process, shop.owner)
  const attempt = makeAttempt(process, payment)
  await useEverywhere({ ECOCASH_PASSWORD: 'simulator' }, 'rotate')
  expect(await attempt).toMatchObject({
    provider: 'ecocash',
    status: expect.stringMatching(/pending|completed/),
  })
  // The process uses the new credentials: the provider refuses them.
  await useEverywhere({ ECOCASH_PASSWORD: 'wrong' }, 'rotate')
  const refused = await makePayment(process, shop.owner)
  expect(await makeAttempt(process, refused)).toMatchObject({ status: 'failed' })
})

test('a merchant with a route of its own is served by it, on the page and by the attempt, and no other merchant', async ({
  world,
  shop,
  gateway: {
    accounts,
    processes: [process],
    useEverywhere,
  },
}) => {
  const operator = operatorActor('rudo', 'rudo@till')
  const change = (method: 'ecocash' | 'visa', route: string) =>
    changeRoute(accounts, operator, { merchantId: special.merchantId, method, route, reason: 'A contract' })
  const special = await makeCaller(world.ctx)
  const offered = async (owner: Caller['owner']) => {
    const payment = await makePayment(process, owner)
    const token = process.checkoutLinks.tokenOf(payment.accountId, payment.id)
    const view = await createCheckout(process).view(token, '203.0.113.7')
    const methods = view && 'methods' in view ? view.methods.map(({ method }) => method) : []
    return [(await makeAttempt(process, payment)).provider, methods.includes('visa')]
  }
  await useEverywhere({ ECOCASH_PASSWORD: 'first' }, 'rotate')
  expect(await offered(special.owner)).toEqual(['ecocash', true])
  expect(await change('ecocash', 'ecocash-open, ecocash')).toBeNull()
  expect(await change('visa', 'none')).toBeNull()
  await expect.poll(() => offered(special.owner)).toEqual(['ecocash-open', false])
  expect(await offered(shop.owner)).toEqual(['ecocash', true])
  expect(await change('ecocash', 'default')).toBeNull()
  await expect.poll(() => offered(special.owner)).toEqual(['ecocash', false])
})
