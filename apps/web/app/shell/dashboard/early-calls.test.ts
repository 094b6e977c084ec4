import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { byFetchOrEarly, earlyCallsScript } from './early-calls.ts'

const address = '/v1/account'
const init = { method: 'GET', headers: { authorization: 'Bearer A' } }
const fetched = vi.fn(async (_address: string, _init?: RequestInit) => Response.json({ of: 'network' }))

/** A document whose head has run the script. */
function openDocument({ token = 'A' as string | null, search = '' } = {}) {
  vi.stubGlobal('earlyCalls', undefined)
  vi.stubGlobal('location', { search })
  vi.stubGlobal('localStorage', { getItem: () => token })
  vi.stubGlobal('document', { currentScript: { dataset: { calls: `${address} /v1/other` } } })
  new Function(earlyCallsScript)()
}

beforeEach(() => vi.stubGlobal('fetch', fetched))
afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockClear()
})

describe('an early call', () => {
  test('is taken once, without its old date', async () => {
    fetched.mockResolvedValueOnce(Response.json({ of: 'document' }, { headers: { date: 'long ago' } }))
    openDocument()
    const response = await byFetchOrEarly(address, init)
    expect([await response.json(), response.headers.get('date')]).toEqual([{ of: 'document' }, null])
    expect(await (await byFetchOrEarly(address, init)).json()).toEqual({ of: 'network' })
    expect(fetched.mock.calls.map(([sent]) => sent)).toEqual([address, '/v1/other', address])
  })

  test('of another session is not taken', async () => {
    openDocument()
    await byFetchOrEarly(address, { ...init, headers: { authorization: 'Bearer B' } })
    expect(fetched).toHaveBeenCalledTimes(3)
  })

  test('that never ends is cancelled with its caller', async () => {
    fetched.mockReturnValueOnce(new Promise(() => {}))
    openDocument()
    const leaving = new AbortController()
    const call = byFetchOrEarly(address, { ...init, signal: leaving.signal })
    leaving.abort(new Error('left'))
    await expect(call).rejects.toThrow('left')
  })

  test.each([
    ['without a session', { token: null }],
    ['of an address with filters', { search: '?status=FAILED' }],
  ])('%s is not sent', (_, page) => {
    openDocument(page)
    expect(fetched).not.toHaveBeenCalled()
  })
})
