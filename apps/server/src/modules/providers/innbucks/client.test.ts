import type { AccountId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { test as base, describe, expect } from 'vitest'
import { startAnswerProxy } from '../../../../test/answer-proxy.ts'
import { controlledTimeouts } from '../../../../test/controlled-timeouts.ts'
import { startSimulator } from '../../../../test/simulator.ts'
import { plusMs } from '../../../platform/clock.ts'
import type { ChargeRequest, Reply } from '../connector.ts'
import { PROBE_TIMEOUT_MS } from '../http-transport.ts'
import { CALL_TIMEOUT_MS } from './client.ts'
import { configFor } from './fixtures.ts'
import { innbucksConnector } from './index.ts'

const accountId = 'mer_01jdw0000000000000000000aa' as AccountId
const chargeRequest: ChargeRequest = {
  accountId,
  key: 'key1',
  amount: money(1250n, 'USD'),
  method: 'innbucks',
  msisdn: null,
  email: null,
  description: 'Order <1001>',
  shopName: 'Shop',
  callbackUrl: 'http://127.0.0.1:9/hooks/innbucks/token',
  returnUrl: 'http://127.0.0.1:9/pay/token/return',
}

const test = base
  .extend('env', { scope: 'file' }, { SIMULATOR_SPEED: '1' })
  .extend('simulator', { scope: 'file' }, async ({ env }, { onCleanup }) => {
    const simulator = await startSimulator(env)
    onCleanup(() => simulator.stop())
    return simulator
  })
  .extend('world', async ({ simulator }, { onCleanup }) => {
    const proxy = await startAnswerProxy(simulator.url)
    onCleanup(() => proxy.close())
    let now = new Date('2026-11-20T09:15:30Z')
    const clock = { now: () => now }
    const config = configFor(`${proxy.url}/innbucks`)
    const connector = innbucksConnector(config, clock)
    return {
      proxy,
      config,
      clock,
      connector,
      advance: (ms: number) => {
        now = plusMs(now, ms)
      },
      order: (behaviour: object, code?: string) =>
        simulator.control('/control/innbucks/next', { behaviour, ...(code && { code }) }),
      revokeTokens: () => fetch(`${simulator.url}/control/innbucks/tokens`, { method: 'DELETE' }),
      charge: () => connector.charge(chargeRequest),
      lookup: ({ state }: Reply) => connector.lookup({ accountId, key: 'key1', msisdn: null, state }),
      /** The calls in their order, by the ends of their paths. */
      calls: () => proxy.seen.map(({ path }) => path.split('/').at(-1)),
    }
  })

describe('the token', () => {
  test('is cached until half a minute before its end', async ({ world }) => {
    const reply = await world.charge()
    await world.lookup(reply)
    world.advance(14 * 60_000 + 29_000)
    await world.lookup(reply)
    expect(world.calls()).toEqual(['third-party', 'generate', 'inquiry', 'inquiry'])
    world.advance(2000)
    await world.lookup(reply)
    expect(world.calls().slice(4)).toEqual(['third-party', 'inquiry'])
  })

  test('that is refused for a look-up is replaced once', async ({ world }) => {
    const reply = await world.charge()
    await world.revokeTokens()
    expect(await world.lookup(reply)).toMatchObject({ outcome: 'pending' })
    expect(world.calls().slice(2)).toEqual(['inquiry', 'third-party', 'inquiry'])
    await world.order({ inquiryReply: 'unauthorised' }, String(reply.state.code))
    await expect(world.lookup(reply)).rejects.toMatchObject({ kind: 'invalid', providerCode: '401' })
    expect(world.calls().slice(5)).toEqual(['inquiry', 'third-party', 'inquiry'])
  })

  test('that is refused for a code is replaced, and the request follows once more', async ({ world }) => {
    await world.charge()
    await world.revokeTokens()
    expect(await world.charge()).toMatchObject({ outcome: 'pending' })
    expect(world.calls().slice(2)).toEqual(['generate', 'third-party', 'generate'])
  })

  test('is shared by calls at the same time', async ({ world }) => {
    await Promise.all([world.charge(), world.charge(), world.charge()])
    expect(world.calls().filter((call) => call === 'third-party')).toHaveLength(1)
  })

  test('is requested again when the connection of the log-in breaks', async ({ world }) => {
    let broken = 0
    world.proxy.spoil(({ path }) => path.endsWith('/third-party') && broken++ === 0, {
      passesOn: false,
      answer: 'none',
    })
    expect(await world.charge()).toMatchObject({ outcome: 'pending' })
    expect(world.calls()).toEqual(['third-party', 'third-party', 'generate'])
  })

  test('is missing with wrong credentials, and no code is requested', async ({ world }) => {
    const { accounts } = world.config
    const USD = { ...accounts.USD, username: 'muripo-usd', apiKey: 'simulator-usd', password: 'secret-word' }
    const misconfigured = innbucksConnector({ ...world.config, accounts: { USD } }, world.clock)
    const error: Error = await misconfigured.charge(chargeRequest).catch((caught) => caught)
    expect(error).toMatchObject({ kind: 'invalid', neverSent: true })
    expect(`${error.message} ${JSON.stringify(error)} ${error.stack}`).not.toMatch(
      /secret-word|simulator-usd/,
    )
    expect(world.calls()).toEqual(['third-party'])
  })

  test.each([
    ['an error', { status: 500, type: 'application/json', text: '{}' }],
    ['HTML', { status: 200, type: 'text/html', text: '<html></html>' }],
    ['an approval without a token', { status: 200, type: 'application/json', text: '{"responseCode":"00"}' }],
    ['no answer', 'none'],
  ] as const)('is missing after %s: no code was requested', async (_name, answer) => {
    const simulator = await startSimulator()
    const proxy = await startAnswerProxy(simulator.url)
    proxy.spoil(({ path }) => path.endsWith('/third-party'), { passesOn: true, answer })
    const connector = innbucksConnector(configFor(`${proxy.url}/innbucks`), { now: () => new Date() })
    await expect(connector.charge(chargeRequest)).rejects.toMatchObject({ neverSent: true })
    expect(proxy.seen.some(({ path }) => path.endsWith('/generate'))).toBe(false)
    await proxy.close()
    await simulator.stop()
  })
})

describe('a code', () => {
  test('is requested in cents, in plain text, under the key of the attempt', async ({ world }) => {
    await world.charge()
    const sent = world.proxy.seen.at(-1)
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      reference: 'key1',
      narration: 'Order 1001',
      amount: 1250,
      type: 'PAYMENT',
    })
  })

  test.each([
    ['13', 'invalid'],
    ['96', 'unavailable'],
  ])('that is refused with %s: %s', async (generateRefusal, kind) => {
    const simulator = await startSimulator()
    await simulator.control('/control/innbucks/next', { behaviour: { generateRefusal } })
    const connector = innbucksConnector(configFor(`${simulator.url}/innbucks`), { now: () => new Date() })
    await expect(connector.charge(chargeRequest)).rejects.toMatchObject({
      kind,
      providerCode: generateRefusal,
    })
    await simulator.stop()
  })

  test('that an approval does not contain is missing', async ({ world }) => {
    await world.order({ generateForm: 'unapproved' })
    await expect(world.charge()).rejects.toMatchObject({ kind: 'unavailable', neverSent: false })
  })

  test('that arrives too late is ignored, and moved no money', async ({ world }) => {
    const timeouts = controlledTimeouts(CALL_TIMEOUT_MS)
    await world.order({ replyDelayMs: 60_000 })
    const charge = expect(world.charge()).rejects.toMatchObject({
      kind: 'unavailable',
      neverSent: false,
    })
    await expect.poll(world.calls).toEqual(['third-party', 'generate'])
    timeouts.expire(CALL_TIMEOUT_MS)
    await charge
  })
})

describe('a look-up', () => {
  test('has a reference of its own', async ({ world }) => {
    const reply = await world.charge()
    await world.lookup(reply)
    await world.lookup(reply)
    const references = world.proxy.seen.slice(2).map(({ body }) => JSON.parse(body).reference)
    expect(new Set(references).size).toBe(2)
  })

  test('without a known code makes no call', async ({ world }) => {
    const lookup = { accountId, key: 'key1', msisdn: null, state: null }
    expect(await world.connector.lookup(lookup)).toEqual({ kind: 'not_found' })
    expect(world.calls()).toEqual([])
  })

  test('of a code that cannot be located is not found, and any other refusal has no outcome', async ({
    world,
  }) => {
    const reply = await world.charge()
    const code = String(reply.state.code)
    await world.order({ inquiryReply: 'not_found' }, code)
    expect(await world.lookup(reply)).toEqual({ kind: 'not_found' })
    await world.order({ inquiryReply: 'failed' }, code)
    await expect(world.lookup(reply)).rejects.toMatchObject({ kind: 'unknown', providerCode: '96' })
  })
})

test('an account in one currency takes that currency only', async ({ world }) => {
  const { ZWG } = world.config.accounts
  const connector = innbucksConnector({ ...world.config, accounts: { ...(ZWG && { ZWG }) } }, world.clock)
  expect(connector.currencies).toEqual(['ZWG'])
  await expect(connector.charge(chargeRequest)).rejects.toMatchObject({ kind: 'invalid', neverSent: true })
  const reply = await connector.charge({ ...chargeRequest, amount: money(500n, 'ZWG') })
  expect(reply).toMatchObject({ outcome: 'pending', echo: money(500n, 'ZWG') })
})

test('the health is that of the address', async ({ world }) => {
  controlledTimeouts(PROBE_TIMEOUT_MS)
  expect(await world.connector.health?.()).toBe('operational')
  world.proxy.spoil(() => true, { passesOn: false, answer: 'none' })
  expect(await world.connector.health?.()).toBe('down')
})
