import type { AccountId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type {
  CaptureOrder,
  ChargeRequest,
  Connector,
  ProviderState,
  RefundCalls,
  RefundRequest,
  Reply,
} from '../src/modules/providers/connector.ts'
import { type AnswerProxy, startAnswerProxy } from './answer-proxy.ts'
import {
  type Charged,
  type ConnectorUnderTest,
  freshKey,
  isEmpty,
  lookupOf,
  ofLookup,
  otherCurrencies,
  type Paid,
  resultOf,
  spoilings,
  stateOf,
  TIMEOUT_MS,
} from './connector-under-test.ts'
import { type Simulator, startSimulator } from './simulator.ts'

/**
 * The rules that every connector keeps towards the engine, checked against the simulator of its provider: what is declared is so, an
 * outcome that is not known is never reported as a failure, and a call that moves money is sent once.
 */
export function describeConnector(name: string, under: ConnectorUnderTest): void {
  let simulator: Simulator
  let proxy: AnswerProxy
  /** A connector for each test: the failures of one do not open the breaker for the next. */
  let connector: Connector

  beforeAll(async () => {
    simulator = await startSimulator()
  })
  beforeEach(async () => {
    proxy = await startAnswerProxy(simulator.url)
    connector = under.connect(proxy.url, TIMEOUT_MS)
  })
  afterEach(() => proxy.close())
  afterAll(() => simulator.stop())

  const methodOf = () => under.charge?.method ?? connector.methods[0] ?? 'ecocash'
  const requestOf = (change: Partial<ChargeRequest> = {}): ChargeRequest => ({
    accountId: 'mer_01jdw0000000000000000000aa' as AccountId,
    key: freshKey(),
    amount: money(1250n, 'USD'),
    method: methodOf(),
    msisdn: connector.needs(change.method ?? methodOf()).includes('phone') ? '263771000001' : null,
    email: null,
    description: 'Order 1001',
    shopName: 'Shop',
    callbackUrl: 'http://127.0.0.1:9/hooks/provider/token',
    returnUrl: 'http://127.0.0.1:9/pay/token/return',
    ...under.charge,
    ...change,
  })

  /** @param behaviour null for a charge that does not reach the provider: an order would remain for the next one */
  async function charge(behaviour: object | null, change: Partial<ChargeRequest> = {}): Promise<Charged> {
    if (behaviour !== null) await under.order(simulator, behaviour)
    const request = requestOf(change)
    const charged = { request, result: await resultOf(connector.charge(request)) }
    if (charged.result.kind === 'reply')
      await under.continue?.(simulator, connector, charged, behaviour ?? {})
    return charged
  }
  const lookup = ({ request, result }: Charged) => connector.lookup(lookupOf(request, stateOf(result)))
  const charges = () => proxy.seen.filter(under.isCharge).length

  async function paid(change: Partial<ChargeRequest> = {}): Promise<Paid> {
    const charged = await charge(under.behaviours.paid, change)
    await expect.poll(() => lookup(charged)).toMatchObject({ outcome: 'completed' })
    const reply = (await lookup(charged)) as Reply
    return { request: charged.request, reply }
  }

  describe(`the connector of ${name} declares`, () => {
    test('methods, currencies and times', () => {
      expect(connector.methods).not.toEqual([])
      expect(connector.currencies).not.toEqual([])
      expect(connector.minPollMs).toBeGreaterThanOrEqual(1000)
      expect(connector.attemptTtlMs).toBeGreaterThanOrEqual(60_000)
    })

    test('each method in each currency, and every other currency is refused before a call', async () => {
      for (const method of connector.methods)
        for (const currency of connector.currencies) {
          const charged = await charge(under.behaviours.paid, { method, amount: money(1250n, currency) })
          await expect.poll(() => lookup(charged)).toMatchObject({ outcome: 'completed' })
        }
      const sent = charges()
      for (const currency of otherCurrencies(connector)) {
        const { result } = await charge(null, { amount: money(1250n, currency) })
        expect(result).toMatchObject({ kind: 'invalid', neverSent: true })
      }
      expect(charges()).toBe(sent)
    })

    test('which methods need the phone of the payer', async () => {
      for (const method of connector.methods) {
        const needsPhone = connector.needs(method).includes('phone')
        const { result } = await charge(needsPhone ? null : under.behaviours.paid, { method, msisdn: null })
        expect(result).toMatchObject(needsPhone ? { kind: 'invalid', neverSent: true } : { kind: 'reply' })
        if (needsPhone) expect(connector.refuseNumber('2631', method)).not.toBeNull()
      }
    })

    test('whether the provider sends callbacks', async () => {
      await paid({ callbackUrl: `${proxy.url}/hooks/provider/token` })
      const callbacks = () => proxy.seen.filter(({ path }) => path.startsWith('/hooks/')).length
      if (connector.callbackReply === undefined) return expect(callbacks()).toBe(0)
      expect(connector.callbackReply.status).toBe(200)
      await expect.poll(callbacks).toBeGreaterThan(0)
    })

    test('a check of credentials, which makes no charge', async () => {
      await connector.checkCredentials?.()
      expect(charges()).toBe(0)
    })

    test('whether it can authorise', () => {
      expect(typeof under.isInstruction).toBe(connector.authorise ? 'function' : 'undefined')
      expect(connector.authorise?.captureWithinMs ?? 1).toBeGreaterThan(0)
    })

    test('its way of refunds', () => {
      const expected = connector.refund === 'manual' ? 'undefined' : 'function'
      expect([typeof connector.refundCharge, typeof connector.lookupRefund]).toEqual([expected, expected])
      expect(typeof under.isRefund).toBe(expected)
    })

    test('whether look-ups show what the provider takes back', async () => {
      const charged = await paid({ callbackUrl: `${proxy.url}/hooks/provider/token` })
      const { amount } = charged.request
      const lookupNow = () => connector.lookup(lookupOf(charged.request, charged.reply.state))
      const callbacks = () => proxy.seen.filter(({ path }) => path.startsWith('/hooks/')).length
      if (connector.callbackReply) await expect.poll(callbacks).toBeGreaterThan(0)
      const before = callbacks()
      await under.reverse?.(simulator, charged)
      if (connector.reversals === 'unreported') {
        expect(await lookupNow()).toMatchObject({ outcome: 'completed', echo: amount })
        expect(callbacks()).toBe(before)
        return
      }
      expect(await lookupNow()).toMatchObject({
        outcome: expect.stringMatching(/^(reversed|refunded)$/),
        echo: amount,
      })
      await expect.poll(callbacks).toBeGreaterThan(before)
    })
  })

  describe(`a charge by ${name}`, () => {
    test('that is paid later is pending, then completed with amount and reference, and is sent once', async () => {
      const charged = await charge(under.behaviours.paid)
      expect(charged.result).toMatchObject({ kind: 'reply', outcome: 'pending', reason: null })
      await expect.poll(() => lookup(charged)).toMatchObject({ outcome: 'completed' })
      expect(await lookup(charged)).toMatchObject({
        outcome: 'completed',
        echo: charged.request.amount,
        providerReference: expect.stringMatching(/./),
        reason: null,
      })
      expect(charges()).toBe(1)
    })

    test.each(under.behaviours.refusals)(
      'refused (%s) fails for this reason',
      async (_name, order, reason) => {
        const charged = await charge(order)
        if (charged.result.kind === 'declined') {
          expect(charged.result.reason).toBe(reason)
          return
        }
        expect(charged.result.kind).toBe('reply')
        await expect.poll(() => lookup(charged)).toMatchObject({ outcome: 'failed', reason })
      },
    )

    test('without an end stays pending', async () => {
      const charged = await charge(under.behaviours.neverResolves)
      expect(charged.result).toMatchObject({ outcome: 'pending' })
      for (let index = 0; index < 3; index += 1)
        expect(await lookup(charged)).toMatchObject({ outcome: 'pending' })
    })

    test('of another amount is reported with that amount', async () => {
      const { behaviour, echo } = under.behaviours.wrongAmount
      const charged = await charge(behaviour)
      await expect.poll(() => lookup(charged)).toMatchObject({ outcome: 'completed', echo })
    })

    test('that failed and is paid later is completed', async () => {
      const charged = await charge(under.behaviours.paidAfterFailure)
      await expect.poll(() => lookup(charged)).toMatchObject({ outcome: 'failed' })
      await expect.poll(() => lookup(charged)).toMatchObject({ outcome: 'completed' })
    })

    test.runIf(under.behaviours.earlyCallback)(
      'whose callback overtakes the reply is completed',
      async () => {
        const charged = await charge(under.behaviours.earlyCallback ?? {})
        expect(charged.result.kind).toBe('reply')
        expect(await lookup(charged)).toMatchObject({ outcome: 'completed' })
      },
    )

    test.each(['Sxkz', 'OK', 'constructor', ''])('with the status word %j is pending', async (word) => {
      proxy.rewrite((text) => under.withStatus(text, word))
      const charged = await charge(under.behaviours.paid)
      const { result } = charged
      if (result.kind === 'reply') expect(result.outcome).toBe('pending')
      else expect(result.kind).toBe(under.lostCharge)
      await expect.poll(() => lookup(charged)).toMatchObject({ outcome: 'pending' })
    })

    test.each(spoilings)('answered with %s: not a failure, and not sent again', async (_name, spoiling) => {
      proxy.spoil(under.isCharge, spoiling)
      const { lost = under.behaviours.paid } = under.behaviours
      const charged = await charge(spoiling.passesOn ? lost : null)
      const isAccepted = under.emptyHasMeaning && isEmpty(spoiling)
      expect(charged.result).toMatchObject(
        isAccepted ? { kind: 'reply', outcome: 'pending' } : { kind: under.lostCharge, neverSent: false },
      )
      expect(charges()).toBe(1)
      proxy.restore()
      if (under.lostCharge === 'unavailable') {
        expect((await resultOf(lookup(charged))).kind).toBe('not_found')
        expect((await charge(under.behaviours.paid)).result).toMatchObject({ kind: 'reply' })
      } else if (under.noLostLookup) {
        expect(await resultOf(lookup(charged))).toMatchObject({ kind: 'unknown' })
        expect(charges()).toBe(1)
      } else if (spoiling.passesOn) {
        await expect.poll(() => lookup(charged)).toMatchObject({ outcome: 'completed' })
        expect(charges()).toBe(1)
      } else {
        expect(await lookup(charged)).toEqual({ kind: 'not_found' })
      }
    })

    test('to a provider that is not there is unavailable, and nothing was sent', async () => {
      await proxy.close()
      expect((await charge(null)).result).toMatchObject({ kind: 'unavailable', neverSent: true })
      proxy = await startAnswerProxy(simulator.url)
    })

    test.each(ofLookup)('whose look-up is answered with %s has no outcome yet', async (_name, spoiling) => {
      const charged = await charge(under.behaviours.paid)
      const sent = charges()
      proxy.spoil((call) => !under.isCharge(call), spoiling)
      const expected = under.emptyHasMeaning && isEmpty(spoiling) ? /^not_found$/ : /^(unknown|unavailable)$/
      expect((await resultOf(lookup(charged))).kind).toMatch(expected)
      proxy.restore()
      await expect.poll(() => lookup(charged)).toMatchObject({ outcome: 'completed' })
      expect(charges()).toBe(sent)
    })
  })

  const { isInstruction } = under
  describe.runIf(isInstruction)(`an authorisation by ${name}`, () => {
    const part = money(1000n, 'USD')
    const wait = { kind: 'await' } as const
    const instructions = () => proxy.seen.filter((call) => isInstruction?.(call)).length
    const instructed = ({ request, result }: Charged, capture: CaptureOrder) =>
      connector.lookup({ ...lookupOf(request, stateOf(result)), capture })

    async function authorised(): Promise<Charged> {
      const charged = await charge(under.behaviours.paid, { captureMode: 'manual' })
      await expect.poll(() => instructed(charged, wait)).toMatchObject({ outcome: 'authorized' })
      return charged
    }

    test('names the amount, and moves nothing before its instruction', async () => {
      const charged = await authorised()
      for (let index = 0; index < 3; index += 1)
        expect(await instructed(charged, wait)).toMatchObject({
          outcome: 'authorized',
          echo: charged.request.amount,
          providerReference: expect.stringMatching(/./),
        })
      expect(instructions()).toBe(0)
    })

    test('is captured once, in part, however many look-ups do so at the same time', async () => {
      const charged = await authorised()
      const capture = { kind: 'capture', amount: part } as const
      await Promise.allSettled(Array.from({ length: 4 }, () => instructed(charged, capture)))
      expect(await instructed(charged, capture)).toMatchObject({ outcome: 'completed', echo: part })
    })

    test('that is voided fails, and is not captured afterwards', async () => {
      const charged = await authorised()
      const voided = () => resultOf(instructed(charged, { kind: 'void' }))
      await expect.poll(voided).toMatchObject({ outcome: 'failed' })
      const capture = { kind: 'capture', amount: part } as const
      expect(await instructed(charged, capture)).toMatchObject({ outcome: 'failed' })
    })

    test.each(spoilings)(
      'whose capture is answered with %s is no failure, and is captured once',
      async (_name, spoiling) => {
        const charged = await authorised()
        const captured = () => resultOf(instructed(charged, { kind: 'capture', amount: part }))
        proxy.spoil((call) => isInstruction?.(call) === true, spoiling)
        const result = await captured()
        expect(result.kind === 'reply' ? result.outcome : result.kind).not.toMatch(/^(failed|declined)$/)
        proxy.restore()
        await expect.poll(captured).toMatchObject({ outcome: 'completed', echo: part })
      },
    )
  })

  const isRefund = under.isRefund
  if (isRefund === undefined) return

  describe(`a refund by ${name}`, () => {
    const calls = () => connector as Connector & RefundCalls
    const refunds = () => proxy.seen.filter(isRefund).length
    const refundOf = ({ request, reply }: Paid, minor: bigint): RefundRequest => ({
      accountId: request.accountId,
      key: freshKey(),
      amount: money(minor, request.amount.currency),
      originalKey: request.key,
      originalReference: reply.providerReference ?? '',
      originalState: reply.state,
      msisdn: request.msisdn,
      reason: 'Returned',
      callbackUrl: request.callbackUrl,
    })
    const lookupRefund = (request: RefundRequest, state: ProviderState | null = null) =>
      calls().lookupRefund({ ...lookupOf(request, state), originalKey: request.originalKey })

    test('is paid and found, in parts where the connector declares so', async () => {
      const original = await paid()
      const parts = connector.refund === 'api-partial' ? [1000n, 250n] : [1250n]
      for (const minor of parts) {
        const request = refundOf(original, minor)
        const reply = await calls().refundCharge(request)
        expect(reply).toMatchObject({ outcome: 'completed', echo: request.amount })
        const outcome = under.noRefundLookup ? 'held' : 'completed'
        expect(await lookupRefund(request, reply.state)).toMatchObject({ outcome })
      }
      expect(refunds()).toBe(parts.length)
    })

    test('of more than was paid does not complete', async () => {
      const result = await resultOf(calls().refundCharge(refundOf(await paid(), 1251n)))
      expect(result.kind === 'reply' ? result.outcome : result.kind).toMatch(
        /^(failed|invalid|declined|unknown)$/,
      )
    })

    test.each(spoilings)('answered with %s: unknown, and not sent again', async (_name, spoiling) => {
      const request = refundOf(await paid(), 1250n)
      proxy.spoil(isRefund, spoiling)
      const isAccepted = under.emptyHasMeaning && isEmpty(spoiling)
      expect(await resultOf(calls().refundCharge(request))).toMatchObject(
        isAccepted ? { kind: 'reply', outcome: 'pending' } : { kind: 'unknown', neverSent: false },
      )
      expect(refunds()).toBe(1)
      proxy.restore()
      if (under.noRefundLookup) {
        expect(await lookupRefund(request)).toMatchObject({ outcome: 'held' })
      } else if (spoiling.passesOn) {
        await expect.poll(() => lookupRefund(request)).toMatchObject({ outcome: 'completed' })
      } else expect(await lookupRefund(request)).toEqual({ kind: 'not_found' })
      expect(refunds()).toBe(1)
    })
  })
}
