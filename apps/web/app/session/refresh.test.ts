import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { expiredToken, freshTokens, NOW, signedInStore, validToken } from '../../test/session.ts'
import type { ApiResult } from '../lib/http.ts'
import { createRefresh } from './refresh.ts'

const ok: ApiResult<typeof freshTokens> = { status: 200, data: freshTokens, error: null, message: null }
const refused: ApiResult<never> = { status: 401, data: null, error: 'no', message: 'no' }
const exclusively = <T>(job: () => Promise<T>) => job()
const now = () => NOW

let warnings: MockInstance
beforeEach(() => {
  warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.unstubAllGlobals()
  warnings.mockClear()
})

describe('a refresh', () => {
  test('[SESS-21] stores the new tokens', async () => {
    const { store, signOuts } = signedInStore()
    const refresh = createRefresh({ store, exclusively, now, trade: async () => ok })
    expect(await refresh()).toBe(true)
    expect(store.tokens()).toEqual(freshTokens)
    expect(signOuts).toEqual([])
  })
  test('[SESS-23] [SESS-24] runs once for all concurrent callers', async () => {
    const { store } = signedInStore()
    const trade = vi.fn(async () => ok)
    const refresh = createRefresh({ store, exclusively, now, trade })
    expect(await Promise.all([refresh(), refresh(), refresh()])).toEqual([true, true, true])
    expect(trade).toHaveBeenCalledTimes(1)
  })
  test.each([
    ['[SESS-26] without a refresh token', null],
    ['[SESS-27] with an expired one', expiredToken],
    ['[SESS-28] with a malformed one', 'broken'],
  ])('%s fails and signs out, without a call', async (_, stored) => {
    const { store, signOuts } = signedInStore(stored)
    const trade = vi.fn(async () => ok)
    expect(await createRefresh({ store, exclusively, now, trade })()).toBe(false)
    expect(trade).not.toHaveBeenCalled()
    expect(signOuts).toEqual(['signed-out'])
  })
  test('[SESS-29] signs out when the server refuses', async () => {
    const { store, signOuts } = signedInStore()
    expect(await createRefresh({ store, exclusively, now, trade: async () => refused })()).toBe(false)
    expect(signOuts).toEqual(['signed-out'])
    expect(store.tokens()).toEqual({ authToken: null, refreshToken: null })
  })
})

describe('a refresh without a response', () => {
  beforeEach(() => vi.useFakeTimers({ now: NOW }))
  afterEach(() => vi.useRealTimers())
  const lost: ApiResult<never> = { ...refused, status: 0 }
  const busyServer: ApiResult<never> = { ...refused, status: 503, body: { code: 'overloaded' } }
  const stalled = (_token: string, signal: AbortSignal) =>
    new Promise<ApiResult<never>>((resolve) => signal.addEventListener('abort', () => resolve(lost)))

  test.each([
    ['the network is back', lost],
    ['the proxy is back', { ...refused, status: 502 }],
    ['the server has room', busyServer],
  ])('is repeated until %s', async (_, result) => {
    const { store, signOuts } = signedInStore()
    const trade = vi
      .fn(async () => ok)
      .mockResolvedValueOnce(result)
      .mockResolvedValueOnce(result)
    const refreshed = createRefresh({ store, exclusively, trade })()
    await vi.advanceTimersByTimeAsync(5000)
    expect(await refreshed).toBe(true)
    expect(trade).toHaveBeenCalledTimes(3)
    expect([store.tokens(), signOuts]).toEqual([freshTokens, []])
  })
  test.each([
    ['[SESS-30] without a network', async () => lost],
    ['[SESS-29] with a server that is too busy', async () => busyServer],
    ['on a line that stalls', stalled],
  ])('%s signs out after 20 seconds, and releases the lock', async (_, trade) => {
    const { store, signOuts } = signedInStore()
    const refreshed = createRefresh({ store, exclusively, trade })()
    await vi.advanceTimersByTimeAsync(15_000)
    expect([store.tokens().refreshToken, signOuts]).toEqual([validToken, []])
    await vi.advanceTimersByTimeAsync(5000)
    expect(await refreshed).toBe(false)
    expect(signOuts).toEqual(['signed-out'])
  })
  test('is not repeated after a sign-out', async () => {
    const { store } = signedInStore()
    const trade = vi.fn(async () => lost)
    const refreshed = createRefresh({ store, exclusively, trade })()
    await vi.advanceTimersByTimeAsync(1)
    store.logOut('signed-out')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await refreshed).toBe(false)
    expect(trade).toHaveBeenCalledTimes(1)
  })
})

describe('the call of a refresh', () => {
  test('[CALLS-10] a refusal is logged with its status and body, and nothing else is shown', async () => {
    const body = { code: 'refresh_invalid', message: 'The session has ended' }
    const { store } = signedInStore()
    await createRefresh({ store, exclusively, now, trade: async () => ({ ...refused, body }) })()
    expect(warnings.mock.calls).toEqual([[expect.any(String), { status: 401, body }]])
  })
  test('[CALLS-09] [CALLS-10] sends {refreshToken}, and the response is stored', async () => {
    const fetch = vi.fn(async (_address: string, _init: RequestInit) => Response.json(freshTokens))
    vi.stubGlobal('fetch', fetch)
    const { store } = signedInStore()
    expect(await createRefresh({ store, exclusively, now })()).toBe(true)
    const [address, init] = fetch.mock.calls[0] ?? []
    expect([init?.method, address]).toEqual(['POST', '/v1/auth/refresh-token'])
    expect(JSON.parse(String(init?.body))).toEqual({ refreshToken: validToken })
    expect(store.tokens()).toEqual(freshTokens)
  })
  test('does not sign in again after a sign-out during it', async () => {
    const { store, signOuts } = signedInStore()
    const trade = async () => {
      store.logOut('inactive')
      return ok
    }
    expect(await createRefresh({ store, exclusively, now, trade })()).toBe(false)
    expect(store.tokens()).toEqual({ authToken: null, refreshToken: null })
    expect(signOuts).toEqual(['inactive'])
  })
  test('is not repeated for a caller whose tokens were exchanged before its call', async () => {
    const { store } = signedInStore()
    const trade = vi.fn(async () => ok)
    const refresh = createRefresh({ store, exclusively, now, trade })
    expect([await refresh(validToken), await refresh(validToken)]).toEqual([true, true])
    expect(trade).toHaveBeenCalledTimes(1)
  })
})

describe('a refresh in several tabs', () => {
  test('uses the tokens that another tab received while this tab waited', async () => {
    const { store } = signedInStore()
    const trade = vi.fn(async () => ok)
    const afterTheOtherTab = async <T>(job: () => Promise<T>) => {
      store.renew(freshTokens)
      return job()
    }
    const refresh = createRefresh({ store, exclusively: afterTheOtherTab, now, trade })
    expect(await refresh()).toBe(true)
    expect(trade).not.toHaveBeenCalled()
  })
  test('[SESS-23] waits for other tabs by a lock of the browser', async () => {
    const request = vi.fn((_name: string, job: () => Promise<boolean>) => job())
    vi.stubGlobal('navigator', { locks: { request } })
    const { store } = signedInStore()
    expect(await createRefresh({ store, now, trade: async () => ok })()).toBe(true)
    expect(request).toHaveBeenCalledExactlyOnceWith('muripo-refresh', expect.any(Function))
  })
  test('[SESS-23] runs once at a time in this tab without locks', async () => {
    vi.stubGlobal('navigator', {})
    const { store } = signedInStore()
    const trade = vi.fn(async () => ok)
    const refresh = createRefresh({ store, now, trade })
    expect(await Promise.all([refresh(), refresh()])).toEqual([true, true])
    expect(trade).toHaveBeenCalledTimes(1)
  })
})
