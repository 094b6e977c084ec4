import { expect } from 'vitest'
import { parseGatewayConfig } from '../src/gateway-config.ts'
import { latestAttempt, lookUpDue, makeAttempt, makePayment } from '../src/modules/payments/factory.ts'
import { readProviders, takeEnvironmentAccounts } from '../src/modules/providers/index.ts'
import { coordinatorOf } from '../src/platform/db/databases.ts'
import { test } from './fixtures.ts'
import { productionEnv } from './production-env.ts'
import { startSimulator } from './simulator.ts'

test('an open charge is looked up at its account, although the environment no longer has it', async ({
  world,
  shop,
  onTestFinished,
}) => {
  const simulator = await startSimulator()
  onTestFinished(() => simulator.stop())
  await simulator.order({ decision: { verdict: 'success', afterMs: 200_000 }, callback: 'lost' })
  const { ECOCASH_URL: _url, ...rest } = productionEnv
  const account = {
    ECOCASH_URL: `${simulator.url}/ecocash/payment/v1`,
    ECOCASH_USERNAME: 'muripo',
    ECOCASH_PASSWORD: 'simulator',
    ECOCASH_MERCHANT_CODE: '00001',
    ECOCASH_MERCHANT_PIN: '0000',
    ECOCASH_TEST_NUMBERS: '0771234567',
  }
  const bare = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('ECOCASH_')))
  /** A process that starts with these variables. */
  const start = async (env: Record<string, string>) => {
    const config = parseGatewayConfig({ ...env, MODE: 'test' })
    const accounts = {
      ...coordinatorOf(world.ctx),
      config: { ...config, ...world.ctx.config, mode: config.mode },
    }
    await takeEnvironmentAccounts(accounts)
    return { ...world.ctx, providers: await readProviders(accounts) }
  }
  const before = await start({ ...rest, ...account })
  const payment = await makePayment(before, shop.owner)
  expect(await makeAttempt(before, payment)).toMatchObject({ provider: 'ecocash', status: 'pending' })

  const after = await start({ ...bare, ROUTE_ECOCASH: 'none' })
  expect(after.providers.offeredIn('test').forMethod('ecocash', 'USD')).toBeNull()
  await expect
    .poll(async () => {
      world.ctx.clock.advance(60_000)
      await lookUpDue(after)
      return (await latestAttempt(world.ctx, payment)).status
    })
    .toBe('completed')
})
