import { describe, expect, test } from 'vitest'
import { begin, body, charge, next, post, query, wire } from './testing.ts'

describe('refunds', () => {
  async function paid(behaviour: object = {}) {
    const simulator = begin()
    await next(simulator, { behaviour: { decision: { verdict: 'success' }, ...behaviour } })
    const reference = (await charge(simulator)).json().ecocashReference as string
    const refund = (key: string, amount: number, originalEcocashReference = reference) =>
      post(
        simulator,
        `${wire}/transactions/refund`,
        body({ clientCorrelator: key, tranType: 'REF', originalEcocashReference }, amount),
      )
    return { simulator, refund }
  }

  test('refuses an excessive amount, an unknown charge and a refunded charge', async () => {
    const { refund } = await paid()
    expect((await refund('r1', 12.51)).statusCode).toBe(422)
    expect((await refund('r2', 12.5, 'MP000000.0000.A00000')).statusCode).toBe(404)
    expect((await refund('r3', 12.5)).json()).toMatchObject({
      transactionOperationStatus: 'COMPLETED',
      ecocashReference: expect.stringMatching(/^RF\d{6}\.\d{4}\.A\d{5}$/),
    })
    expect((await refund('r4', 1)).statusCode).toBe(409)
  })

  test('partial refunds add up to a refunded charge', async () => {
    const { simulator, refund } = await paid()
    await refund('r1', 10)
    expect((await query(simulator)).json().transactionOperationStatus).toBe('COMPLETED')
    await refund('r2', 2.5)
    expect((await query(simulator)).json().transactionOperationStatus).toBe('REFUNDED')
  })

  test.each([
    ['declined', 'FAILED'],
    ['pending', 'PENDING SUBSCRIBER VALIDATION'],
  ])('%s on order', async (refundMode, status) => {
    const { refund } = await paid({ refund: refundMode })
    expect((await refund('r1', 12.5)).json().transactionOperationStatus).toBe(status)
  })

  test('a charge that the wallet reverses is REVERSED and cannot be refunded', async () => {
    const { simulator, refund } = await paid()
    expect((await post(simulator, '/control/reversals/key1', {})).statusCode).toBe(204)
    expect((await query(simulator)).json()).toMatchObject({
      transactionOperationStatus: 'REVERSED',
      paymentAmount: { charginginformation: { amount: 12.5 } },
    })
    expect((await post(simulator, '/control/reversals/key1', {})).statusCode).toBe(409)
    expect((await refund('r1', 1)).statusCode).toBe(409)
  })

  test('a pending one completes later', async () => {
    const { simulator, refund } = await paid({ refund: 'pending', refundAfterMs: 20 })
    await refund('r1', 12.5)
    await expect
      .poll(async () => (await query(simulator, 'r1')).json().transactionOperationStatus)
      .toBe('COMPLETED')
  })
})
