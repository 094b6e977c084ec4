import { describe, expect, test } from 'vitest'
import type { ConnectorHarness } from './connector-harness.ts'
import { type ConnectorUnderTest, isEmpty, ofLookup, resultOf, spoilings } from './connector-under-test.ts'

/** A charge has the outcome that the provider reports, and is sent once. */
export function describeCharges(name: string, under: ConnectorUnderTest, harness: ConnectorHarness): void {
  const { charge, lookup, charges } = harness

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
      const outcomes = new Set<string>()
      // On a slow machine the charge may be paid before a look-up finds the failure: another one follows.
      while (!outcomes.has('failed')) {
        const charged = await charge(under.behaviours.paidAfterFailure)
        const outcomeNow = async () => {
          const found = await lookup(charged)
          return found.kind === 'reply' ? found.outcome : found.kind
        }
        await expect
          .poll(async () => {
            const outcome = await outcomeNow()
            outcomes.add(outcome)
            return outcome
          })
          .toBe('completed')
      }
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
      harness.proxy.rewrite((text) => under.withStatus(text, word))
      const charged = await charge(under.behaviours.paid)
      const { result } = charged
      if (result.kind === 'reply') expect(result.outcome).toBe('pending')
      else expect(result.kind).toBe(under.lostCharge)
      await expect.poll(() => lookup(charged)).toMatchObject({ outcome: 'pending' })
    })

    test.each(spoilings)('answered with %s: not a failure, and not sent again', async (_name, spoiling) => {
      harness.proxy.spoil(under.isCharge, spoiling)
      const { lost = under.behaviours.paid } = under.behaviours
      const charged = await charge(spoiling.passesOn ? lost : null)
      const isAccepted = under.emptyHasMeaning && isEmpty(spoiling)
      expect(charged.result).toMatchObject(
        isAccepted ? { kind: 'reply', outcome: 'pending' } : { kind: under.lostCharge, neverSent: false },
      )
      expect(charges()).toBe(1)
      harness.proxy.restore()
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
      await harness.proxy.close()
      expect((await charge(null)).result).toMatchObject({ kind: 'unavailable', neverSent: true })
      await harness.restartProxy()
    })

    test.each(ofLookup)('whose look-up is answered with %s has no outcome yet', async (_name, spoiling) => {
      const charged = await charge(under.behaviours.paid)
      const sent = charges()
      harness.proxy.spoil((call) => !under.isCharge(call), spoiling)
      const expected = under.emptyHasMeaning && isEmpty(spoiling) ? /^not_found$/ : /^(unknown|unavailable)$/
      expect((await resultOf(lookup(charged))).kind).toMatch(expected)
      harness.proxy.restore()
      await expect.poll(() => lookup(charged)).toMatchObject({ outcome: 'completed' })
      expect(charges()).toBe(sent)
    })
  })
}
