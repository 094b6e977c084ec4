import { describe, expect, test } from 'vitest'
import { parseConfig } from './config.ts'
import { begin, body, charge, post, wire } from './testing.ts'

describe('refusals', () => {
  test.each([
    ['no credentials', {}, 401],
    ['wrong credentials', { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` }, 401],
  ])('%s', async (_name, headers, status) => {
    const simulator = begin()
    expect((await post(simulator, `${wire}/transactions/amount`, body(), headers)).statusCode).toBe(status)
  })

  test.each([
    ['a wrong merchant PIN', body({ merchantPin: '9' }), 403, 'E007'],
    ['a missing field', body({ referenceCode: undefined }), 400, 'E001'],
    ['a number of no network', body({ endUserId: '12345' }), 400, 'E002'],
    ['a currency', body({}, 1, 'ZWL'), 400, 'E003'],
    ['three decimals', body({}, 1.005), 400, 'E004'],
    ['zero', body({}, 0), 400, 'E004'],
    ['text for an amount', body({}, 'ten'), 400, 'E004'],
    ['a refund on the charge path', body({ tranType: 'REF' }), 400, 'E001'],
  ])('%s', async (_name, payload, status, code) => {
    const reply = await charge(begin({ SIMULATOR_VOCABULARY: 'portal' }), payload)
    expect([reply.statusCode, reply.json().errorCode]).toEqual([status, code])
  })

  test('a second charge under the same correlator, in the legacy form', async () => {
    const simulator = begin()
    await charge(simulator)
    const reply = await charge(simulator)
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toEqual({
      status: 400,
      exception: 'ProcessingException',
      message: 'Duplicate clientCorrelator',
    })
    const { transactions } = (await simulator.app.inject('/control/transactions')).json()
    expect(transactions).toMatchObject([{ correlator: 'key1', requests: 2 }])
  })

  test.each([
    ['broken JSON', '{"a":', 'application/json', 400],
    ['an unknown content type', 'x', 'text/x-none', 415],
    ['an unknown behaviour', '{"behaviour":{"explode":true}}', 'application/json', 422],
    ['no body', '', 'application/json', 400],
  ])('%s on a control path', async (_name, payload, type, status) => {
    const { app } = begin()
    const headers = { 'content-type': type }
    const reply = await app.inject({ method: 'POST', url: '/control/next', payload, headers })
    expect(reply.statusCode).toBe(status)
    expect(reply.headers['content-type']).toContain('application/problem+json')
  })

  test('errors of the environment are all named', () => {
    expect(() => parseConfig({ SIMULATOR_PORT: 'x', SIMULATOR_SPEED: '0' })).toThrow(
      /SIMULATOR_PORT.*SIMULATOR_SPEED/,
    )
  })
})
