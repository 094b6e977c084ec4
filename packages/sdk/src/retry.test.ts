import { expect, onTestFinished, test, vi } from 'vitest'
import { pauseMs } from './retry.ts'

test('the pause doubles, and is random from half of it to all of it', () => {
  expect([0, 1].map((retry) => [pauseMs(retry, null, () => 0), pauseMs(retry, null, () => 1)])).toEqual([
    [250, 500],
    [500, 1000],
  ])
})

test('the pause of the gateway is in seconds or a date', () => {
  expect(pauseMs(0, '7')).toBe(7000)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T09:30:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  expect(pauseMs(0, 'Fri, 20 Nov 2026 09:30:05 GMT')).toBe(5000)
  expect(pauseMs(0, 'Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0)
  expect(pauseMs(0, 'soon', () => 1)).toBe(500)
  expect(pauseMs(0, '3600')).toBeNull()
})
