import { money } from '@muripo/contract/money'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AnswerProxy, startAnswerProxy } from '../../../../test/answer-proxy.ts'
import { controlledTimeouts } from '../../../../test/controlled-timeouts.ts'
import { type Simulator, startSimulator } from '../../../../test/simulator.ts'
import type { ChargeRequest, Connector, Reply } from '../connector.ts'
import { chargeRequest } from '../fixtures.ts'
import { PROBE_TIMEOUT_MS } from '../http-transport.ts'
import { configFor } from './fixtures.ts'
import { paynowConnector } from './index.ts'

let simulator: Simulator
let proxy: AnswerProxy
let connector: Connector
beforeAll(async () => {
  simulator = await startSimulator()
})
beforeEach(async () => {
  proxy = await startAnswerProxy(simulator.url)
  connector = paynowConnector(configFor(`${proxy.url}/paynow`))
})
afterEach(() => proxy.close())
afterAll(() => simulator.stop())

let count = 0
const requestOf = (change: Partial<ChargeRequest> = {}) => {
  count += 1
  return chargeRequest({ key: `key${count}`, method: 'onemoney', msisdn: '263711000001', ...change })
}
const lookup = ({ accountId, key, msisdn }: ChargeRequest, state: Reply['state'] | null = null) =>
  connector.lookup({ accountId, key, msisdn, state })
const paths = () => proxy.seen.map(({ path }) => path.replace(/guid=.*/, 'guid='))

describe('a look-up', () => {
  test('calls the address of the status, and the trace when that address was lost', async () => {
    const request = requestOf()
    const { state } = await connector.charge(request)
    expect(await lookup(request, state)).toMatchObject({ outcome: 'pending', providerStatus: 'Sent' })
    expect(await lookup(request)).toMatchObject({ outcome: 'pending', state })
    expect(paths()).toEqual([
      '/paynow/interface/remotetransaction',
      '/paynow/Interface/CheckPayment/?guid=',
      '/paynow/interface/trace',
    ])
  })

  test('traces a lost charge in the integration of each currency', async () => {
    const request = requestOf({ amount: money(500n, 'ZWG') })
    await connector.charge(request)
    expect(await lookup(request)).toMatchObject({ outcome: 'pending', state: { currency: 'ZWG' } })
    expect(paths().filter((path) => path.endsWith('trace'))).toHaveLength(2)
  })

  test.each([
    'http://169.254.169.254/latest',
    'https://paynow.example/paynow/Interface/CheckPayment/?guid=1',
    'no address',
  ])('never calls %s, whatever the reply to the charge contains', async (pollUrl) => {
    await simulator.order({ paynow: { pollUrl } })
    const request = requestOf()
    const { state } = await connector.charge(request)
    expect(await lookup(request, state)).toMatchObject({ outcome: 'pending' })
    expect(paths().at(-1)).toBe('/paynow/interface/trace')
  })

  test('answered with an error or a wrong hash has no outcome: an error does not prove that there is no charge', async () => {
    for (const paynow of [{ error: 'Transaction not found' }, { hash: 'wrong' }, { hash: 'missing' }]) {
      const request = requestOf()
      const { state } = await connector.charge(request)
      await simulator.order({ paynow }, request.key)
      await expect(lookup(request, state)).rejects.toMatchObject({ kind: 'unknown' })
      await expect(lookup(request)).rejects.toMatchObject({ kind: 'unknown' })
    }
  })

  test.each([
    ['Disputed', 'reversed'],
    ['Refunded', 'refunded'],
    ['Awaiting Delivery', 'completed'],
    ['Delivered', 'completed'],
    ['Suspended', 'pending'],
  ])('reports the status %s as %s', async (status, outcome) => {
    await simulator.order({ paynow: { status } })
    const request = requestOf()
    const { state } = await connector.charge(request)
    const echo = money(1250n, 'USD')
    expect(await lookup(request, state)).toMatchObject({ outcome, echo, providerStatus: status })
  })
})

describe('a charge', () => {
  test('whose reply has a wrong hash is unknown, and is found by the trace', async () => {
    await simulator.order({ paynow: { hash: 'wrong' } })
    const request = requestOf()
    await expect(connector.charge(request)).rejects.toMatchObject({ kind: 'unknown', neverSent: false })
    await simulator.order({ paynow: {} }, request.key)
    expect(await lookup(request)).toMatchObject({ outcome: 'pending' })
  })

  test('with the key of another one is unknown: the first one may have been delivered twice', async () => {
    const request = requestOf()
    await connector.charge(request)
    await expect(connector.charge(request)).rejects.toMatchObject({ kind: 'unknown' })
  })

  test('with wrong credentials is invalid, under HTTP 200', async () => {
    const config = configFor(`${proxy.url}/paynow`)
    const unknown = paynowConnector({ ...config, integrations: { USD: { id: '7', key: 'a' } } })
    await expect(unknown.charge(requestOf())).rejects.toMatchObject({ kind: 'invalid' })
    const forger = paynowConnector({ ...config, integrations: { USD: { id: '1201', key: 'a' } } })
    await expect(forger.charge(requestOf())).rejects.toMatchObject({ kind: 'invalid' })
  })

  test('is without an outcome in its own reply, and leads to a code, a page or the phone', async () => {
    expect((await connector.charge(requestOf())).next).toEqual({ type: 'wait_for_push' })
    const { next: code } = await connector.charge(requestOf({ method: 'innbucks', msisdn: null }))
    expect(code).toMatchObject({ type: 'show_code', code: expect.stringMatching(/^\d{9}$/) })
    const { next: page } = await connector.charge(requestOf({ method: 'visa', msisdn: null }))
    expect(page).toMatchObject({
      type: 'redirect',
      url: expect.stringContaining(`${proxy.url}/paynow/Payment/`),
    })
  })
})

test('a number of another network is refused, except a test number in test mode', () => {
  const live = paynowConnector(configFor('https://www.paynow.co.zw', { testMode: false }))
  const refusal = 'Please enter a OneMoney number (071)'
  expect(live.refuseNumber('263711234567', 'onemoney')).toBeNull()
  expect(live.refuseNumber('263771234567', 'onemoney')?.message).toBe(refusal)
  expect(live.refuseNumber('263771111111', 'onemoney')?.message).toBe(refusal)
  expect(live.refuseNumber('263711234567', 'ecocash')?.message).toBe(
    'Please enter an EcoCash number (077 or 078)',
  )
  expect(connector.refuseNumber('263771111111', 'onemoney')).toBeNull()
  expect(connector.refuseNumber('263711111111', 'onemoney')).toBeNull()
  expect(connector.refuseNumber('263771234567', 'onemoney')?.message).toBe(refusal)
})

test('an account for tests prompts no number but the four of Paynow', () => {
  const testNumbers = ['077 111 1111', '077 222 2222']
  const trial = paynowConnector(configFor('https://www.paynow.co.zw', { testNumbers }))
  expect(trial.refuseNumber('263771111111', 'onemoney')).toBeNull()
  expect(trial.refuseNumber('263711234567', 'onemoney')?.message).toBe(
    'A test key accepts test numbers only: 077 111 1111, 077 222 2222',
  )
})

test('the health is read without credentials', async () => {
  controlledTimeouts(PROBE_TIMEOUT_MS)
  expect(await connector.health?.()).toBe('operational')
  expect(proxy.seen).toEqual([{ method: 'GET', path: '/paynow', body: '' }])
  await proxy.close()
  expect(await connector.health?.()).toBe('down')
  proxy = await startAnswerProxy(simulator.url)
})
