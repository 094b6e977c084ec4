import { money } from '@muripo/contract/money'
import { describe, expect, test } from 'vitest'
import type {
  Connector,
  ProviderState,
  RefundCalls,
  RefundRequest,
} from '../src/modules/providers/connector.ts'
import type { ConnectorHarness } from './connector-harness.ts'
import {
  type ConnectorUnderTest,
  freshKey,
  isEmpty,
  lookupOf,
  type Paid,
  resultOf,
  spoilings,
} from './connector-under-test.ts'

/** A refund has the outcome that the provider reports, and is sent once. */
export function describeRefunds(name: string, under: ConnectorUnderTest, harness: ConnectorHarness): void {
  const { paid } = harness

  const isRefund = under.isRefund
  if (isRefund === undefined) return

  describe(`a refund by ${name}`, () => {
    const calls = () => harness.connector as Connector & RefundCalls
    const refunds = () => harness.proxy.seen.filter(isRefund).length
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
      const parts = harness.connector.refund === 'api-partial' ? [1000n, 250n] : [1250n]
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
      harness.proxy.spoil(isRefund, spoiling)
      const isAccepted = under.emptyHasMeaning && isEmpty(spoiling)
      expect(await resultOf(calls().refundCharge(request))).toMatchObject(
        isAccepted ? { kind: 'reply', outcome: 'pending' } : { kind: 'unknown', neverSent: false },
      )
      expect(refunds()).toBe(1)
      harness.proxy.restore()
      if (under.noRefundLookup) {
        expect(await lookupRefund(request)).toMatchObject({ outcome: 'held' })
      } else if (spoiling.passesOn) {
        await expect.poll(() => lookupRefund(request)).toMatchObject({ outcome: 'completed' })
      } else expect(await lookupRefund(request)).toEqual({ kind: 'not_found' })
      expect(refunds()).toBe(1)
    })
  })
}
