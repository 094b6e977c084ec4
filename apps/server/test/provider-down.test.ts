import { expect, onTestFinished } from 'vitest'
import { parseGatewayConfig } from '../src/gateway-config.ts'
import { createCheckout } from '../src/modules/checkout/checkout.ts'
import { makePayment } from '../src/modules/payments/factory.ts'
import type { Payment } from '../src/modules/payments/payment/payment.ts'
import { attemptsOf } from '../src/modules/payments/payment/store-attempts.ts'
import { gatewayAnswering, respond } from '../src/modules/providers/fixtures.ts'
import { createProviderCalls } from '../src/modules/providers/index.ts'
import { providersBuilder } from '../src/modules/providers/registry.ts'
import { coordinatorOf } from '../src/platform/db/databases.ts'
import { test as base } from './fixtures.ts'
import { startSimulator } from './simulator.ts'
import type { WorldCtx } from './world.ts'

const innbucks = {
  INNBUCKS_URL: 'http://127.0.0.1:9/innbucks',
  INNBUCKS_USD_API_KEY: 'simulator',
  INNBUCKS_USD_USERNAME: 'muripo',
  INNBUCKS_USD_PASSWORD: 'simulator',
}

const test = base
  .extend('simulator', { scope: 'file' }, async ({ world: _before }, { onCleanup }) => {
    const simulator = await startSimulator()
    onCleanup(() => simulator.stop())
    return simulator
  })
  .extend('scene', ({ world, shop, simulator }) => {
    /** A gateway whose EcoCash payments go to EcoCash and then to Paynow, and whose InnBucks payments to InnBucks alone. */
    async function gatewayWith(ecocashUrl: string) {
      const config = parseGatewayConfig({
        SIMULATOR_PORT: new URL(simulator.url).port,
        ECOCASH_URL: ecocashUrl,
        ...innbucks,
        ROUTE_ECOCASH: 'ecocash, paynow',
      })
      const calls = createProviderCalls(coordinatorOf(world.ctx), new Map())
      const providers = providersBuilder(
        config,
        world.ctx.clock,
        calls.guard,
      )({ accounts: [], routes: new Map() })
      const ctx: WorldCtx = { ...world.ctx, providers, lookupRoom: calls.room }
      const checkout = createCheckout(ctx)
      const payment = await makePayment(ctx, shop.owner)
      const token = ctx.checkoutLinks.tokenOf(payment.accountId, payment.id)
      return {
        payment,
        async methods() {
          const view = await checkout.view(token, '203.0.113.7')
          if (view === null || 'waitSeconds' in view) throw new Error('there is no page')
          return Object.fromEntries(view.methods.map(({ method, isDown }) => [method, isDown]))
        },
        /** Presses the button of the page, and waits for the replies of the providers. */
        async pay() {
          const form = new URLSearchParams({ method: 'ecocash', phone: '0771111111' })
          expect(await checkout.submit(token, form)).toBeNull()
          await ctx.backgroundTasks.drain()
        },
      }
    }
    const attempts = async (payment: Payment) =>
      (await attemptsOf(world.ctx.db.kysely, payment.accountId, payment.id)).map(
        ({ provider, status }) => `${provider} ${status}`,
      )
    return { gatewayWith, attempts }
  })

test('a method is shown as down when its only provider is, and not when it has another provider', async ({
  scene,
}) => {
  const { methods } = await scene.gatewayWith('http://127.0.0.1:9/ecocash')
  await methods()
  await expect.poll(methods).toMatchObject({ ecocash: false, innbucks: true })
})

test('another provider takes over when nothing was sent', async ({ scene }) => {
  const { payment, pay } = await scene.gatewayWith('http://127.0.0.1:9/ecocash')
  await pay()
  expect(await scene.attempts(payment)).toEqual(['paynow pending', 'ecocash failed'])
})

test('no other provider is called when the outcome is not known', async ({ scene }) => {
  const broken = await gatewayAnswering(respond(500, ''))
  onTestFinished(() => broken.close())
  const { payment, pay } = await scene.gatewayWith(broken.url)
  await pay()
  expect(await scene.attempts(payment)).toEqual(['ecocash unknown'])
})
