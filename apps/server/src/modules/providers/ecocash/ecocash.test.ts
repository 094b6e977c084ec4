import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { money } from '@muripo/contract/money'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connector, RefundCalls, Reply } from '../connector.ts'
import { chargeRequest, refundRequest, someMerchant } from '../fixtures.ts'
import { configFor } from './fixtures.ts'
import { ecocashConnector } from './index.ts'

const main = fileURLToPath(new URL('../../../../../simulator/src/main.ts', import.meta.url))
const data = mkdtempSync(join(tmpdir(), 'ecocash-'))
let simulator: ChildProcess
let origin: string
let connector: Connector & RefundCalls

beforeAll(async () => {
  simulator = fork(main, {
    silent: true,
    execArgv: [],
    env: { ...process.env, SIMULATOR_PORT: '0', SIMULATOR_SPEED: '100', MURIPO_DATA: data },
  })
  origin = await new Promise<string>((resolve, reject) => {
    simulator.once('exit', (code) => reject(new Error(`The simulator ended with ${code}`)))
    simulator.stdout?.once('data', (line: Buffer) => resolve(/http:\S+/.exec(line.toString())?.[0] ?? ''))
  })
  connector = ecocashConnector(configFor(`${origin}/ecocash/payment/v1`))
})

afterAll(async () => {
  const gone = once(simulator, 'exit')
  simulator.disconnect()
  await gone
  rmSync(data, { recursive: true, force: true })
})

let count = 0
const freshKey = (): string => {
  count += 1
  return `key${count}`
}

async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.ok).toBe(true)
}
const order = (behaviour: object) => post('/control/next', { behaviour })
const enter = (key: string, answer: object) => post(`/phone/prompts/${key}`, answer)
const lookup = (key: string, msisdn = '263771000001', of = connector) =>
  of.lookup({ accountId: someMerchant, key, msisdn, state: null })

const vocabularies = ['legacy', 'portal'] as const

describe.each(vocabularies)('in the %s vocabulary', (vocabulary) => {
  async function charge(behaviour: object = {}): Promise<{ key: string; reply: Promise<Reply> }> {
    const key = freshKey()
    await order({ vocabulary, ...behaviour })
    return { key, reply: connector.charge(chargeRequest({ key })) }
  }

  async function paid(behaviour: object = {}) {
    const { key, reply } = await charge({ decision: { verdict: 'success' }, ...behaviour })
    const { providerReference, state } = await reply
    return { key, originalReference: providerReference ?? '', originalState: state }
  }

  const lookupRefund = (key: string, originalKey: string) =>
    connector.lookupRefund({ accountId: someMerchant, key, originalKey, msisdn: '263771000001', state: null })

  test.each([
    ['1111', 'insufficient_funds'],
    ['2222', 'wrong_pin'],
    ['9999', 'limit_exceeded'],
    ['5555', 'wrong_pin'],
  ])('PIN %s fails as %s', async (pin, reason) => {
    const { key, reply } = await charge()
    expect((await reply).outcome).toBe('pending')
    await enter(key, { pin })
    expect(await lookup(key)).toMatchObject({ outcome: 'failed', reason })
  })

  test('declined on the phone', async () => {
    const { key, reply } = await charge()
    await reply
    await enter(key, { decline: true })
    expect(await lookup(key)).toMatchObject({ outcome: 'failed', reason: 'user_cancelled' })
  })

  test('left to expire', async () => {
    const { key, reply } = await charge({ decision: { verdict: 'expired' } })
    await reply
    expect(await lookup(key)).toMatchObject({ outcome: 'failed', reason: 'expired' })
  })

  test('no money: failed in the body, or refused with E010', async () => {
    const { key, reply } = await charge({ decision: { verdict: 'insufficient_funds' } })
    if (vocabulary === 'legacy') {
      expect(await reply).toMatchObject({ outcome: 'failed', reason: 'insufficient_funds' })
    } else {
      await expect(reply).rejects.toMatchObject({ kind: 'declined', reason: 'insufficient_funds' })
    }
    expect(await lookup(key)).toMatchObject({ outcome: 'failed' })
  })

  test('paid: the reply echoes the request', async () => {
    const { key, reply } = await charge()
    expect(await reply).toMatchObject({ outcome: 'pending', echo: money(1250n, 'USD') })
    await enter(key, { pin: '0000' })
    expect(await lookup(key)).toMatchObject({
      outcome: 'completed',
      echo: money(1250n, 'USD'),
      providerReference: expect.stringMatching(/^MP/),
    })
  })

  test('a wrong amount is passed on as reported', async () => {
    const { key } = await paid({ echoAmount: 1 })
    expect(await lookup(key)).toMatchObject({ outcome: 'completed', echo: money(100n, 'USD') })
  })

  test.each(['drop', 'error_after', 'html'])('reply lost (%s): unknown, and found', async (chargeReply) => {
    const { key, reply } = await charge({ chargeReply, decision: { verdict: 'success' } })
    await expect(reply).rejects.toMatchObject({ kind: 'unknown' })
    expect(await lookup(key)).toMatchObject({ outcome: 'completed' })
  })

  test.each(['drop_before', 'error_before', 'html_before'])(
    'request lost (%s): unknown, and not found',
    async (chargeReply) => {
      const { key, reply } = await charge({ chargeReply })
      await expect(reply).rejects.toMatchObject({ kind: 'unknown' })
      expect(await lookup(key)).toEqual({ kind: 'not_found' })
    },
  )

  test('a query without a reply', async () => {
    const { key, reply } = await charge({ queryReply: vocabulary === 'legacy' ? 'all_null' : 'not_found' })
    await reply
    expect(await lookup(key)).toEqual({ kind: 'not_found' })
  })

  test('a failed charge that is paid after all', async () => {
    const { key, reply } = await charge({ decision: { verdict: 'cancelled' }, lateSuccessAfterMs: 300_000 })
    expect((await reply).outcome).toBe('failed')
    await expect.poll(() => lookup(key)).toMatchObject({ outcome: 'completed' })
  })

  test('the same key twice: unknown, to be looked up', async () => {
    const { key } = await paid()
    await expect(connector.charge(chargeRequest({ key }))).rejects.toMatchObject({ kind: 'unknown' })
  })

  test('refunds: partial, and never more than remains', async () => {
    const original = await paid()
    const refund = (minor: bigint, key = freshKey()) =>
      connector.refundCharge(refundRequest({ ...original, key, amount: money(minor, 'USD') }))
    // Only the portal has a code for an excessive amount; a sentence alone is not trusted.
    const kind = vocabulary === 'portal' ? 'invalid' : 'unknown'
    await expect(refund(1251n)).rejects.toMatchObject({ kind })
    const key = freshKey()
    expect(await refund(1000n, key)).toMatchObject({
      outcome: 'completed',
      echo: money(1000n, 'USD'),
      providerReference: expect.stringMatching(/^RF/),
    })
    const again = {
      accountId: someMerchant,
      key,
      msisdn: '263771000001',
      state: null,
      originalKey: original.key,
    }
    expect(await connector.lookupRefund(again)).toMatchObject({ outcome: 'completed' })
    await refund(250n)
    expect(await lookup(original.key)).toMatchObject({ outcome: 'refunded' })
  })

  test.each([
    ['pending', 'pending'],
    ['declined', 'failed'],
  ])('a %s refund', async (refund, outcome) => {
    const original = await paid({ refund })
    const key = freshKey()
    expect(await connector.refundCharge(refundRequest({ ...original, key }))).toMatchObject({ outcome })
    expect(await lookupRefund(key, original.key)).toMatchObject({ outcome })
  })

  test('a conflicting refund: unknown, and not found', async () => {
    const original = await paid({ refund: 'conflict' })
    const key = freshKey()
    await expect(connector.refundCharge(refundRequest({ ...original, key }))).rejects.toMatchObject({
      kind: 'unknown',
    })
    expect(await lookupRefund(key, original.key)).toEqual({ kind: 'not_found' })
  })

  test('a refund whose reply is lost is found', async () => {
    const original = await paid({ refundReply: 'drop' })
    const key = freshKey()
    await expect(connector.refundCharge(refundRequest({ ...original, key }))).rejects.toMatchObject({
      kind: 'unknown',
    })
    expect(await lookupRefund(key, original.key)).toMatchObject({ outcome: 'completed' })
  })
})

test.each([{ password: 'wrong' }, { merchantPin: '9' }])('wrong credentials are invalid', async (change) => {
  const misconfigured = ecocashConnector(configFor(`${origin}/ecocash/payment/v1`, change))
  await expect(misconfigured.charge(chargeRequest({ key: freshKey() }))).rejects.toMatchObject({
    kind: 'invalid',
  })
})

test.each([
  ['263771111111', 'completed'],
  ['263782222222', 'completed'],
  ['263773333333', 'failed'],
  ['263774444444', 'failed'],
])('%s: %s automatically', async (msisdn, outcome) => {
  const key = freshKey()
  await connector.charge(chargeRequest({ accountId: someMerchant, key, msisdn }))
  await expect.poll(() => lookup(key, msisdn)).toMatchObject({ outcome })
})

test('only EcoCash numbers are accepted', () => {
  expect(connector.refuseNumber('263711000001', 'ecocash')?.message).toBe(
    'Please enter an EcoCash number (077 or 078)',
  )
  expect(connector.refuseNumber('0771000001', 'ecocash')).not.toBeNull()
  expect(connector.refuseNumber('263771000001', 'ecocash')).toBeNull()
  expect(connector.refuseNumber('263781000001', 'ecocash')).toBeNull()
})

test('a test account prompts its numbers alone, in any notation', () => {
  const testing = ecocashConnector({
    ...configFor('https://sandbox.example'),
    testNumbers: ['077 111 1111', '+263782222222'],
  })
  expect(testing.refuseNumber('263771111111', 'ecocash')).toBeNull()
  expect(testing.refuseNumber('263782222222', 'ecocash')).toBeNull()
  expect(testing.refuseNumber('263771234567', 'ecocash')?.message).toBe(
    'A test key accepts test numbers only: 077 111 1111, +263782222222',
  )
  expect(testing.refuseNumber('263711000001', 'ecocash')?.message).toBe(
    'Please enter an EcoCash number (077 or 078)',
  )
})
