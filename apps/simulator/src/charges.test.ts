import { describe, expect, test } from 'vitest'
import { answer, begin, body, charge, query } from './testing.ts'

describe('a charge', () => {
  test.each([
    ['0000', 'completed'],
    ['1234', 'completed'],
    ['1111', 'failed'],
    ['2222', 'failed'],
    ['9999', 'failed'],
    ['4321', 'failed'],
  ])('PIN %s: %s', async (pin, status) => {
    const simulator = begin()
    await charge(simulator)
    expect((await answer(simulator, { pin })).json().status).toBe(status)
    expect((await answer(simulator, { pin: '0000' })).statusCode).toBe(409)
  })

  test('declined on the phone', async () => {
    const simulator = begin()
    await charge(simulator)
    await answer(simulator, { decline: true })
    expect((await query(simulator)).json()).toMatchObject({
      transactionOperationStatus: 'FAILED',
      statusMessage: 'Cancelled by the subscriber',
    })
  })

  test('left unanswered, it expires', async () => {
    const simulator = begin({ SIMULATOR_SPEED: '10000' })
    await charge(simulator)
    await expect
      .poll(async () => (await query(simulator)).json().statusMessage)
      .toBe('Prompt expired, no response from the subscriber')
  })

  test.each([
    ['263771111111', 'COMPLETED'],
    ['263782222222', 'COMPLETED'],
    ['263773333333', 'FAILED'],
    ['263774444444', 'FAILED'],
  ])('%s decides automatically: %s', async (endUserId, status) => {
    const simulator = begin({ SIMULATOR_SPEED: '1000' })
    await charge(simulator, body({ endUserId }))
    await expect
      .poll(async () => (await query(simulator, 'key1', endUserId)).json().transactionOperationStatus)
      .toBe(status)
  })

  test('the legacy form has its quirks', async () => {
    const simulator = begin()
    expect((await charge(simulator)).json()).toMatchObject({
      transactionOperationStatus: 'PENDING SUBSCRIBER VALIDATION',
      endUserId: '771000001',
      merchantNumber: '771000000',
      merchantPin: '0000',
      ecocashReference: null,
    })
    expect((await query(simulator)).json()).toMatchObject({
      endUserId: '771000000',
      merchantNumber: '771000001',
    })
    expect((await query(simulator, 'other')).json().clientCorrelator).toBeNull()
  })

  test('the portal form has its own', async () => {
    const simulator = begin({ SIMULATOR_VOCABULARY: 'portal' })
    expect((await charge(simulator)).json()).toMatchObject({
      status: 'PENDING',
      statusMessage: 'Transaction Successful',
    })
    expect((await query(simulator, 'other')).statusCode).toBe(404)
    const broke = await charge(simulator, body({ clientCorrelator: 'key2', endUserId: '263774444444' }))
    expect([broke.statusCode, broke.json().errorCode]).toEqual([422, 'E010'])
  })
})
