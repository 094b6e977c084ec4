import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import type { ApiResult } from '../lib/http.ts'
import { createClient } from './client.ts'
import { createRefresh } from './refresh.ts'
import { useSession } from './session.ts'
import { createSessionStore, decodeToken, type SignOutReason } from './store.ts'

const NOW = 1_800_000_000_000
const token = (payload: unknown) => `h.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.s`
const good = token({ id: 'mer_1', exp: NOW / 1000 + 60 })
const expired = token({ id: 'mer_1', exp: NOW / 1000 - 1 })
const fresh = {
  authToken: token({ id: 'mer_1', exp: NOW / 1000 + 900 }),
  refreshToken: token({ id: 'mer_1', exp: NOW / 1000 + 9000 }),
}

function storage(initial: Record<string, string>) {
  const saved = new Map(Object.entries(initial))
  return {
    getItem: (key: string) => saved.get(key) ?? null,
    setItem: (key: string, value: string) => void saved.set(key, value),
    removeItem: (key: string) => void saved.delete(key),
  }
}

function signedIn(refreshToken: string | null = good) {
  const store = createSessionStore(
    storage({ authToken: good, ...(refreshToken === null ? {} : { refreshToken }) }),
  )
  const left: SignOutReason[] = []
  store.onSignedOut((reason, here) => here && left.push(reason))
  return { store, left }
}

const ok = (data: typeof fresh): ApiResult<typeof fresh> => ({
  status: 200,
  data,
  error: null,
  message: null,
})
const refused: ApiResult<never> = { status: 401, data: null, error: 'no', message: 'no' }
const Status = () => createElement('output', null, useSession().status)
const exclusively = <T>(job: () => Promise<T>) => job()

let warnings: MockInstance
beforeEach(() => {
  warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.unstubAllGlobals()
  warnings.mockClear()
})

describe('a token', () => {
  test('[SESS-02] carries id and exp', () =>
    expect(decodeToken(good)).toEqual({ id: 'mer_1', exp: NOW / 1000 + 60 }))
  test('is read with letters beyond ASCII', () =>
    expect(decodeToken(token({ id: 'Rūdo', exp: 1 }))?.id).toBe('Rūdo'))
  test.each(['', 'abc', 'a.b.c', 'a.%%.c', token(null), token({ id: 7, exp: 1 }), token({ id: 'x' })])(
    'that is malformed is null: %j',
    (text) => expect(decodeToken(text)).toBeNull(),
  )
})

describe('the session', () => {
  test('[SESS-05] [SESS-07] a stored token signs in, with the id from it', () => {
    expect(signedIn().store.get()).toEqual({ status: 'authenticated', user: { id: 'mer_1' } })
  })
  test('[R-24] an expired stored token still counts as signed in', () => {
    expect(createSessionStore(storage({ authToken: expired })).get().status).toBe('authenticated')
  })
  test('[SESS-38] a token that cannot be decoded is only logged', () => {
    expect(createSessionStore(storage({ authToken: 'broken' })).get()).toEqual({
      status: 'authenticated',
      user: null,
    })
    expect(warnings).toHaveBeenCalledTimes(1)
  })
  test('[SESS-01] [SESS-08] [SESS-09] login stores both tokens under their names', () => {
    const saved = storage({})
    const store = createSessionStore(saved)
    expect(store.get().status).toBe('unauthenticated')
    store.logIn(fresh)
    expect(saved.getItem('authToken')).toBe(fresh.authToken)
    expect(saved.getItem('refreshToken')).toBe(fresh.refreshToken)
    expect(store.get().status).toBe('authenticated')
  })
  test('[SESS-11] [SESS-12] logout removes both tokens, clears the user and is reported once', () => {
    const { store, left } = signedIn()
    store.logOut('signed-out')
    store.logOut('signed-out')
    expect(store.tokens()).toEqual({ authToken: null, refreshToken: null })
    expect(store.get()).toEqual({ status: 'unauthenticated' })
    expect(left).toEqual(['signed-out'])
  })
  test('[SESS-03] the user is {id} and nothing else', () => {
    expect(signedIn().store.get()).toEqual({ status: 'authenticated', user: { id: 'mer_1' } })
  })
  test('[SESS-04] is loading where no browser is, which is what the first paint shows', () => {
    expect(renderToString(createElement(Status))).toBe('<output>loading</output>')
  })
  test.each(['signed-out', 'inactive'] as const)('notifies another tab that it is %s', (reason) => {
    const saved = storage({ authToken: good, refreshToken: good })
    const [here, elsewhere] = [createSessionStore(saved), createSessionStore(saved)]
    const received = vi.fn()
    elsewhere.onSignedOut(received)
    here.logOut(reason)
    elsewhere.reload()
    elsewhere.reload()
    expect(received.mock.calls).toEqual([[reason, false]])
    expect(elsewhere.get()).toEqual({ status: 'unauthenticated' })
  })
})

describe('a refresh', () => {
  test('[SESS-21] stores the new tokens', async () => {
    const { store, left } = signedIn()
    const refresh = createRefresh({ store, exclusively, now: () => NOW, trade: async () => ok(fresh) })
    expect(await refresh()).toBe(true)
    expect(store.tokens()).toEqual(fresh)
    expect(left).toEqual([])
  })
  test('[SESS-23] [SESS-24] runs once for all concurrent callers', async () => {
    const { store } = signedIn()
    const trade = vi.fn(async () => ok(fresh))
    const refresh = createRefresh({ store, exclusively, now: () => NOW, trade })
    expect(await Promise.all([refresh(), refresh(), refresh()])).toEqual([true, true, true])
    expect(trade).toHaveBeenCalledTimes(1)
  })
  test('uses the tokens that another tab received while this one waited for its turn', async () => {
    const { store } = signedIn()
    const trade = vi.fn(async () => ok(fresh))
    const afterTheOtherTab = async <T>(job: () => Promise<T>) => {
      store.renew(fresh)
      return job()
    }
    const refresh = createRefresh({ store, exclusively: afterTheOtherTab, now: () => NOW, trade })
    expect(await refresh()).toBe(true)
    expect(trade).not.toHaveBeenCalled()
  })
  test.each([
    ['[SESS-26] without a refresh token', null],
    ['[SESS-27] with an expired one', expired],
    ['[SESS-28] with a malformed one', 'broken'],
  ])('%s fails and signs out, without a call', async (_, stored) => {
    const { store, left } = signedIn(stored)
    const trade = vi.fn(async () => ok(fresh))
    expect(await createRefresh({ store, exclusively, now: () => NOW, trade })()).toBe(false)
    expect(trade).not.toHaveBeenCalled()
    expect(left).toEqual(['signed-out'])
  })
  test.each([['[SESS-29] the server refuses', refused]])('signs out when %s', async (_, result) => {
    const { store, left } = signedIn()
    expect(await createRefresh({ store, exclusively, now: () => NOW, trade: async () => result })()).toBe(
      false,
    )
    expect(left).toEqual(['signed-out'])
    expect(store.tokens()).toEqual({ authToken: null, refreshToken: null })
  })
  describe('whose answer is lost', () => {
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
    ])('is sent again until %s', async (_, result) => {
      const { store, left } = signedIn()
      const trade = vi
        .fn(async () => ok(fresh))
        .mockResolvedValueOnce(result)
        .mockResolvedValueOnce(result)
      const refreshed = createRefresh({ store, exclusively, trade })()
      await vi.advanceTimersByTimeAsync(5000)
      expect(await refreshed).toBe(true)
      expect(trade).toHaveBeenCalledTimes(3)
      expect([store.tokens(), left]).toEqual([fresh, []])
    })
    test.each([
      ['[SESS-30] without a network', async () => lost],
      ['[SESS-29] with a server that is too busy', async () => busyServer],
      ['on a line that stalls', stalled],
    ])('%s signs out after 20 seconds, and holds the lock no longer', async (_, trade) => {
      const { store, left } = signedIn()
      const refreshed = createRefresh({ store, exclusively, trade })()
      await vi.advanceTimersByTimeAsync(15_000)
      expect([store.tokens().refreshToken, left]).toEqual([good, []])
      await vi.advanceTimersByTimeAsync(5000)
      expect(await refreshed).toBe(false)
      expect(left).toEqual(['signed-out'])
    })
    test('is not sent again after the user signed out', async () => {
      const { store } = signedIn()
      const trade = vi.fn(async () => lost)
      const refreshed = createRefresh({ store, exclusively, trade })()
      await vi.advanceTimersByTimeAsync(1)
      store.logOut('signed-out')
      await vi.advanceTimersByTimeAsync(20_000)
      expect(await refreshed).toBe(false)
      expect(trade).toHaveBeenCalledTimes(1)
    })
  })

  test('[CALLS-10] a refusal is logged with its status and body, and nothing else is shown', async () => {
    const body = { code: 'refresh_invalid', message: 'The session has ended' }
    const { store } = signedIn()
    await createRefresh({ store, exclusively, now: () => NOW, trade: async () => ({ ...refused, body }) })()
    expect(warnings.mock.calls).toEqual([[expect.any(String), { status: 401, body }]])
  })
  test('[CALLS-09] [CALLS-10] goes over the wire as {refreshToken}, and the answer is stored', async () => {
    const fetch = vi.fn(async (_address: string, _init: RequestInit) => Response.json(fresh))
    vi.stubGlobal('fetch', fetch)
    const { store } = signedIn()
    expect(await createRefresh({ store, exclusively, now: () => NOW })()).toBe(true)
    const [address, init] = fetch.mock.calls[0] ?? []
    expect([init?.method, address]).toEqual(['POST', '/v1/auth/refresh-token'])
    expect(JSON.parse(String(init?.body))).toEqual({ refreshToken: good })
    expect(store.tokens()).toEqual(fresh)
  })
  test('does not sign in again after a sign-out during it', async () => {
    const { store, left } = signedIn()
    const trade = async () => {
      store.logOut('inactive')
      return ok(fresh)
    }
    expect(await createRefresh({ store, exclusively, now: () => NOW, trade })()).toBe(false)
    expect(store.tokens()).toEqual({ authToken: null, refreshToken: null })
    expect(left).toEqual(['inactive'])
  })
  test('is not repeated for a caller whose tokens were exchanged before its call', async () => {
    const { store } = signedIn()
    const trade = vi.fn(async () => ok(fresh))
    const refresh = createRefresh({ store, exclusively, now: () => NOW, trade })
    expect([await refresh(good), await refresh(good)]).toEqual([true, true])
    expect(trade).toHaveBeenCalledTimes(1)
  })
  test('[SESS-23] takes its turn over all tabs by a lock of the browser', async () => {
    const request = vi.fn((_name: string, job: () => Promise<boolean>) => job())
    vi.stubGlobal('navigator', { locks: { request } })
    const { store } = signedIn()
    expect(await createRefresh({ store, now: () => NOW, trade: async () => ok(fresh) })()).toBe(true)
    expect(request).toHaveBeenCalledExactlyOnceWith('muripo-refresh', expect.any(Function))
  })
  test('[SESS-23] still runs once in this tab where there are no locks', async () => {
    vi.stubGlobal('navigator', {})
    const { store } = signedIn()
    const trade = vi.fn(async () => ok(fresh))
    const refresh = createRefresh({ store, now: () => NOW, trade })
    expect(await Promise.all([refresh(), refresh()])).toEqual([true, true])
    expect(trade).toHaveBeenCalledTimes(1)
  })
})

describe('the authenticated client', () => {
  const answers = (...statuses: number[]) => {
    const fetch = vi.fn(
      async (_address: string, _init: RequestInit) => new Response('{}', { status: statuses.shift() ?? 200 }),
    )
    vi.stubGlobal('fetch', fetch)
    return fetch
  }
  test('[SESS-32] [SESS-33] on a 401 refreshes once and retries once with the new token', async () => {
    const { store } = signedIn()
    const fetch = answers(401, 200)
    const refresh = vi.fn(async () => {
      store.renew(fresh)
      return true
    })
    expect((await createClient(store, refresh)('GET', '/x')).status).toBe(200)
    expect(refresh).toHaveBeenCalledTimes(1)
    expect(fetch.mock.calls[1]?.[1].headers).toMatchObject({ authorization: `Bearer ${fresh.authToken}` })
  })
  test('does not retry a second time', async () => {
    const fetch = answers(401, 401, 200)
    const { store } = signedIn()
    expect((await createClient(store, async () => true)('GET', '/x')).status).toBe(401)
    expect(fetch).toHaveBeenCalledTimes(2)
  })
  test('[SESS-34] answers "Authentication failed" with 401 when the refresh fails', async () => {
    answers(401)
    const { store } = signedIn()
    expect(await createClient(store, async () => false)('GET', '/x')).toMatchObject({
      status: 401,
      data: null,
      error: 'Authentication failed',
    })
  })
  test('sends the refresh token that its call went out with', async () => {
    answers(401, 200)
    const { store } = signedIn()
    const refresh = vi.fn(async () => true)
    const call = createClient(store, refresh)('GET', '/x')
    store.renew(fresh)
    await call
    expect(refresh).toHaveBeenCalledExactlyOnceWith(good)
  })
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    '[CALLS-02] [CALLS-03] [CALLS-04] sends %s as JSON with the stored bearer',
    async (method) => {
      const fetch = answers(200)
      const { store } = signedIn()
      await createClient(store, async () => true)(method, '/x')
      expect(fetch.mock.calls).toEqual([
        [
          '/v1/x',
          {
            method,
            headers: { 'content-type': 'application/json', authorization: `Bearer ${good}` },
            signal: expect.any(AbortSignal),
          },
        ],
      ])
    },
  )
  test('[R-08] without a stored token sends no bearer and does not refresh', async () => {
    const fetch = answers(401)
    const refresh = vi.fn(async () => true)
    const result = await createClient(createSessionStore(storage({})), refresh)('GET', '/x')
    expect(result.error).toContain('HTTP 401')
    expect(refresh).not.toHaveBeenCalled()
    expect(fetch.mock.calls[0]?.[1].headers).not.toHaveProperty('authorization')
  })
})
