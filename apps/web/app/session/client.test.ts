import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { freshTokens, memoryStorage, signedInStore, tokenOf, validToken } from '../../test/session.ts'
import { createClient } from './client.ts'
import { createSessionStore } from './store.ts'

afterEach(() => vi.unstubAllGlobals())

const getX = { method: 'GET', path: '/x', access: 'person', summary: '', reply: {}, errors: [] } as const

const answers = (...statuses: number[]) => {
  const fetch = vi.fn(
    async (_address: string, _init: RequestInit) => new Response('{}', { status: statuses.shift() ?? 200 }),
  )
  vi.stubGlobal('fetch', fetch)
  return fetch
}

describe('after a 401, the authenticated client', () => {
  test('[SESS-32] [SESS-33] refreshes once and retries once with the new token', async () => {
    const { store } = signedInStore()
    const fetch = answers(401, 200)
    const refresh = vi.fn(async () => {
      store.renew(freshTokens)
      return true
    })
    expect((await createClient(store, refresh)(getX)).status).toBe(200)
    expect(refresh).toHaveBeenCalledTimes(1)
    expect(fetch.mock.calls[1]?.[1].headers).toMatchObject({
      authorization: `Bearer ${freshTokens.authToken}`,
    })
  })
  test('does not retry a second time', async () => {
    const fetch = answers(401, 401, 200)
    const { store } = signedInStore()
    expect((await createClient(store, async () => true)(getX)).status).toBe(401)
    expect(fetch).toHaveBeenCalledTimes(2)
  })
  test('[SESS-34] answers "Authentication failed" with 401 when the refresh fails', async () => {
    answers(401)
    const { store } = signedInStore()
    expect(await createClient(store, async () => false)(getX)).toMatchObject({
      status: 401,
      data: null,
      error: 'Authentication failed',
    })
  })
  test('sends the refresh token of the time of its call', async () => {
    answers(401, 200)
    const { store } = signedInStore()
    const refresh = vi.fn(async () => true)
    const call = createClient(store, refresh)(getX)
    store.renew(freshTokens)
    await call
    expect(refresh).toHaveBeenCalledExactlyOnceWith(validToken)
  })
})

describe('a call that the person must confirm', () => {
  const route = { ...getX, method: 'POST', body: z.strictObject({ amount: z.number() }) } as const
  const request = { body: { amount: 1 }, idempotencyKey: 'key-1' }
  function refusedOnce() {
    const fetch = vi.fn(async (_address: string, _init: RequestInit) =>
      fetch.mock.calls.length === 1
        ? Response.json({ code: 'step_up_required', message: 'Confirm' }, { status: 403 })
        : Response.json({}),
    )
    vi.stubGlobal('fetch', fetch)
    return fetch
  }

  test('is sent again, the same under the same key, once it is confirmed', async () => {
    const fetch = refusedOnce()
    const { store } = signedInStore()
    const { status } = await createClient(
      store,
      async () => true,
      async () => true,
    )(route, request)
    expect(status).toBe(200)
    const [first, again] = fetch.mock.calls.map(([address, { signal: _, ...init }]) => [address, init])
    expect(again).toEqual(first)
    expect(fetch.mock.calls[0]?.[1].headers).toMatchObject({ 'idempotency-key': 'key-1' })
  })

  test('ends with its refusal without a confirmation', async () => {
    const fetch = refusedOnce()
    const { store } = signedInStore()
    const result = await createClient(
      store,
      async () => true,
      async () => false,
    )(route, request)
    expect(result).toMatchObject({ status: 403, message: 'Confirm', body: { code: 'step_up_required' } })
    expect(fetch).toHaveBeenCalledOnce()
  })
})

describe('while another tab has opened another merchant', () => {
  const otherMerchant = tokenOf({ id: 'mer_2', sid: 'ses_2', exp: 1 })
  const saved = () => memoryStorage({ authToken: validToken, refreshToken: validToken })

  test('a call for the first one is not sent, and the page follows', async () => {
    const fetch = answers(200)
    const storage = saved()
    const store = createSessionStore(storage)
    const send = createClient(store, async () => true)
    storage.setItem('authToken', otherMerchant)
    expect(await send(getX)).toMatchObject({ status: 401, error: 'Authentication failed' })
    expect(fetch).not.toHaveBeenCalled()
    expect(store.get()).toMatchObject({ user: { id: 'mer_2' } })
  })

  test('a call that the ended session had sent is not repeated with the token of the other one', async () => {
    const fetch = answers(401, 200)
    const storage = saved()
    const send = createClient(createSessionStore(storage), async () => {
      storage.setItem('authToken', otherMerchant)
      return true
    })
    expect(await send(getX)).toMatchObject({ status: 401, error: 'Authentication failed' })
    expect(fetch).toHaveBeenCalledTimes(1)
  })
})

describe('a call of the authenticated client', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    '[CALLS-02] [CALLS-03] [CALLS-04] sends %s as JSON with the stored bearer',
    async (method) => {
      const fetch = answers(200)
      const { store } = signedInStore()
      await createClient(store, async () => true)({ ...getX, method })
      expect(fetch.mock.calls).toEqual([
        [
          '/v1/x',
          {
            method,
            headers: { 'content-type': 'application/json', authorization: `Bearer ${validToken}` },
            signal: expect.any(AbortSignal),
          },
        ],
      ])
    },
  )
  test('[R-08] without a stored token sends no bearer and does not refresh', async () => {
    const fetch = answers(401)
    const refresh = vi.fn(async () => true)
    const result = await createClient(createSessionStore(memoryStorage({})), refresh)(getX)
    expect(result.error).toContain('HTTP 401')
    expect(refresh).not.toHaveBeenCalled()
    expect(fetch.mock.calls[0]?.[1].headers).not.toHaveProperty('authorization')
  })
})
