import { expect, test, vi } from 'vitest'
import { cachedFor } from './shared-reads.ts'

test('concurrent callers share one read, whose result is cached for its time, and whose failure is not', async () => {
  let now = 0
  const read = vi.fn(async () => `read ${read.mock.calls.length}`)
  const cached = cachedFor({ now: () => new Date(now) }, 1000, read)
  read.mockRejectedValueOnce(new Error('away'))
  await expect(Promise.all([cached(), cached()])).rejects.toThrow('away')
  expect(await Promise.all([cached(), cached()])).toEqual(['read 2', 'read 2'])
  now = 999
  expect(await cached()).toBe('read 2')
  now = 1000
  expect(await cached()).toBe('read 3')
})
