import { afterAll, expect, test, vi } from 'vitest'
import { gatewayUrl } from '../../../test/on-citus.ts'
import { testCtx } from '../../../test/test-ctx.ts'
import { parseGatewayConfig } from '../../gateway-config.ts'
import { operatorActor } from '../../platform/audit/actor.ts'
import { changeAccount } from './actions/change-account.ts'
import { connectProviders, notifyProvidersChanged } from './live-providers.ts'
import { encryptSettings } from './stored-accounts.ts'

const ctx = await testCtx()
afterAll(() => ctx.close())

test('a stored account that cannot be built is logged once for each reason, and used as soon as it can be', async () => {
  const accounts = { ...ctx, config: { ...parseGatewayConfig({}), ...ctx.config } }
  const variables = { ECOCASH_URL: 'http://127.0.0.1:9', ECOCASH_PASSWORD: 'first' }
  const change = { kind: 'set', variables } as const
  await changeAccount(accounts, operatorActor('rudo', 'rudo@till'), { id: 'ecocash', change, reason: 'New' })
  /** The settings of another version of the gateway. */
  const store = async (version: number, stored: Record<string, string>, notifications: number) => {
    const settings = encryptSettings(ctx.keys, 'ecocash', version, stored)
    await ctx.db.pool.query('update provider_accounts set settings = $1, version = $2', [settings, version])
    for (let each = 0; each < notifications; each += 1) await ctx.db.tx(notifyProvidersChanged)
  }
  const errors = vi.spyOn(ctx.log, 'error')
  const reported = () =>
    errors.mock.calls.map(([logged]) => (logged as unknown as { err: Error }).err.message)
  const { providers, close } = await connectProviders(accounts, gatewayUrl(ctx.databaseUrl), (each) => each)
  try {
    const before = providers.byId('ecocash')
    await store(2, { ...variables, ECOCASH_URL: 'nonsense' }, 3)
    await expect.poll(reported).toHaveLength(1)
    // Readings run one after the other: the second reason is logged after the repetitions of the first one.
    await store(3, { ...variables, ECOCASH_REFUND_TYPE: 'ALL' }, 1)
    await expect
      .poll(reported)
      .toEqual([expect.stringContaining('ECOCASH_URL'), expect.stringContaining('ECOCASH_REFUND_TYPE')])
    expect(providers.byId('ecocash')).toBe(before)
    await store(4, { ...variables, ECOCASH_PASSWORD: 'second' }, 1)
    await expect.poll(() => providers.byId('ecocash') !== before).toBe(true)
    expect(reported()).toHaveLength(2)
  } finally {
    await close()
    errors.mockRestore()
  }
})
