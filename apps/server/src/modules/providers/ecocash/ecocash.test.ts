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
const lookup = (key: string) =>
  connector.lookup({ accountId: someMerchant, key, msisdn: '263771000001', state: null })

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

  test('a query without a reply', async () => {
    const { key, reply } = await charge({ queryReply: vocabulary === 'legacy' ? 'all_null' : 'not_found' })
    await reply
    expect(await lookup(key)).toEqual({ kind: 'not_found' })
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
})

test.each([{ password: 'wrong' }, { merchantPin: '9' }])('wrong credentials are invalid', async (change) => {
  const misconfigured = ecocashConnector(configFor(`${origin}/ecocash/payment/v1`, change))
  await expect(misconfigured.charge(chargeRequest({ key: freshKey() }))).rejects.toMatchObject({
    kind: 'invalid',
  })
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
