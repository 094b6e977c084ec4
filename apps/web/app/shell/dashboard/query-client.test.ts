import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { createQueryClient } from './query-client.ts'

const failed = (status: number, code?: string) =>
  new ApiError({ status, message: null, error: 'no', body: code ? { code } : null }, 'loadStats')

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** How often a read is sent that always fails in this way. */
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
