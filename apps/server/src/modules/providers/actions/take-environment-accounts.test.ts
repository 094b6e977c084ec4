import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { auditEntriesOn } from '../../../../test/audit-entries.ts'
import { keysOf, testMasterKey } from '../../../../test/master-key.ts'
import { gatewayUrl } from '../../../../test/on-citus.ts'
import { productionEnv } from '../../../../test/production-env.ts'
import { makeTerminal } from '../../../../test/terminal.ts'
import { type TestCtx, testCtx } from '../../../../test/test-ctx.ts'
import { checkProviders } from '../../../admin/doctor/check-providers.ts'
import { createGateway } from '../../../gateway.ts'
import { parseGatewayConfig } from '../../../gateway-config.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { createLog } from '../../../platform/log.ts'
import { connectProviders, readProviders } from '../live-providers.ts'
import { encryptSettings } from '../stored-accounts.ts'
import { type AccountChange, changeAccount } from './change-account.ts'
import { checkAccount } from './check-account.ts'
import { listAccounts } from './list-accounts.ts'
import { takeEnvironmentAccounts } from './take-environment-accounts.ts'

const secret = 'pass-canary-4d1f'
const env = {
  ...productionEnv,
  MURIPO_MASTER_KEY: testMasterKey.toString('base64'),
  ECOCASH_PASSWORD: secret,
  ECOCASH_URL: `https://user:${secret}@wallet.example/payment/v1`,
}
const paynow = {
  PAYNOW_EMAIL: 'shop@example.com',
  PAYNOW_USD_ID: '7001',
  PAYNOW_USD_KEY: secret,
  PAYNOW_LIMITS: 'USD 1-500',
}

let ctx: TestCtx
const lines: string[] = []
beforeEach(async () => {
  ctx = await testCtx()
  lines.length = 0
})
afterEach(async () => {
  expect(lines.join('\n')).not.toContain(secret)
  await ctx.close()
})

const processOf = (variables: Record<string, string | undefined>) => ({
  ...ctx,
  log: createLog('info', { write: (line) => void lines.push(line) }),
  config: { ...ctx.config, ...parseGatewayConfig(variables) },
})
/** A start with these variables; returns the logged messages. */
async function start(variables: Record<string, string | undefined>): Promise<string[]> {
  const before = lines.length
  await takeEnvironmentAccounts(processOf(variables))
  return lines.slice(before).map((line) => JSON.parse(line).msg)
}
const change = (variables: Record<string, string>, id: string, change: AccountChange) =>
  changeAccount(processOf(variables), operatorActor('rudo', 'rudo@till'), { id, change, reason: 'New' })
const rows = async () =>
  (await ctx.db.pool.query('select xmin, * from provider_accounts order by id')).rows as {
    id: string
    version: number
    environment_version: number | null
    settings: Buffer
  }[]
const versions = async () =>
  (await rows()).map(({ id, version, environment_version }) => [id, version, environment_version])
const servedBy = async (variables: Record<string, string | undefined>) => {
  const providers = await readProviders(processOf(variables))
  const offer = providers.offeredIn('live')
  const served = (['ecocash', 'onemoney'] as const).map((method) => offer.forMethod(method, 'USD')?.id)
  return [...served, providers.has('paynow')]
}

describe('the first start', () => {
  test('stores the accounts of the environment encrypted, and the second one writes nothing', async () => {
    const both = { ...env, ...paynow }
    expect(await start(both)).toEqual([
      'accounts of the environment: ecocash at https://wallet.example (taken), paynow at https://www.paynow.co.zw (taken)',
    ])
    const first = await rows()
    expect(await versions()).toEqual([
      ['ecocash', 1, 1],
      ['paynow', 1, 1],
    ])
    expect(first.map(({ settings }) => settings.toString('latin1')).join()).not.toContain(secret)
    expect(await auditEntriesOn(ctx, 'paynow')).toMatchObject([
      {
        action: 'provider.account_set',
        actor: 'environment',
        details: { version: 1, variables: Object.keys(paynow).toSorted() },
      },
    ])
    expect(JSON.stringify(await auditEntriesOn(ctx, 'paynow'))).not.toContain(secret)
    expect(await start(both)).toEqual([
      'accounts of the environment: ecocash at https://wallet.example, paynow at https://www.paynow.co.zw',
    ])
    expect(await rows()).toEqual(first)
  })

  test('of several processes at once writes each account once, and each change once', async () => {
    for (const version of [1, 2]) {
      const variables = { ...paynow, ...env, ECOCASH_PASSWORD: `${secret} ${version}` }
      await Promise.all(Array.from({ length: 4 }, () => takeEnvironmentAccounts(processOf(variables))))
      expect(await versions()).toEqual([
        ['ecocash', version, version],
        ['paynow', 1, 1],
      ])
      expect(await auditEntriesOn(ctx, 'ecocash')).toHaveLength(version)
    }
  })

  test('stores nothing of the simulator, and nothing when a route cannot use an account', async () => {
    expect(await start({})).toEqual([])
    await expect(start({ ...env, ...paynow, ROUTE_ECOCASH_ZWG: 'paynow' })).rejects.toThrow(
      'ROUTE_ECOCASH_ZWG names paynow, which does not serve ecocash in ZWG',
    )
    expect(await rows()).toEqual([])
  })

  test('takes an account that an operator has disabled before, and leaves it disabled', async () => {
    await change(env, 'ecocash', { kind: 'disable' })
    await start(env)
    expect(await versions()).toEqual([['ecocash', 1, 1]])
    expect(await servedBy(env)).toEqual([undefined, undefined, false])
  })

  test('of a whole gateway takes them, and says so', async () => {
    const config = parseGatewayConfig({
      MURIPO_MASTER_KEY: env.MURIPO_MASTER_KEY,
      DATABASE_URL: gatewayUrl(ctx.databaseUrl),
      ROLE: 'worker',
      ...paynow,
    })
    const log = createLog('info', { write: (line) => void lines.push(line) })
    const gateway = await createGateway(config, log, gatewayUrl(ctx.databaseUrl), async () => '')
    await gateway.stop()
    expect(lines.join()).toContain('accounts of the environment: paynow at http://127.0.0.1:3001')
    expect(await versions()).toEqual([['paynow', 1, 1]])
  })
})

describe('a later start', () => {
  test('stores a changed variable, and the other processes use it', async () => {
    await start(env)
    const running = await connectProviders(processOf(env), gatewayUrl(ctx.databaseUrl), (each) => each)
    try {
      const before = running.providers.byId('ecocash')
      expect(await start({ ...env, ECOCASH_PASSWORD: 'next' })).toEqual([
        'accounts of the environment: ecocash at https://wallet.example (changed)',
      ])
      expect(await versions()).toEqual([['ecocash', 2, 2]])
      await expect.poll(() => running.providers.byId('ecocash') !== before).toBe(true)
      const [, entry] = await auditEntriesOn(ctx, 'ecocash')
      expect(entry).toMatchObject({ details: { version: 2, variables: ['ECOCASH_PASSWORD'] } })
    } finally {
      await running.close()
    }
  })

  test('takes another account under the same name, and warns that its charges move', async () => {
    await start(env)
    expect(await start({ ...env, ECOCASH_MERCHANT_CODE: '2' })).toContainEqual(
      expect.stringContaining('ecocash: MERCHANT_CODE is no longer 1;'),
    )
  })

  test("leaves an operator's settings, and warns that the variables are ignored", async () => {
    await start(env)
    await change(env, 'ecocash', { kind: 'rotate', variables: { ECOCASH_PASSWORD: 'operated' } })
    const before = await rows()
    for (let each = 0; each < 2; each += 1)
      expect(await start(env)).toEqual([
        expect.stringContaining('ecocash: its variables in the environment are ignored'),
      ])
    const { dataDir, remove } = makeTerminal(ctx.databaseUrl)
    const place = { DATABASE_URL: gatewayUrl(ctx.databaseUrl), MURIPO_DATA: dataDir }
    expect(await checkProviders(parseGatewayConfig({ ...env, ...place }))).toContainEqual({
      check: 'provider ecocash',
      state: 'warning',
      text: expect.stringMatching(/^its variables in the environment are ignored/),
    })
    remove()
    expect(await rows()).toEqual(before)
    expect(await start({ ...env, ECOCASH_PASSWORD: 'operated' })).toEqual([
      expect.stringContaining('accounts of the environment: ecocash'),
    ])
    expect(await rows()).toEqual(before)
  })

  test('disables an account that the environment no longer has, and enables it when it is there again', async () => {
    await start({ ...env, ...paynow })
    expect(await start(env)).toContainEqual(
      expect.stringMatching(/^paynow: it takes no new payment, .*still looked up/),
    )
    expect(await servedBy(env)).toEqual(['ecocash', undefined, true])
    // A process of the earlier environment ends with its account.
    expect(await servedBy({ ...env, ...paynow })).toEqual(['ecocash', 'paynow', true])
    await expect(change(env, 'paynow', { kind: 'enable' })).rejects.toThrow(
      'The environment no longer has the variables of paynow',
    )
    const before = await rows()
    await start(env)
    expect(await rows()).toEqual(before)
    await start({ ...env, ...paynow })
    expect(await servedBy(env)).toEqual(['ecocash', 'paynow', true])
    expect((await auditEntriesOn(ctx, 'paynow')).map(({ action }) => action)).toEqual([
      'provider.account_set',
      'provider.account_disabled',
      'provider.account_enabled',
    ])
  })

  test('keeps the accounts without variables when accounts are in the database', async () => {
    await start({ ...env, ...paynow })
    const { ECOCASH_URL: _, ...rest } = productionEnv
    const bare = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('ECOCASH_')))
    const stored = { ...bare, PROVIDER_ACCOUNTS: 'database' }
    expect(await start(stored)).toEqual([])
    expect(await servedBy(stored)).toEqual(['ecocash', 'paynow', true])
  })

  test('in development without variables has the account of the simulator again', async () => {
    await start(paynow)
    expect(await start({})).toEqual([])
    const [listed] = (await listAccounts(processOf({}))).filter(({ id }) => id === 'paynow')
    expect(listed).toMatchObject({ origin: 'simulator', version: null, state: 'enabled' })
    const connector = (await readProviders(processOf({}))).offeredIn('test').forMethod('onemoney', 'ZWG')
    expect(connector?.id).toBe('paynow')
  })

  test('with another master key stops, and changes nothing', async () => {
    await start(env)
    const before = await rows()
    const other = { ...processOf({ ...env, ECOCASH_PASSWORD: 'next' }), keys: keysOf(Buffer.alloc(32, 7)) }
    await expect(takeEnvironmentAccounts(other)).rejects.toThrow(
      'The stored settings of the account ecocash cannot be decrypted: its master key is missing',
    )
    expect(await rows()).toEqual(before)
  })
})

test('the database refuses settings of the environment that are newer than the row', async () => {
  const settings = encryptSettings(ctx.keys, 'ecocash', 1, {})
  await expect(
    ctx.db.pool.query(
      `insert into provider_accounts (id, version, settings, changed_at, environment_version)
       values ('ecocash', 1, $1, now(), 2)`,
      [settings],
    ),
  ).rejects.toThrow('provider_accounts_environment_version')
})

test('the list names every account with its origin, state and last check, in 80 columns and without secrets', async () => {
  const unreachable = { ...env, ECOCASH_URL: `https://user:${secret}@127.0.0.1:9` }
  const shop = { PAYNOW_EMAIL: 'b@example.com', PAYNOW_ZWG_ID: '7002', PAYNOW_ZWG_KEY: secret }
  await start({ ...unreachable, ...paynow })
  await change(unreachable, 'paynow-shop', { kind: 'set', variables: shop })
  await change(unreachable, 'paynow-shop', { kind: 'disable' })
  await start(unreachable)
  expect(await checkAccount(processOf(unreachable), 'ecocash')).toMatchObject({ kind: 'unclear' })
  const { adminIn, remove } = makeTerminal(ctx.databaseUrl)
  const { code, output } = await adminIn(unreachable)('providers', 'list')
  remove()
  expect(code).toBe(0)
  expect(output).not.toContain(secret)
  expect(output.split('\n').filter((line) => line.length > 80)).toEqual([])
  const accounts = output.split('\n\n').map((each) => each.replace(/\d+ days? ago/g, 'N days ago'))
  expect(accounts).toEqual([
    [
      'ecocash',
      '  Name      EcoCash',
      '  Payments  live',
      '  Methods   ecocash in USD, ZWG',
      '  Settings  of the environment, version 1',
      '  Status    enabled',
      '  Changed   N days ago',
      '  Checked   N days ago: the provider did not answer as expected',
    ].join('\n'),
    expect.stringMatching(
      /^paynow\n.*of the environment, version 1\n.*not in the environment any more.*never$/s,
    ),
    expect.stringMatching(/^paynow-shop\n.*of the database, version 1\n.*disabled by an operator.*never$/s),
    expect.stringMatching(/^simulator\n.*Payments {2}test\n.*built in/s),
    expect.stringMatching(/^simulator-cards\n/),
  ])
})
