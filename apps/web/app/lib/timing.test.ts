import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { exchange } from './http.ts'
import { noteServerDate, serverNow } from './timing.ts'

const NOW = Date.parse('2026-11-23T08:00:00Z')
const DAY = 86_400_000
const header = (ms: number) => new Date(ms).toUTCString()

beforeEach(() => vi.useFakeTimers({ now: NOW }))
afterEach(() => {
  noteServerDate(header(Date.now()), Date.now())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the time of the server', () => {
  test.each([
    ['a day ahead', -DAY],
    ['a day behind', DAY],
  ])('is known on a device whose clock is %s', async (_, offset) => {
    vi.stubGlobal('fetch', async () => new Response('{}', { headers: { date: header(NOW + offset) } }))
    await exchange('/v1/x', { method: 'GET' })
    expect(Math.abs(serverNow() - (NOW + offset))).toBeLessThanOrEqual(1000)
  })
  test('is the device’s where whole seconds and the travel time explain the difference', () => {
    noteServerDate(header(NOW - 3000), NOW - 4000)
    expect(serverNow()).toBe(NOW)
  })
  test.each([null, 'soon'])('does not change without a readable date: %j', (date) => {
    noteServerDate(header(NOW + DAY), NOW)
    const known = serverNow()
    noteServerDate(date, NOW)
    expect(serverNow()).toBe(known)
  })
})
