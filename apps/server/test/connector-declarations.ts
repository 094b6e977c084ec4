import { money } from '@muripo/contract/money'
import { describe, expect, test } from 'vitest'
import type { ConnectorHarness } from './connector-harness.ts'
import { type ConnectorUnderTest, lookupOf, otherCurrencies } from './connector-under-test.ts'

/** The declarations of a connector are true. */
export function describeDeclarations(
  name: string,
  under: ConnectorUnderTest,
  harness: ConnectorHarness,
): void {
  const { charge, lookup, charges, paid } = harness

  describe(`the connector of ${name} declares`, () => {
    test('methods, currencies and times', () => {
      expect(harness.connector.methods).not.toEqual([])
      expect(harness.connector.currencies).not.toEqual([])
      expect(harness.connector.minPollMs).toBeGreaterThanOrEqual(1000)
      expect(harness.connector.attemptTtlMs).toBeGreaterThanOrEqual(60_000)
    })

    test('each method in each currency, and every other currency is refused before a call', async () => {
      for (const method of harness.connector.methods)
        for (const currency of harness.connector.currencies) {
          const charged = await charge(under.behaviours.paid, { method, amount: money(1250n, currency) })
          await expect.poll(() => lookup(charged)).toMatchObject({ outcome: 'completed' })
        }
      const sent = charges()
      for (const currency of otherCurrencies(harness.connector)) {
        const { result } = await charge(null, { amount: money(1250n, currency) })
        expect(result).toMatchObject({ kind: 'invalid', neverSent: true })
      }
      expect(charges()).toBe(sent)
    })

    test('which methods need the phone of the payer', async () => {
      for (const method of harness.connector.methods) {
        const needsPhone = harness.connector.needs(method).includes('phone')
        const { result } = await charge(needsPhone ? null : under.behaviours.paid, { method, msisdn: null })
        expect(result).toMatchObject(needsPhone ? { kind: 'invalid', neverSent: true } : { kind: 'reply' })
        if (needsPhone) expect(harness.connector.refuseNumber('2631', method)).not.toBeNull()
      }
    })

    test('whether the provider sends callbacks', async () => {
      await paid({ callbackUrl: `${harness.proxy.url}/hooks/provider/token` })
      const callbacks = () => harness.proxy.seen.filter(({ path }) => path.startsWith('/hooks/')).length
      if (harness.connector.callbackReply === undefined) return expect(callbacks()).toBe(0)
      expect(harness.connector.callbackReply.status).toBe(200)
      await expect.poll(callbacks).toBeGreaterThan(0)
    })

    test('a check of credentials, which makes no charge', async () => {
      await harness.connector.checkCredentials?.()
      expect(charges()).toBe(0)
    })

    test('whether it can authorise', () => {
      expect(typeof under.isInstruction).toBe(harness.connector.authorise ? 'function' : 'undefined')
      expect(harness.connector.authorise?.captureWithinMs ?? 1).toBeGreaterThan(0)
    })

    test('its way of refunds', () => {
      const expected = harness.connector.refund === 'manual' ? 'undefined' : 'function'
      expect([typeof harness.connector.refundCharge, typeof harness.connector.lookupRefund]).toEqual([
        expected,
        expected,
      ])
      expect(typeof under.isRefund).toBe(expected)
    })

    test('whether look-ups show what the provider takes back', async () => {
      const charged = await paid({ callbackUrl: `${harness.proxy.url}/hooks/provider/token` })
      const { amount } = charged.request
      const lookupNow = () => harness.connector.lookup(lookupOf(charged.request, charged.reply.state))
      const callbacks = () => harness.proxy.seen.filter(({ path }) => path.startsWith('/hooks/')).length
      if (harness.connector.callbackReply) await expect.poll(callbacks).toBeGreaterThan(0)
      const before = callbacks()
      await under.reverse?.(harness.simulator, charged)
      if (harness.connector.reversals === 'unreported') {
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

    test('whether look-ups show how much of a charge was refunded', async () => {
      const { refundOutside } = under
      if (refundOutside === undefined) return expect(harness.connector.returnedEcho).toBe('unknown')
      const charged = await paid()
      const { currency, minor } = charged.request.amount
      const afterRefund = async (part: number) => {
        await refundOutside(harness.simulator, charged, part)
        return harness.connector.lookup(lookupOf(charged.request, charged.reply.state))
      }
      const isTotal = harness.connector.returnedEcho === 'total'
      for (const [part, total] of [
        [500, 500n],
        [300, 800n],
      ] as const)
        expect(await afterRefund(part)).toMatchObject({
          outcome: expect.stringMatching(/^(reversed|refunded)$/),
          echo: money(isTotal ? total : minor, currency),
        })
    })
  })
}
