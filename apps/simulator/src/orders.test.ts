import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { begin, body, charge, next, post, query } from './testing.ts'

describe('orders', () => {
  test('an order for a number precedes one for any, and each is used up', async () => {
    const simulator = begin()
    await next(simulator, { behaviour: { chargeReply: 'error_before' } })
    await next(simulator, { msisdn: '0771000001', behaviour: { chargeReply: 'html' } })
    expect((await charge(simulator)).headers['content-type']).toContain('text/html')
    expect((await query(simulator)).json().clientCorrelator).toBe('key1')
    expect((await charge(simulator, body({ clientCorrelator: 'key2' }))).statusCode).toBe(500)
    expect((await query(simulator, 'key2')).json().clientCorrelator).toBeNull()
    expect((await charge(simulator, body({ clientCorrelator: 'key3' }))).statusCode).toBe(200)
  })

  test('queries are broken as often as ordered', async () => {
    const simulator = begin()
    await next(simulator, { behaviour: { queryReply: 'all_null', queryTimes: 1 } })
    await charge(simulator)
    expect((await query(simulator)).json().clientCorrelator).toBeNull()
    expect((await query(simulator)).json().clientCorrelator).toBe('key1')
  })

  test('a failed charge is paid late', async () => {
    const simulator = begin()
    const decision = { verdict: 'cancelled' }
    await next(simulator, { behaviour: { decision, lateSuccessAfterMs: 50 } })
    expect((await charge(simulator)).json().transactionOperationStatus).toBe('FAILED')
    await expect
      .poll(async () => (await query(simulator)).json().transactionOperationStatus)
      .toBe('COMPLETED')
  })

  test('an existing charge can be ordered to stay pending or to end', async () => {
    const simulator = begin()
    await next(simulator, { behaviour: { neverResolves: true, echoAmount: 1 } })
    await charge(simulator, body({ endUserId: '263771111111' }))
    await next(simulator, {
      correlator: 'key1',
      behaviour: { neverResolves: false, decision: { verdict: 'success' } },
    })
    const reply = (await query(simulator, 'key1', '263771111111')).json()
    expect(reply.transactionOperationStatus).toBe('COMPLETED')
    expect(reply.paymentAmount.charginginformation.amount).toBe(1)
  })

  test('callbacks: before the reply, several times, lost, and again', async () => {
    const got: { transactionOperationStatus: string; clientCorrelator: string }[] = []
    const merchant = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk) => {
        text += chunk
      })
      request.on('end', () => {
        got.push(JSON.parse(text))
        response.end()
      })
    })
    await new Promise<void>((resolve) => merchant.listen(0, '127.0.0.1', resolve))
    const notifyUrl = `http://127.0.0.1:${(merchant.address() as AddressInfo).port}/hook`
    const simulator = begin()

    await next(simulator, { behaviour: { callback: 'before_reply', callbackTimes: 3 } })
    const reply = await charge(simulator, body({ notifyUrl }))
    expect(got.map((item) => item.transactionOperationStatus)).toEqual([
      'COMPLETED',
      'COMPLETED',
      'COMPLETED',
    ])
    expect(reply.json().transactionOperationStatus).toBe('PENDING SUBSCRIBER VALIDATION')

    await next(simulator, { behaviour: { callback: 'lost', decision: { verdict: 'success' } } })
    await charge(simulator, body({ clientCorrelator: 'key2', notifyUrl }))
    expect(got).toHaveLength(3)
    await post(simulator, '/control/callbacks/key2', { times: 2 })
    expect(got.slice(3).map((item) => item.clientCorrelator)).toEqual(['key2', 'key2'])
    merchant.close()
  })
})
