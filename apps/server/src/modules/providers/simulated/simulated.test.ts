import { AccountId } from '@muripo/contract/ids'
import type { PaymentMethod } from '@muripo/contract/payments'
import { describe, expect, test } from 'vitest'
import { systemIds } from '../../../platform/ids.ts'
import type { CaptureOrder, ChargeRequest, Connector, ProviderState, Reply } from '../connector.ts'
import { simulatedConnectors } from './index.ts'

const startedAt = Date.parse('2026-11-26T08:00:00Z')
const amount = { minor: 1250n, currency: 'USD' } as const
const accountId = systemIds.next(AccountId)
const key = '01jdm8k3v5e0e0080004jr5tw5'

/** The connectors of another process, at a time after the start. */
const connectorFor = (method: PaymentMethod, afterMs = 0): Connector => {
  const clock = { now: () => new Date(startedAt + afterMs) }
  const found = simulatedConnectors(clock as never).find(({ methods }) => methods.includes(method))
  if (!found) throw new Error(`a connector serves ${method}`)
  return found
}

const chargeOf = (method: PaymentMethod, msisdn: string | null = null): ChargeRequest => ({
  accountId,
  key,
  amount,
  method,
  msisdn,
  email: null,
  description: 'Order 1001',
  shopName: 'Shop',
  callbackUrl: 'https://pay.example/callbacks/simulator/x',
  returnUrl: 'https://pay.example/pay/token/return',
})

const charge = (method: PaymentMethod, msisdn?: string) =>
  connectorFor(method).charge(chargeOf(method, msisdn))
const lookup = (
  method: PaymentMethod,
  state: ProviderState | null,
  afterMs: number,
  capture?: CaptureOrder,
) =>
  connectorFor(method, afterMs).lookup({ accountId, key, msisdn: null, state, ...(capture && { capture }) })
const choose = (method: PaymentMethod, { state }: Reply, choice: string, afterMs = 1000, isOver = false) =>
  connectorFor(method, afterMs).proceed?.({
    accountId,
    key,
    msisdn: null,
    state,
    choice,
    isOver,
    browser: {} as never,
  })

describe.each(['ecocash', 'onemoney'] as const)('a prompt by %s', (method) => {
  const network = method === 'ecocash' ? '77' : '71'
  test.each([
    ['1111111', 4999, 5000, { outcome: 'completed', echo: amount }],
    ['2222222', 29_999, 30_000, { outcome: 'completed', echo: amount }],
    ['3333333', 29_999, 30_000, { outcome: 'failed', reason: 'user_cancelled' }],
    ['4444444', null, 0, { outcome: 'failed', reason: 'insufficient_funds' }],
  ] as const)('to …%s', async (number, openAt, endAt, end) => {
    const { state, next } = await charge(method, `263${network}${number}`)
    expect(next).toEqual({ type: 'wait_for_push' })
    if (openAt !== null) expect(await lookup(method, state, openAt)).toMatchObject({ outcome: 'pending' })
    expect(await lookup(method, state, endAt)).toMatchObject(end)
    expect(await lookup(method, state, 40 * 24 * 60 * 60_000)).toMatchObject(end)
  })

  test('reaches test numbers of its own wallet only', () => {
    const { refuseNumber, testNumbers } = connectorFor(method)
    expect(refuseNumber(`263${network}1111111`, method)).toBeNull()
    for (const msisdn of [`263${network}1234567`, `263${network === '77' ? '71' : '77'}1111111`])
      expect(refuseNumber(msisdn, method)).not.toBeNull()
    expect(testNumbers).toHaveLength(8)
  })
})

describe.each(['innbucks', 'visa'] as const)('a payment by %s', (method) => {
  test('waits at a page below the payment’s, on which the payer chooses the result', async () => {
    const opened = await charge(method)
    const page = 'https://pay.example/pay/token/simulator'
    expect(opened).toMatchObject({
      outcome: 'pending',
      next:
        method === 'visa' ? { type: 'redirect', url: page } : { type: 'show_code', links: [{ url: page }] },
    })
    expect(await lookup(method, opened.state, 60_000)).toMatchObject({ outcome: 'pending' })
    expect(await choose(method, opened, 'pay')).toMatchObject({ outcome: 'completed', echo: amount })
    const refused = (await choose(method, opened, 'no_funds')) as Reply
    expect(refused).toMatchObject({ outcome: 'failed', reason: 'insufficient_funds' })
    expect(await choose(method, refused, 'pay')).toMatchObject({
      outcome: 'failed',
      reason: 'insufficient_funds',
    })
    expect(await choose(method, opened, 'cancel')).toMatchObject({
      outcome: 'failed',
      reason: 'user_cancelled',
    })
    for (const choice of ['', 'constructor', 'PAY'])
      expect(await choose(method, opened, choice)).toMatchObject({ outcome: 'pending' })
  })

  test('expires without a choice, and is paid neither afterwards nor after its attempt has ended', async () => {
    const opened = await charge(method)
    const late = 15 * 60_000 + 1
    expect(await lookup(method, opened.state, late)).toMatchObject({ outcome: 'failed', reason: 'expired' })
    expect(await choose(method, opened, 'pay', late)).toMatchObject({ outcome: 'failed', reason: 'expired' })
    expect(await choose(method, opened, 'pay', 1000, true)).toMatchObject({ outcome: 'pending' })
  })
})

test('a card is authorised, and captured in part or voided', async () => {
  const opened = await charge('visa')
  const paid = (await choose('visa', opened, 'pay')) as Reply
  const order = (capture: CaptureOrder) => lookup('visa', paid.state, 5000, capture)
  expect(await order({ kind: 'await' })).toMatchObject({ outcome: 'authorized', echo: amount })
  expect(await order({ kind: 'void' })).toMatchObject({ outcome: 'failed' })
  const part = { minor: 500n, currency: 'USD' } as const
  const captured = (await order({ kind: 'capture', amount: part })) as Reply
  expect(captured).toMatchObject({ outcome: 'completed', echo: part })
  expect(await lookup('visa', captured.state, 9000)).toMatchObject({ outcome: 'completed', echo: part })
})

test('a charge without a recorded answer is not found, and so is a refund', async () => {
  expect(await lookup('visa', null, 0)).toEqual({ kind: 'not_found' })
  const { refundCharge, lookupRefund } = connectorFor('ecocash')
  const refund = {
    accountId,
    key,
    amount,
    originalKey: key,
    originalReference: 'R',
    originalState: {},
    msisdn: null,
  }
  const made = await refundCharge?.({ ...refund, reason: 'Returned', callbackUrl: 'https://pay.example/x' })
  expect(made).toMatchObject({ outcome: 'completed', echo: amount })
  const look = (state: ProviderState | null) => lookupRefund?.({ ...refund, state })
  expect(await look(made?.state ?? null)).toMatchObject({ outcome: 'completed', echo: amount })
  expect(await look(null)).toEqual({ kind: 'not_found' })
})
