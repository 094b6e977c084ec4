import { money } from '@muripo/contract/money'
import { describe, expect, test } from 'vitest'
import type { CaptureOrder } from '../src/modules/providers/connector.ts'
import type { ConnectorHarness } from './connector-harness.ts'
import {
  type Charged,
  type ConnectorUnderTest,
  lookupOf,
  resultOf,
  spoilings,
  stateOf,
} from './connector-under-test.ts'

/** An authorisation moves nothing before its instruction, and is captured or voided once. */
export function describeAuthorisations(
  name: string,
  under: ConnectorUnderTest,
  harness: ConnectorHarness,
): void {
  const { charge } = harness

  const { isInstruction } = under
  describe.runIf(isInstruction)(`an authorisation by ${name}`, () => {
    const part = money(1000n, 'USD')
    const wait = { kind: 'await' } as const
    const instructions = () => harness.proxy.seen.filter((call) => isInstruction?.(call)).length
    const instructed = ({ request, result }: Charged, capture: CaptureOrder) =>
      harness.connector.lookup({ ...lookupOf(request, stateOf(result)), capture })

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
        harness.proxy.spoil((call) => isInstruction?.(call) === true, spoiling)
        const result = await captured()
        expect(result.kind === 'reply' ? result.outcome : result.kind).not.toMatch(/^(failed|declined)$/)
        harness.proxy.restore()
        await expect.poll(captured).toMatchObject({ outcome: 'completed', echo: part })
      },
    )
  })
}
