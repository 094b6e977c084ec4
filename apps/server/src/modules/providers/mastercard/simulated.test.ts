import { money } from '@muripo/contract/money'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../../../test/simulator.ts'
import type { CaptureOrder, PayerBrowser, ProviderState, Reply } from '../connector.ts'
import { someMerchant } from '../fixtures.ts'
import { chargeRequest, configFor, refundRequest } from './fixtures.ts'
import { mastercardConnector } from './index.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator()
})
afterAll(() => simulator.stop())

const post = (path: string, body: object) => simulator.control(`/control/mastercard${path}`, body)

interface Recorded {
  readonly id: string
  readonly captured: number
  readonly refunded: number
  readonly transactions: readonly { readonly id: string; readonly type: string; readonly result: string }[]
}
async function recorded(key: string): Promise<Recorded> {
  const response = await fetch(`${simulator.url}/control/mastercard/orders`)
  const { orders } = (await response.json()) as { orders: Recorded[] }
  const order = orders.find(({ id }) => id === key)
  if (!order) throw new Error(`the simulator has no order ${key}`)
  return order
}
const typesOf = async (key: string) => (await recorded(key)).transactions.map(({ type }) => type)

let keys = 0
/** An order that the payer has paid or authorised on the card page. */
async function begin(mode: 'pay' | 'authorise', behaviour: object = {}) {
  keys += 1
  const key = `${mode}${keys}`
  const connector = mastercardConnector(configFor(`${simulator.url}/mastercard`, { mode }))
  const { state } = await connector.charge(chargeRequest({ key }))
  await post('/next', { order: key, behaviour })
  await post(`/payments/${key}`, {})
  const lookup = () => connector.lookup({ accountId: someMerchant, key, msisdn: null, state })
  const outcome = () =>
    lookup().then(
      (found) => (found.kind === 'reply' ? found.outcome : found.kind),
      (error) => error.kind as string,
    )
  return { key, connector, lookup, outcome }
}

describe('an authorisation', () => {
  test('is captured once, however many look-ups find it at the same time', async () => {
    const { key, outcome } = await begin('authorise')
    const outcomes = await Promise.all(Array.from({ length: 5 }, outcome))
    expect(outcomes.filter((each) => each === 'completed').length).toBeGreaterThan(0)
    expect(await outcome()).toBe('completed')
    expect(await typesOf(key)).toEqual(['AUTHORIZATION', 'CAPTURE'])
    expect(await recorded(key)).toMatchObject({ captured: 1250 })
  })

  test.each(['drop', 'error_after', 'html'])(
    'whose capture is answered with %s is captured once: the next look-up finds it',
    async (captureReply) => {
      const { key, outcome } = await begin('authorise', { captureReply })
      expect(await outcome()).not.toBe('failed')
      expect(await outcome()).toBe('completed')
      expect(await typesOf(key)).toEqual(['AUTHORIZATION', 'CAPTURE'])
    },
  )

  test.each(['drop_before', 'error_before', 'html_before', 'busy'])(
    'whose capture fails with %s is captured by a later look-up',
    async (captureReply) => {
      const { key, outcome } = await begin('authorise', { captureReply })
      for (let index = 0; index < 3; index += 1) expect(await outcome()).toMatch(/^(unknown|unavailable)$/)
      expect(await recorded(key)).toMatchObject({ captured: 0 })
      await post('/next', { order: key, behaviour: { captureReply: 'normal' } })
      expect(await outcome()).toBe('completed')
      expect(await typesOf(key)).toEqual(['AUTHORIZATION', 'CAPTURE'])
    },
  )

  test('whose capture is refused is voided once and fails, also when the answer to the void is lost', async () => {
    for (const voidReply of ['normal', 'drop']) {
      const { key, outcome } = await begin('authorise', { capture: 'declined', voidReply })
      expect(await outcome()).toBe('pending')
      expect(await outcome()).toMatch(/^(failed|unknown)$/)
      expect(await outcome()).toBe('failed')
      expect(await typesOf(key)).toEqual(['AUTHORIZATION', 'CAPTURE', 'VOID_AUTHORIZATION'])
      expect(await recorded(key)).toMatchObject({ captured: 0 })
    }
  })

  test('whose capture has no result stays pending', async () => {
    const { key, outcome } = await begin('authorise', { capture: 'pending' })
    for (let index = 0; index < 3; index += 1) expect(await outcome()).toBe('pending')
    expect(await typesOf(key)).toEqual(['AUTHORIZATION', 'CAPTURE'])
  })
})

describe('an authorisation that waits for its instruction', () => {
  async function authorise(behaviour: object = {}) {
    keys += 1
    const key = `manual${keys}`
    const connector = mastercardConnector(configFor(`${simulator.url}/mastercard`))
    const { state } = await connector.charge(chargeRequest({ key, captureMode: 'manual' }))
    await post('/next', { order: key, behaviour })
    await post(`/payments/${key}`, {})
    const lookup = (capture: CaptureOrder, isOver = false) =>
      connector.lookup({ accountId: someMerchant, key, msisdn: null, state, capture, isOver })
    return { key, lookup }
  }
  const part = { kind: 'capture', amount: money(1000n, 'USD') } as const
  const unpaid = { kind: 'void' } as const

  test('is captured in part, and the rest is neither captured nor voided', async () => {
    const { key, lookup } = await authorise()
    expect(await lookup({ kind: 'await' })).toMatchObject({ outcome: 'authorized', echo: { minor: 1250n } })
    expect(await typesOf(key)).toEqual(['AUTHORIZATION'])
    for (let index = 0; index < 3; index += 1)
      expect(await lookup(part)).toMatchObject({ outcome: 'completed', echo: { minor: 1000n } })
    expect(await typesOf(key)).toEqual(['AUTHORIZATION', 'CAPTURE'])
    expect(await recorded(key)).toMatchObject({ captured: 1000 })
  })

  test('is voided once, also when the answer is lost, and when the attempt has ended', async () => {
    for (const voidReply of ['normal', 'drop']) {
      const { key, lookup } = await authorise({ voidReply })
      await lookup(unpaid).catch(() => null)
      expect(await lookup(unpaid)).toMatchObject({ outcome: 'failed' })
      expect(await lookup(unpaid, true)).toMatchObject({ outcome: 'failed' })
      expect(await typesOf(key)).toEqual(['AUTHORIZATION', 'VOID_AUTHORIZATION'])
    }
    const { key, lookup } = await authorise()
    expect(await lookup({ kind: 'await' }, true)).toMatchObject({ outcome: 'failed' })
    expect(await typesOf(key)).toEqual(['AUTHORIZATION', 'VOID_AUTHORIZATION'])
  })

  test('fails when its void is refused: the authorisation lapses at the bank', async () => {
    const { key, lookup } = await authorise({ void: 'declined' })
    expect(await lookup(unpaid)).toMatchObject({ outcome: 'failed' })
    expect(await recorded(key)).toMatchObject({ captured: 0 })
  })

  test('fails when its capture is refused, and is voided', async () => {
    const { key, lookup } = await authorise({ capture: 'declined' })
    expect(await lookup(part)).toMatchObject({ outcome: 'pending' })
    expect(await lookup(part)).toMatchObject({ outcome: 'failed' })
    expect(await typesOf(key)).toEqual(['AUTHORIZATION', 'CAPTURE', 'VOID_AUTHORIZATION'])
  })

  test('stays pending while its capture has no result, and nothing else is sent', async () => {
    const { key, lookup } = await authorise({ capture: 'pending' })
    for (let index = 0; index < 3; index += 1)
      expect(await lookup(part)).toMatchObject({ outcome: 'pending' })
    expect(await typesOf(key)).toEqual(['AUTHORIZATION', 'CAPTURE'])
  })
})

describe('a refund', () => {
  async function refund(mode: 'pay' | 'authorise', behaviour: object = {}, age = 0) {
    const { key, connector, lookup, outcome } = await begin(mode, behaviour)
    const paid = (await lookup()) as Reply
    expect(paid.outcome).toBe('completed')
    const clock = { now: () => new Date(Date.now() + age) }
    const later = mastercardConnector(configFor(`${simulator.url}/mastercard`, { mode }), { clock })
    const request = refundRequest({ key: `r-${key}`, originalKey: key, originalState: paid.state })
    const send = () => later.refundCharge(request)
    const found = (state: ProviderState | null = null) => connector.lookupRefund({ ...request, state })
    return { key, send, found, outcome }
  }

  test('that is voided in the portal has failed', async () => {
    const { key, send, found } = await refund('pay', {}, 25 * 3_600_000)
    expect(await send()).toMatchObject({ outcome: 'completed' })
    const { baseUrl, merchantId, password } = configFor(`${simulator.url}/mastercard`)
    const voided = await fetch(
      `${baseUrl}/api/rest/version/100/merchant/${merchantId}/order/${key}/transaction/portal1`,
      {
        method: 'PUT',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from(`merchant.${merchantId}:${password}`).toString('base64')}`,
        },
        body: JSON.stringify({ apiOperation: 'VOID', transaction: { targetTransactionId: `r-${key}` } }),
      },
    )
    expect(voided.status).toBe(201)
    expect(await found({})).toMatchObject({ outcome: 'failed', providerStatus: 'VOID_REFUND' })
    expect(await recorded(key)).toMatchObject({ refunded: 0 })
  })

  test('of the whole payment on its day is a void, and the order is reversed', async () => {
    const { key, send, found, outcome } = await refund('pay')
    expect(await send()).toMatchObject({ outcome: 'completed', echo: { minor: 1250n } })
    expect(await found()).toMatchObject({ outcome: 'completed', echo: { minor: 1250n } })
    expect(await typesOf(key)).toEqual(['PAYMENT', 'VOID_PAYMENT'])
    expect(await outcome()).toBe('reversed')
  })

  test.each([
    ['that the gateway refuses to void', 'pay', { void: 'declined' }, 0],
    ['after a day', 'pay', {}, 25 * 3_600_000],
    ['that was authorised and captured', 'authorise', {}, 0],
  ] as const)('of a payment %s is a refund', async (_name, mode, behaviour, age) => {
    const { key, send, found } = await refund(mode, behaviour, age)
    expect(await send()).toMatchObject({ outcome: 'completed', echo: { minor: 1250n } })
    expect(await found()).toMatchObject({ outcome: 'completed' })
    expect(await recorded(key)).toMatchObject({ refunded: 1250 })
  })

  test('whose void has no answer is not sent as a refund too', async () => {
    const { key, send, found } = await refund('pay', { voidReply: 'drop' })
    await expect(send()).rejects.toMatchObject({ kind: 'unknown' })
    expect(await found()).toMatchObject({ outcome: 'completed' })
    expect(await typesOf(key)).toEqual(['PAYMENT', 'VOID_PAYMENT'])
  })

  test('that is lost after a refused void is not found, and not failed: it may be in progress', async () => {
    const { key, send, found } = await refund('pay', { void: 'declined', refundReply: 'drop_before' })
    await expect(send()).rejects.toMatchObject({ kind: 'unknown' })
    expect(await found()).toEqual({ kind: 'not_found' })
    expect(await recorded(key)).toMatchObject({ captured: 1250, refunded: 0 })
    // After a stored reply to the void, no refund follows it.
    expect(await found({})).toMatchObject({ outcome: 'failed' })
  })

  test('whose void has no result yet stays pending, and no refund follows', async () => {
    const { key, send, found } = await refund('pay', { void: 'pending' })
    const reply = await send()
    expect(reply).toMatchObject({ outcome: 'pending' })
    expect(await found(reply.state)).toMatchObject({ outcome: 'pending' })
    expect(await typesOf(key)).toEqual(['PAYMENT', 'VOID_PAYMENT'])
  })
})

describe('an attempt that has ended without a payment', () => {
  test('is not captured when it is authorised afterwards: the authorisation is voided', async () => {
    const { key, connector } = await begin('authorise')
    const over = { accountId: someMerchant, key, msisdn: null, state: {}, isOver: true }
    expect(await connector.lookup(over)).toMatchObject({ outcome: 'failed' })
    expect(await typesOf(key)).toEqual(['AUTHORIZATION', 'VOID_AUTHORIZATION'])
  })

  test('keeps a capture that was made before', async () => {
    const { key, connector, outcome } = await begin('authorise')
    await outcome()
    const over = { accountId: someMerchant, key, msisdn: null, state: {}, isOver: true }
    expect(await connector.lookup(over)).toMatchObject({ outcome: 'completed' })
    expect(await typesOf(key)).toEqual(['AUTHORIZATION', 'CAPTURE'])
  })
})

describe('a session', () => {
  const browser: PayerBrowser = {
    address: '127.0.0.1',
    userAgent: 'Mozilla/5.0',
    accept: 'text/html',
    language: 'en-ZW',
    screenWidth: 375,
    screenHeight: 667,
    colorDepth: 24,
    timeZone: -120,
  }
  const enrolled = '5123450000000008'
  const plain = '5111111111111118'

  /** A session whose fields are filled in. */
  async function fill(
    number: string,
    { mode = 'pay', ...behaviour }: { mode?: 'pay' | 'authorise'; payReply?: string } = {},
  ) {
    keys += 1
    const key = `session${keys}`
    const config = configFor(`${simulator.url}/mastercard`, { mode, checkout: 'session' })
    const connector = mastercardConnector(config)
    await post('/next', { behaviour })
    const { state, next } = await connector.charge(chargeRequest({ key }))
    const fields = { number, expiryMonth: '01', expiryYear: '39', securityCode: '100' }
    await post(`/sessions/${state.session}`, fields)
    const request = { accountId: someMerchant, key, msisdn: null, state }
    return {
      key,
      next,
      lookup: (isOver = false) => connector.lookup({ ...request, isOver }),
      proceed: (isOver = false) => connector.proceed?.({ ...request, browser, isOver }),
    }
  }
  type Filled = Awaited<ReturnType<typeof fill>>

  /** The payer answers the bank of the card. */
  async function answer(filled: Filled, word: 'approve' | 'fail'): Promise<void> {
    const reply = (await filled.proceed()) as Reply
    const { origin } = new URL(simulator.url)
    const url = `${origin}/mastercard/acs/${filled.key}`
    expect(reply).toMatchObject({
      outcome: 'pending',
      next: { type: 'post_form', url, fields: { creq: expect.stringMatching(/./) } },
    })
    const body = new URLSearchParams({ answer: word })
    expect((await fetch(url, { method: 'POST', body, redirect: 'manual' })).status).toBe(307)
  }

  test('names the script of the gateway, and is pending until its fields are sent', async () => {
    const { next, lookup } = await fill(plain)
    const script = `${simulator.url}/mastercard/form/version/100/merchant/TESTMURIPO/session.js`
    expect(next).toMatchObject({ type: 'hosted_fields', script, session: expect.stringMatching(/^SESSION/) })
    expect(await lookup()).toMatchObject({ outcome: 'pending' })
  })

  test('of a card without 3-D Secure is paid at once', async () => {
    const { key, proceed } = await fill(plain)
    expect(await proceed()).toMatchObject({ outcome: 'completed', echo: { minor: 1250n } })
    expect(await typesOf(key)).toEqual(['AUTHENTICATION', 'PAYMENT'])
  })

  test('of a card with 3-D Secure is paid once, however many look-ups find the approval', async () => {
    const filled = await fill(enrolled)
    await answer(filled, 'approve')
    await Promise.allSettled(Array.from({ length: 5 }, () => filled.lookup()))
    expect(await filled.lookup()).toMatchObject({ outcome: 'completed' })
    expect(await typesOf(filled.key)).toEqual(['AUTHENTICATION', 'PAYMENT'])
  })

  test('whose payer refuses at the bank fails without a payment', async () => {
    const filled = await fill(enrolled)
    await answer(filled, 'fail')
    expect(await filled.lookup()).toMatchObject({ outcome: 'failed', reason: 'declined' })
    expect(await typesOf(filled.key)).toEqual(['AUTHENTICATION'])
  })

  test('whose payment has no answer is paid once: the next look-up finds it', async () => {
    const filled = await fill(plain, { payReply: 'drop' })
    await expect(filled.proceed()).rejects.toMatchObject({ kind: 'unknown' })
    expect(await filled.lookup()).toMatchObject({ outcome: 'completed' })
    expect(await typesOf(filled.key)).toEqual(['AUTHENTICATION', 'PAYMENT'])
  })

  test('is not paid when the attempt has ended before the bank answers', async () => {
    const filled = await fill(enrolled)
    await answer(filled, 'approve')
    expect(await filled.lookup(true)).toMatchObject({ outcome: 'pending' })
    expect(await filled.proceed(true)).toMatchObject({ outcome: 'pending' })
    expect(await typesOf(filled.key)).toEqual(['AUTHENTICATION'])
  })

  test('with a wrong card is not sent to a bank, and its attempt stays open', async () => {
    const filled = await fill('5123450000000009')
    await expect(filled.proceed()).rejects.toMatchObject({ kind: 'invalid' })
    expect(await filled.lookup()).toMatchObject({ outcome: 'pending' })
  })

  test('is authorised, then captured', async () => {
    const filled = await fill(plain, { mode: 'authorise' })
    expect(await filled.proceed()).toMatchObject({ outcome: 'pending' })
    expect(await filled.lookup()).toMatchObject({ outcome: 'completed' })
    expect(await typesOf(filled.key)).toEqual(['AUTHENTICATION', 'AUTHORIZATION', 'CAPTURE'])
  })
})
