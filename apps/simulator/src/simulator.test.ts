import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { buildSimulator, type Simulator } from './app.ts'
import { parseConfig } from './config.ts'

const authorization = `Basic ${Buffer.from('muripo:simulator').toString('base64')}`
const wire = '/ecocash/payment/v1'
const folders: string[] = []
const running: Simulator[] = []

function begin(env: Record<string, string> = {}, folder?: string): Simulator & { folder: string } {
  const data = folder ?? mkdtempSync(join(tmpdir(), 'simulator-'))
  folders.push(data)
  const simulator = buildSimulator(
    parseConfig({ MURIPO_DATA: data, SIMULATOR_SPEED: '1000', ...env }),
    Date.now,
  )
  simulator.start()
  running.push(simulator)
  return { ...simulator, folder: data }
}

afterEach(async () => {
  for (const { app } of running.splice(0)) await app.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const body = (change: Record<string, unknown> = {}, amount: unknown = 12.5, currency = 'USD') => ({
  clientCorrelator: 'key1',
  referenceCode: 'key1',
  tranType: 'MER',
  endUserId: '263771000001',
  remarks: 'Order 1',
  transactionOperationStatus: 'Charged',
  paymentAmount: {
    charginginformation: { amount, currency, description: 'Order 1' },
    chargeMetaData: { channel: 'WEB', purchaseCategoryCode: 'Online Payment', onBeHalfOf: 'Shop' },
  },
  merchantCode: '00001',
  merchantPin: '0000',
  merchantNumber: '771000000',
  merchantName: 'Shop & <Sons>',
  ...change,
})

const post = ({ app }: Simulator, url: string, payload: object, headers: object = { authorization }) =>
  app.inject({ method: 'POST', url, payload, headers: headers as Record<string, string> })
const charge = (simulator: Simulator, payload: object = body()) =>
  post(simulator, `${wire}/transactions/amount`, payload)
const query = ({ app }: Simulator, key = 'key1', number = '263771000001') =>
  app.inject({ url: `${wire}/${number}/transactions/amount/${key}`, headers: { authorization } })
const next = (simulator: Simulator, order: object) => post(simulator, '/control/next', order)
const answer = (simulator: Simulator, payload: object, key = 'key1') =>
  post(simulator, `/phone/prompts/${key}`, payload)

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

  test('faults of the environment are all named', () => {
    expect(() => parseConfig({ SIMULATOR_PORT: 'x', SIMULATOR_SPEED: '0' })).toThrow(
      /SIMULATOR_PORT.*SIMULATOR_SPEED/,
    )
  })
})

describe('a charge', () => {
  test.each([
    ['0000', 'completed'],
    ['1234', 'completed'],
    ['1111', 'failed'],
    ['2222', 'failed'],
    ['9999', 'failed'],
    ['4321', 'failed'],
  ])('PIN %s: %s', async (pin, status) => {
    const simulator = begin({ SIMULATOR_SPEED: '1' })
    await charge(simulator)
    expect((await answer(simulator, { pin })).json().status).toBe(status)
    expect((await answer(simulator, { pin: '0000' })).statusCode).toBe(409)
  })

  test('declined on the phone', async () => {
    const simulator = begin({ SIMULATOR_SPEED: '1' })
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
  ])('%s decides by itself: %s', async (endUserId, status) => {
    const simulator = begin()
    await charge(simulator, body({ endUserId }))
    await expect
      .poll(async () => (await query(simulator, 'key1', endUserId)).json().transactionOperationStatus)
      .toBe(status)
  })

  test('the legacy form has its habits', async () => {
    const simulator = begin({ SIMULATOR_SPEED: '1' })
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
    const simulator = begin({ SIMULATOR_VOCABULARY: 'portal', SIMULATOR_SPEED: '1' })
    expect((await charge(simulator)).json()).toMatchObject({
      status: 'PENDING',
      statusMessage: 'Transaction Successful',
    })
    expect((await query(simulator, 'other')).statusCode).toBe(404)
    const broke = await charge(simulator, body({ clientCorrelator: 'key2', endUserId: '263774444444' }))
    expect([broke.statusCode, broke.json().errorCode]).toEqual([422, 'E010'])
  })
})

describe('orders', () => {
  test('an order for a number goes before one for any, and each is used up', async () => {
    const simulator = begin()
    await next(simulator, { behaviour: { chargeReply: 'error_before' } })
    await next(simulator, { msisdn: '0771000001', behaviour: { chargeReply: 'html' } })
    expect((await charge(simulator)).headers['content-type']).toContain('text/html')
    expect((await query(simulator)).json().clientCorrelator).toBe('key1')
    expect((await charge(simulator, body({ clientCorrelator: 'key2' }))).statusCode).toBe(500)
    expect((await query(simulator, 'key2')).json().clientCorrelator).toBeNull()
    expect((await charge(simulator, body({ clientCorrelator: 'key3' }))).statusCode).toBe(200)
  })

  test('queries are spoilt as often as ordered', async () => {
    const simulator = begin()
    await next(simulator, { behaviour: { queryReply: 'all_null', queryTimes: 1 } })
    await charge(simulator)
    expect((await query(simulator)).json().clientCorrelator).toBeNull()
    expect((await query(simulator)).json().clientCorrelator).toBe('key1')
  })

  test('a failed charge is paid late', async () => {
    const simulator = begin({ SIMULATOR_SPEED: '1' })
    const decision = { verdict: 'cancelled' }
    await next(simulator, { behaviour: { decision, lateSuccessAfterMs: 50 } })
    expect((await charge(simulator)).json().transactionOperationStatus).toBe('FAILED')
    await expect
      .poll(async () => (await query(simulator)).json().transactionOperationStatus)
      .toBe('COMPLETED')
  })

  test('an existing charge can be told to stay pending or to end', async () => {
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
    const simulator = begin({ SIMULATOR_SPEED: '1' })

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

describe('refunds', () => {
  async function paid(behaviour: object = {}) {
    const simulator = begin({ SIMULATOR_SPEED: '1' })
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

  test('refuses what is too much, unknown or already given back', async () => {
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

  test('a pending one completes later', async () => {
    const { simulator, refund } = await paid({ refund: 'pending', refundAfterMs: 20 })
    await refund('r1', 12.5)
    await expect
      .poll(async () => (await query(simulator, 'r1')).json().transactionOperationStatus)
      .toBe('COMPLETED')
  })
})

describe('the books', () => {
  test('survive a restart, a torn last line, and what fell due meanwhile', async () => {
    const first = begin({ SIMULATOR_SPEED: '50' })
    await charge(first)
    await charge(first, body({ clientCorrelator: 'key2', endUserId: '263771111111' }))
    await answer(first, { pin: '0000' })
    const before = (await query(first)).json()
    await first.app.close()
    writeFileSync(join(first.folder, 'simulator/ecocash.jsonl'), '{"correlator":"to', { flag: 'a' })
    await new Promise((resolve) => setTimeout(resolve, 150))

    const second = begin({ SIMULATOR_SPEED: '50' }, first.folder)
    expect((await query(second)).json()).toEqual(before)
    const due = (await query(second, 'key2', '263771111111')).json()
    expect(due.transactionOperationStatus).toBe('COMPLETED')
    await charge(second, body({ clientCorrelator: 'key3' }))
    await second.app.close()
    const third = begin({}, first.folder)
    const { transactions } = (await third.app.inject('/control/transactions')).json()
    expect(transactions.map((item: { correlator: string }) => item.correlator)).toEqual([
      'key1',
      'key2',
      'key3',
    ])
  })

  test('keep the newest only, in memory and in the file', async () => {
    const simulator = begin({ SIMULATOR_KEEP: '3', SIMULATOR_SPEED: '1' })
    for (let index = 0; index < 20; index += 1) {
      await charge(simulator, body({ clientCorrelator: `key${index}` }))
    }
    const { transactions } = (await simulator.app.inject('/control/transactions')).json()
    expect(transactions.map((item: { correlator: string }) => item.correlator)).toEqual([
      'key17',
      'key18',
      'key19',
    ])
    await simulator.app.close()
    const again = begin({ SIMULATOR_KEEP: '3' }, simulator.folder)
    expect((await query(again, 'key19')).json().clientCorrelator).toBe('key19')
  })
})

describe('the phone', () => {
  test('lists who waits, asks, and shows the message; names are escaped', async () => {
    const simulator = begin({ SIMULATOR_SPEED: '1' })
    expect((await simulator.app.inject('/phone')).body).toContain('No phone is being asked')
    await charge(simulator)
    expect((await simulator.app.inject('/phone')).body).toContain('077 100 0001')
    const page = (await simulator.app.inject('/phone?number=%2B263771000001')).body
    expect(page).toContain('Pay USD 12.50 to Shop &amp; &lt;Sons&gt;? Enter your EcoCash PIN')
    expect(page).not.toContain('http-equiv')

    const form = await simulator.app.inject({
      method: 'POST',
      url: '/phone/prompts/key1',
      payload: 'pin=0000',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([form.statusCode, form.headers.location]).toEqual([303, '/phone?number=263771000001'])
    const after = (await simulator.app.inject('/phone?number=263771000001')).body
    expect(after).toMatch(/You paid USD 12\.50 to Shop &amp; &lt;Sons&gt;\. Reference MP/)
    expect(after).toContain('http-equiv="refresh"')
  })

  test('a declining form needs no PIN, a wrong form says why', async () => {
    const simulator = begin({ SIMULATOR_SPEED: '1' })
    await charge(simulator)
    const send = (payload: string) =>
      simulator.app.inject({
        method: 'POST',
        url: '/phone/prompts/key1',
        payload,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await send('pin=12')).body).toContain('The PIN has four digits')
    expect((await send('pin=&decline=true')).statusCode).toBe(303)
    expect((await query(simulator)).json().transactionOperationStatus).toBe('FAILED')
  })

  test('as JSON', async () => {
    const simulator = begin({ SIMULATOR_SPEED: '1' })
    await charge(simulator)
    const { prompts } = (await simulator.app.inject('/phone/prompts?number=0771000001')).json()
    expect(prompts).toMatchObject([
      { correlator: 'key1', number: '263771000001', amount: 'USD 12.50', merchantName: 'Shop & <Sons>' },
    ])
    expect((await simulator.app.inject('/phone/prompts?number=12')).statusCode).toBe(422)
  })
})
