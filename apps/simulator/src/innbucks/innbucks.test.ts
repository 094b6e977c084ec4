import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { begin } from '../testing.ts'

type Simulator = ReturnType<typeof begin>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const apiKey = 'simulator-usd'
const post = ({ app }: Simulator, url: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, payload, headers })

async function logIn(simulator: Simulator, account: 'usd' | 'zwg' = 'usd'): Promise<Record<string, string>> {
  const credentials = { username: `muripo-${account}`, password: 'simulator' }
  const key = { 'x-api-key': `simulator-${account}` }
  const reply = await post(simulator, '/innbucks/auth/third-party', credentials, key)
  expect(reply.json()).toMatchObject({ responseCode: '00' })
  return { ...key, authorization: `Bearer ${reply.json().accessToken}` }
}

const body = (change: object = {}) => ({
  reference: 'key1',
  narration: 'Order 1',
  amount: 1250,
  type: 'PAYMENT',
  ...change,
})
const next = (simulator: Simulator, order: object) => post(simulator, '/control/innbucks/next', order)

async function opened() {
  const simulator = begin()
  const headers = await logIn(simulator)
  const generate = (change?: object) => post(simulator, '/innbucks/api/code/generate', body(change), headers)
  const inquire = (code: string) =>
    post(simulator, '/innbucks/api/code/inquiry', { reference: 'i1', code }, headers)
  return { simulator, headers, generate, inquire }
}

describe('the log-in of InnBucks', () => {
  test.each([
    ['a wrong password', { username: 'muripo-usd', password: 'x' }, apiKey],
    ['the key of another account', { username: 'muripo-usd', password: 'simulator' }, 'simulator-zwg'],
    ['nothing', {}, apiKey],
  ])('with %s is refused', async (_name, credentials, key) => {
    const reply = await post(begin(), '/innbucks/auth/third-party', credentials, { 'x-api-key': key })
    expect(reply.statusCode).toBe(401)
  })

  test('lasts until its time is over', async () => {
    const { generate } = await opened()
    vi.advanceTimersByTime(15 * 60_000 - 1)
    expect((await generate()).statusCode).toBe(200)
    vi.advanceTimersByTime(1)
    expect((await generate()).statusCode).toBe(401)
  })

  test('ends when its token is revoked', async () => {
    const { simulator, generate } = await opened()
    await simulator.app.inject({ method: 'DELETE', url: '/control/innbucks/tokens' })
    expect((await generate()).statusCode).toBe(401)
  })
})

describe('a code of InnBucks', () => {
  test('is issued with its odd forms, and is new', async () => {
    const { generate, inquire } = await opened()
    const made = (await generate()).json()
    expect(made).toMatchObject({ responseCode: 0, amount: '1250', code: expect.stringMatching(/^\d{9}$/) })
    const inquired = await inquire(made.code)
    expect(inquired.json()).toMatchObject({ responseCode: 0, status: 'New', amount: '1250' })
    expect(inquired.json().timeToLive).toBe('600sec')
    expect(inquired.headers['x-trace-id']).toBeTypeOf('string')
  })

  test.each([
    ['no cents', { amount: 12.5 }],
    ['zero', { amount: 0 }],
    ['a text', { amount: '1250' }],
  ])('of %s is refused', async (_name, change) => {
    const { generate } = await opened()
    expect((await generate(change)).json()).toEqual({ responseCode: 13, responseMsg: 'Invalid amount' })
  })

  test('is found by its own account only, by its digits', async () => {
    const { simulator, generate, inquire, headers } = await opened()
    const { code } = (await generate()).json()
    const other = await logIn(simulator, 'zwg')
    const unknown = { responseCode: 25, responseMsg: 'Unable to locate original request' }
    const inquiry = { reference: 'i1', code }
    expect((await post(simulator, '/innbucks/api/code/inquiry', inquiry, other)).json()).toEqual(unknown)
    expect((await inquire('1')).json()).toEqual(unknown)
    const missing = await post(simulator, '/innbucks/api/code/inquiry', { reference: 'i1' }, headers)
    expect([missing.statusCode, missing.json()]).toEqual([400, { status: 400, errors: ['Code is required'] }])
  })

  test('expires', async () => {
    const { simulator, generate, inquire } = await opened()
    await next(simulator, { behaviour: { lifeMs: 50 } })
    const { code } = (await generate()).json()
    expect((await inquire(code)).json().status).toBe('New')
    vi.advanceTimersByTime(50)
    expect((await inquire(code)).json().status).toBe('Expired')
  })

  test('survives a restart', async () => {
    const { simulator, generate } = await opened()
    const { code } = (await generate()).json()
    await simulator.app.close()
    const again = begin({ SIMULATOR_SPEED: '1' }, simulator.folder)
    const headers = await logIn(again)
    const reply = await post(again, '/innbucks/api/code/inquiry', { reference: 'i1', code }, headers)
    expect(reply.json().status).toBe('New')
    const second = (await post(again, '/innbucks/api/code/generate', body(), headers)).json()
    expect(second.code).not.toBe(code)
  })

  test('misbehaves as ordered, before it is made and afterwards', async () => {
    const { simulator, generate, inquire } = await opened()
    await next(simulator, { behaviour: { generateRefusal: '96' } })
    expect((await generate()).json().responseCode).toBe(96)
    await next(simulator, { behaviour: { generateForm: 'unapproved', responseCodes: 'text' } })
    expect((await generate()).json()).toEqual({ responseCode: '00', responseMsg: 'Approved' })
    const { code } = (await generate()).json()
    await next(simulator, {
      code,
      behaviour: { ending: { state: 'Paid' }, echoMinor: 1, inquiryReply: 'html', inquiryTimes: 1 },
    })
    expect((await inquire(code)).headers['content-type']).toContain('text/html')
    expect((await inquire(code)).json()).toMatchObject({ status: 'Paid', amount: '1' })
    expect((await next(simulator, { code: '1', behaviour: {} })).statusCode).toBe(404)
  })

  test('that expired is claimed late', async () => {
    const { simulator, generate, inquire } = await opened()
    await next(simulator, { behaviour: { ending: { state: 'Expired' }, lateClaimAfterMs: 50 } })
    const { code } = (await generate()).json()
    expect((await inquire(code)).json().status).toBe('Expired')
    vi.advanceTimersByTime(50)
    expect((await inquire(code)).json().status).toBe('Claimed')
  })
})

describe('the app of a payer', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = ({ app }: Simulator, code: string, payload: string) =>
    app.inject({ method: 'POST', url: `/innbucks/app?code=${code}`, payload, headers: form })
  const page = async ({ app }: Simulator, query = '') => (await app.inject(`/innbucks/app${query}`)).body

  test('lists the codes that wait, takes a code with spaces, and escapes the shop', async () => {
    const { simulator, generate } = await opened()
    expect(await page(simulator)).toContain('No code waits')
    const { code } = (await generate({ narration: '<b>Shop' })).json()
    const grouped = code.replace(/(\d{3})(\d{3})(\d{3})/, '$1 $2 $3')
    expect(await page(simulator)).toContain(grouped)
    expect(await page(simulator, `?code=${encodeURIComponent(grouped)}`)).toContain(
      'Pay USD 12.50 for &lt;b&gt;Shop?',
    )
    expect(await page(simulator, '?code=1')).toContain('There is no such code')
  })

  test.each([
    ['approve', 'Claimed', 'You paid this code'],
    ['decline', 'Timed Out', 'This code has expired'],
  ])('%s: %s', async (word, status, text) => {
    const { simulator, generate, inquire } = await opened()
    const { code } = (await generate()).json()
    expect((await answer(simulator, code, `answer=${word}`)).statusCode).toBe(303)
    expect((await inquire(code)).json().status).toBe(status)
    expect(await page(simulator, `?code=${code}`)).toContain(text)
    const again = await post(simulator, `/innbucks/app?code=${code}`, { answer: 'approve' })
    expect(again.statusCode).toBe(409)
  })
})
