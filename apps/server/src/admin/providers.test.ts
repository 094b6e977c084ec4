import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { MerchantId } from '@muripo/contract/ids'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditEntriesOn } from '../../test/audit-entries.ts'
import { testMasterKey } from '../../test/master-key.ts'
import { productionEnv } from '../../test/production-env.ts'
import { type Simulator, startSimulator } from '../../test/simulator.ts'
import { terminalOf } from '../../test/terminal.ts'
import { testCtx } from '../../test/test-ctx.ts'
import { parseGatewayConfig } from '../gateway-config.ts'
import { makeMerchant } from '../modules/identity/factory.ts'
import { readProviders } from '../modules/providers/index.ts'

const ctx = await testCtx()
afterAll(() => ctx.close())
const { adminIn, dataDir } = terminalOf(ctx.databaseUrl)
const env = { ...productionEnv, MURIPO_MASTER_KEY: testMasterKey.toString('base64') }
const admin = adminIn(env)
const because = ['--reason', 'The yearly change'] as const

const shop = `
# of the second shop
PAYNOW_EMAIL=shop@example.com
export PAYNOW_USD_ID=7001
PAYNOW_USD_KEY="a key with = and # signs"
`
const give = (text: string) => adminIn(env, text)
const read = () => readProviders({ ...ctx, config: { ...ctx.config, ...parseGatewayConfig(env) } })
const row = async (id: string) =>
  (await ctx.db.pool.query('select * from provider_accounts where id = $1', [id])).rows[0]

describe('an account that an operator sets', () => {
  test('is stored encrypted, listed with masked secrets, and audited without them', async () => {
    const { code, output } = await give(shop)('providers', 'set', 'paynow-shop', ...because)
    expect([code, output]).toEqual([0, expect.stringContaining('paynow-shop has version 1')])
    expect((await row('paynow-shop')).settings.toString('latin1')).not.toMatch(/a key with|7001/)
    expect((await admin('providers', 'show', 'paynow-shop')).output).toMatch(
      /^paynow-shop\n {2}Name +Paynow \(shop\)\n.*version 1\n.*PAYNOW_USD_ID +7001\n {2}PAYNOW_USD_KEY +\*{8}$/s,
    )
    expect((await admin('providers', 'list')).output).toMatch(
      /^ecocash\n.*of the environment.*paynow-shop\n/s,
    )
    const [entry] = await auditEntriesOn(ctx, 'paynow-shop')
    expect(entry).toMatchObject({
      action: 'provider.account_set',
      actor: 'till',
      details: {
        reason: 'The yearly change',
        version: 1,
        variables: ['PAYNOW_EMAIL', 'PAYNOW_USD_ID', 'PAYNOW_USD_KEY'],
      },
    })
    expect((await read()).byId('paynow-shop')).toMatchObject({ name: 'Paynow (shop)', currencies: ['USD'] })
  })

  test('gets new values of some variables from a file, and keeps the other ones', async () => {
    writeFileSync(path.join(dataDir, 'new'), 'PAYNOW_USD_KEY=other')
    const rotated = await adminIn({ ...env, INIT_CWD: dataDir })(
      ...(['providers', 'rotate', 'paynow-shop', '--from', 'new'] as const),
      ...because,
    )
    expect([rotated.code, rotated.output]).toEqual([0, expect.stringContaining('version 2')])
    expect((await admin('providers', 'show', 'paynow-shop')).output).toContain('PAYNOW_USD_ID   7001')
  })

  test.each([
    [
      'paynow-shop',
      'PAYNOW_USD_ID=7002',
      'paynow-shop is the account with USD_ID 7001: give another account a name',
    ],
    ['paynow-shop', 'PAYNOW_KEY=1', 'paynow-shop has no variable PAYNOW_KEY. Its variables are PAYNOW_URL,'],
    ['paynow-shop', 'PAYNOW_URL=http://paynow.example', 'PAYNOW_URL must start with https:// in production'],
    ['paynow-shop', 'PAYNOW_USD_KEY=', 'No variable has a value'],
    ['paynow-shop', 'hidden secret', 'Line 1 of the variables is not NAME=value.'],
    ['pesepay', 'PESEPAY_URL=https://pesepay.example', 'The settings of pesepay are not in the database'],
    ['stripe', 'STRIPE_KEY=1', '"stripe" is not the name of an account'],
  ])('%s refuses %s', async (id, text, refusal) => {
    const { code, output } = await give(text)('providers', 'rotate', id, ...because)
    expect(code).not.toBe(0)
    expect(output).toContain(refusal)
    expect(output).not.toContain('hidden secret')
    expect((await row(id))?.version).toBe(id === 'paynow-shop' ? 2 : undefined)
  })

  test('is set completely, and not by options of the command', async () => {
    const part = 'PAYNOW_EMAIL=shop@example.com'
    expect((await give(part)('providers', 'set', 'paynow-3', ...because)).output).toContain(
      'PAYNOW_USD_ID is missing',
    )
    expect((await admin('providers', 'set', 'paynow-3', ...because)).output).toContain('on standard input')
    expect((await admin('providers', 'show', 'paynow-3')).output).toContain('There is no account paynow-3')
  })

  test('replaces the one of the environment only if it is the same account', async () => {
    const ecocash = (code: string) =>
      ['URL=https://wallet.example', 'USERNAME=u', 'PASSWORD=q', `MERCHANT_CODE=${code}`]
        .concat('MERCHANT_PIN=1', 'MERCHANT_NUMBER=771000000')
        .map((line) => `ECOCASH_${line}`)
        .join('\n')
    expect((await give(ecocash('2'))('providers', 'set', 'ecocash', ...because)).output).toContain(
      'ecocash is the account with MERCHANT_CODE 1',
    )
    expect((await give(ecocash('1'))('providers', 'set', 'ecocash', ...because)).code).toBe(0)
    expect((await admin('providers', 'show', 'ecocash')).output).toContain('of the database, version 1')
  })

  test('is refused without what a route of the deployment needs', async () => {
    const routed = adminIn(
      { ...env, ROUTE_VISA_USD: 'paynow-shop' },
      'PAYNOW_ZWG_ID=1\nPAYNOW_ZWG_KEY=k\nPAYNOW_EMAIL=a@b.example',
    )
    const { code, output } = await routed('providers', 'set', 'paynow-zwg', ...because)
    expect([code, output]).toEqual([0, expect.stringContaining('version 1')])
    const wrong = adminIn({ ...env, ROUTE_VISA_USD: 'paynow-zwg' }, 'PAYNOW_ZWG_KEY=k2')
    expect(await wrong('providers', 'rotate', 'paynow-zwg', ...because)).toEqual({
      code: 1,
      output: 'Nothing has changed: ROUTE_VISA_USD names paynow-zwg, which does not serve visa in USD.',
    })
  })

  test('takes no new payment once it is disabled, and still looks up its charges', async () => {
    const routed = async () => {
      const providers = await read()
      return [providers.has('ecocash'), providers.offeredIn('live').forMethod('ecocash', 'USD')?.id]
    }
    expect(await routed()).toEqual([true, 'ecocash'])
    expect((await admin('providers', 'disable', 'ecocash', ...because)).code).toBe(0)
    expect(await routed()).toEqual([true, undefined])
    expect((await admin('providers', 'disable', 'ecocash', ...because)).output).toContain('disabled already')
    expect((await admin('providers', 'enable', 'ecocash', ...because)).code).toBe(0)
    expect(await routed()).toEqual([true, 'ecocash'])
    expect((await admin('providers', 'disable', 'pesepay', ...because)).output).toContain(
      'There is no account',
    )
  })
})

describe('a route of one merchant', () => {
  test('is set, listed, audited and removed', async () => {
    const { merchantId, email } = await makeMerchant(ctx)
    const route = (...args: readonly string[]) => admin('providers', 'route', email, ...args, ...because)
    const served = async (id?: MerchantId) => {
      const offer = (await read()).offeredIn('live', id)
      return (['USD', 'ZWG'] as const).map((currency) =>
        offer.routeOf('ecocash', currency).map((each) => each.id),
      )
    }
    expect((await route('ecocash', 'paynow-shop,ecocash')).code).toBe(0)
    expect((await route('ecocash', 'none', '--currency', 'ZWG')).code).toBe(0)
    expect((await admin('providers', 'routes', email)).output).toBe(
      `${merchantId}\n  ecocash         paynow-shop, ecocash\n  ecocash in ZWG  none`,
    )
    expect(await served(merchantId)).toEqual([['paynow-shop', 'ecocash'], []])
    expect(await served()).toEqual([['ecocash'], ['ecocash']])
    expect(await auditEntriesOn(ctx, merchantId)).toMatchObject([
      { action: 'merchant.route_changed', details: { method: 'ecocash', route: 'paynow-shop,ecocash' } },
      { action: 'merchant.route_changed', details: { currency: 'ZWG', route: 'none' } },
    ])
    expect((await route('ecocash', 'default')).code).toBe(0)
    expect(await served(merchantId)).toEqual([['ecocash'], []])
  })

  test.each([
    [['ecocash', 'paynow-none'], 'The route names paynow-none, which has no settings. Nothing has changed.'],
    [['onemoney', 'ecocash'], 'The route names ecocash, which does not serve onemoney. Nothing has changed.'],
    [['visa', 'paynow-shop', '--currency', 'ZWG'], 'paynow-shop, which does not serve visa in ZWG'],
    [['visa', 'paynow-test'], 'paynow-test, which is for test keys: name paynow'],
    [['cash', 'paynow'], 'METHOD is one of'],
    [['visa', 'paynow', '--currency', 'JPY'], '--currency is one of'],
  ])('is refused: %j', async (args, refusal) => {
    const { email, merchantId } = await makeMerchant(ctx)
    const { code, output } = await admin('providers', 'route', email, ...args, ...because)
    expect([code === 0, output]).toEqual([false, expect.stringContaining(refusal)])
    expect((await admin('providers', 'routes', email)).output).toBe(`${merchantId} has no routes of its own.`)
  })
})

describe('a check of the credentials', async () => {
  const other = await testCtx()
  afterAll(() => other.close())
  const { adminIn } = terminalOf(other.databaseUrl)
  let simulator: Simulator
  beforeAll(async () => {
    simulator = await startSimulator()
  })
  afterAll(() => simulator.stop())

  test.each([
    ['ecocash', 'ECOCASH_PASSWORD'],
    ['ecocash-open', 'ECOCASH_OPEN_API_KEY'],
    ['innbucks', 'INNBUCKS_USD_PASSWORD'],
    ['mastercard', 'MASTERCARD_PASSWORD'],
    ['paynow', 'PAYNOW_USD_KEY'],
  ])('of %s is accepted, and with a wrong %s refused', async (id, secret) => {
    const at = (change: object) =>
      adminIn({
        MURIPO_MASTER_KEY: env.MURIPO_MASTER_KEY,
        SIMULATOR_PORT: new URL(simulator.url).port,
        ...change,
      })
    expect(await at({})('providers', 'check', id)).toEqual({
      code: 0,
      output: `The provider accepts the credentials of ${id}, and refuses wrong ones.`,
    })
    const trial = { ...simulatedWith(id, secret, simulator.url) }
    const { code, output } = await at(trial)('providers', 'check', id)
    expect([code, output]).toEqual([1, expect.stringMatching(/refuses the credentials/)])
  })

  test('of Pesepay does not exist', async () => {
    const { output } = await adminIn({ MURIPO_MASTER_KEY: env.MURIPO_MASTER_KEY })(
      'providers',
      'check',
      'pesepay',
    )
    expect(output).toContain('has no call that checks credentials')
  })
})

/** The simulated account of a provider with one wrong secret. */
function simulatedWith(id: string, secret: string, url: string): Record<string, string> {
  const accounts: Readonly<Record<string, Record<string, string>>> = {
    ecocash: {},
    'ecocash-open': {},
    innbucks: {
      INNBUCKS_URL: `${url}/innbucks`,
      INNBUCKS_USD_USERNAME: 'muripo-usd',
      INNBUCKS_USD_API_KEY: 'simulator-usd',
    },
    mastercard: { MASTERCARD_URL: `${url}/mastercard`, MASTERCARD_MERCHANT_ID: 'TESTMURIPO' },
    paynow: {},
  }
  return { ...accounts[id], [secret]: 'wrong' }
}
