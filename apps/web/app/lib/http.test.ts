import { afterEach, describe, expect, test, vi } from 'vitest'
import { failureText } from '../api/error-texts.ts'
import { addressOf, exchange, requestInit } from './http.ts'

const answer = (body: string, init: ResponseInit) =>
  vi.stubGlobal('fetch', async () => new Response(body, init))
afterEach(() => vi.unstubAllGlobals())

describe('the result of a call', () => {
  test('[CALLS-05] contains status and data', async () => {
    answer('{"a":1}', { status: 201 })
    expect(await exchange('/v1/x', {})).toEqual({ status: 201, data: { a: 1 }, error: null, message: null })
  })
  test.each([
    ['{"message":"M","error":"E","detail":"D"}', 'M'],
    ['{"error":"E","detail":"D"}', 'E'],
    ['{"detail":"D"}', 'D'],
  ])('[CALLS-06] has the error from message, error or detail: %s', async (body, reported) => {
    answer(body, { status: 422 })
    expect(await exchange('/v1/x', {})).toMatchObject({
      status: 422,
      data: null,
      error: reported,
      message: reported,
    })
  })
  test.each(['', '<html>', '{"message":7}', 'null'])(
    '[CALLS-07] names the HTTP status when the body has no error: %j',
    async (body) => {
      answer(body, { status: 502, statusText: 'Bad Gateway' })
      const result = await exchange('/v1/x', {})
      expect(result.error).toBe('HTTP 502: Bad Gateway')
      expect(failureText(result, 'Failed to load payments')).toBe('Failed to load payments')
    },
  )
  test('[CALLS-08] turns a transport failure into "Network error" with status 0', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('failed to fetch')
    })
    const result = await exchange('/v1/x', {})
    expect(result).toMatchObject({ status: 0, data: null, error: 'Network error' })
    expect(failureText(result, 'Failed to load payments')).toBe(
      'Network error. Please check your connection and try again.',
    )
  })
  test('may have no body', async () => {
    vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }))
    expect(await exchange('/v1/x', {})).toMatchObject({ status: 204, data: null, error: null })
  })
})

describe('a call', () => {
  /** Never answers, and fails as the browser does once it is aborted. */
  const stall = () => {
    const fetch = vi.fn(
      (_address: string, { signal }: RequestInit) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    )
    vi.stubGlobal('fetch', fetch)
    return fetch
  }
  afterEach(() => vi.restoreAllMocks())

  test.each([
    ['GET', 20_000],
    ['POST', 60_000],
  ])('%s ends after %d ms without a response', async (method, limitMs) => {
    stall()
    const limit = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
    queueMicrotask(() => limit.abort())
    expect(await exchange('/v1/x', { method })).toMatchObject({ status: 0, error: 'Network error' })
    expect(timeout).toHaveBeenCalledExactlyOnceWith(limitMs)
  })
  test('ends when its caller cancels it', async () => {
    const fetch = stall()
    const caller = new AbortController()
    const result = exchange('/v1/x', { method: 'GET', signal: caller.signal })
    caller.abort()
    expect(await result).toMatchObject({ status: 0 })
    expect(fetch.mock.calls[0]?.[1].signal?.aborted).toBe(true)
  })
})

describe('a request', () => {
  test('[CALLS-02] [CALLS-03] is JSON and has the bearer token', () => {
    expect(requestInit('PATCH', undefined, 'T').headers).toEqual({
      'content-type': 'application/json',
      authorization: 'Bearer T',
    })
  })
  test('[R-08] has no bearer token without a session', () => {
    expect(requestInit('GET', undefined, null).headers).toEqual({ 'content-type': 'application/json' })
  })
  test('has its parameters in the path, and no empty query values', () => {
    expect(addressOf({ path: '/applications/:applicationId' }, { applicationId: 'a/b' })).toBe(
      '/v1/applications/a%2Fb',
    )
    expect(addressOf({ path: '/payments/all' }, undefined, { limit: 100, search: '', from: undefined })).toBe(
      '/v1/payments/all?limit=100',
    )
  })
})
