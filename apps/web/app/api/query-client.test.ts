import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryStorage, NOW, tokenOf } from '../../test/session.ts'
import { createSessionStore, type SessionStore } from '../session/store.ts'
import { ApiError } from './api-error.ts'
import { createQueryClient, createSessionQueries } from './query-client.ts'

const failed = (status: number, code?: string) =>
  new ApiError({ status, message: null, error: 'no', body: code ? { code } : null }, 'loadStats')

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** The number of requests of a read that always fails in this way. */
async function sent(error: Error): Promise<number> {
  const queryFn = vi.fn().mockRejectedValue(error)
  const read = createQueryClient(() => {}).fetchQuery({ queryKey: ['x'], queryFn, meta: { quiet: true } })
  const ended = expect(read).rejects.toBe(error)
  await vi.advanceTimersByTimeAsync(2000)
  await ended
  return queryFn.mock.calls.length
}

describe('a read', () => {
  test.each([
    ['without an answer', failed(0)],
    ['that a proxy answered', failed(502)],
    ['that met too many requests', failed(503, 'overloaded')],
    ['that arrived too slowly', failed(408, 'request_too_slow')],
  ])('%s is sent three times', async (_, error) => expect(await sent(error)).toBe(3))

  test.each([
    ['that is refused', failed(404, 'not_found')],
    ['that is over its rate limit', failed(429, 'rate_limited')],
    ['that met a bug of the server', failed(500, 'internal_error')],
    ['without a place on the disk', failed(503, 'storage_low')],
    ['whose answer has no sense', new Error('Invalid application data received')],
  ])('%s is sent once', async (_, error) => expect(await sent(error)).toBe(1))
})

test('a write is sent once', async () => {
  const mutationFn = vi.fn().mockRejectedValue(failed(0))
  const client = createQueryClient(() => {})
  const write = client.getMutationCache().build(client, { mutationFn }).execute(undefined)
  await expect(write).rejects.toThrow('Network error')
  expect(mutationFn).toHaveBeenCalledTimes(1)
})

describe('the queries of a session', () => {
  const tokensOf = (id: string) => ({ authToken: tokenOf({ id, exp: NOW / 1000 + 60 }), refreshToken: id })

  function signedIn() {
    const store = createSessionStore(memoryStorage({}))
    store.logIn(tokensOf('mer_1'))
    return { store, queries: createSessionQueries(store) }
  }

  test.each([
    ['a sign-out', (store: SessionStore) => store.logOut('signed-out')],
    ['a sign-in of another merchant', (store: SessionStore) => store.logIn(tokensOf('mer_2'))],
  ])('are gone after %s, with a response that arrives later', async (_, end) => {
    const { store, queries } = signedIn()
    const earlier = queries.client()
    earlier.setQueryData(['loaded'], 'of mer_1')
    const response = Promise.withResolvers<string>()
    const aborted = vi.fn()
    const read = earlier.fetchQuery({
      queryKey: ['arriving'],
      queryFn: ({ signal }) => {
        signal.addEventListener('abort', aborted)
        return response.promise
      },
    })
    read.catch(() => {})
    end(store)
    expect(aborted).toHaveBeenCalledTimes(1)
    response.resolve('of mer_1')
    await read.catch(() => {})
    store.logIn(tokensOf('mer_2'))
    expect(queries.client()).not.toBe(earlier)
    for (const client of [earlier, queries.client()]) expect(client.getQueryCache().getAll()).toEqual([])
  })

  test('stay while the tokens of the same merchant are renewed', () => {
    const { store, queries } = signedIn()
    queries.client().setQueryData(['loaded'], 'of mer_1')
    store.renew(tokensOf('mer_1'))
    store.reload()
    expect(queries.client().getQueryData(['loaded'])).toBe('of mer_1')
  })

  test('show a failure from before the dashboard, and not in the next session', async () => {
    const { store, queries } = signedIn()
    const fail = () =>
      queries
        .client()
        .fetchQuery({ queryKey: ['x'], queryFn: () => Promise.reject(failed(404)) })
        .catch(() => {})
    await fail()
    const shown = vi.fn()
    const stop = queries.onLoadError(shown)
    expect(shown).toHaveBeenCalledTimes(1)
    stop()
    await fail()
    store.logOut('signed-out')
    queries.onLoadError(shown)
    expect(shown).toHaveBeenCalledTimes(1)
  })
})
