import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { PaymentId } from '@muripo/contract/ids'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { browserClock } from '../lib/timing.ts'
import { createLiveStore } from './live-store.ts'

const SECOND = 1000
const idOf = (n: number) => PaymentId.parse(`pay_${String(n).padStart(26, '0')}`)

function open() {
  const store = createLiveStore(browserClock)
  return {
    ...store,
    becomes: store.noteState,
    publish: (...numbers: number[]) =>
      store.publish({
        payments: numbers.map((n) => ({ paymentId: idOf(n) }) as DashboardPayment),
        more: false,
      }),
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})
const pass = (ms: number) => vi.advanceTimersByTime(ms)

test('an automatic change is marked for ten seconds, counted from the last change', () => {
  const { publish, updated } = open()
  publish(1, 2)
  pass(6 * SECOND)
  publish(2)
  pass(4 * SECOND - 1)
  expect([1, 2, 3].map((n) => updated.has(idOf(n)))).toEqual([true, true, false])
  pass(1)
  expect([1, 2].map((n) => updated.has(idOf(n)))).toEqual([false, true])
  pass(6 * SECOND - 1)
  expect(updated.has(idOf(2))).toBe(true)
  pass(1)
  expect(updated.has(idOf(2))).toBe(false)
})

test('a lost connection is shown while it lasts', () => {
  const { becomes, get } = open()
  becomes('live')
  becomes('reconnecting')
  pass(2 * SECOND - 1)
  becomes('live')
  pass(10 * SECOND)
  expect(get().loss).toBeNull()
  becomes('reconnecting')
  pass(2 * SECOND)
  expect(get().loss).toBe('reconnecting')
  becomes('paused')
  expect(get().loss).toBe('paused')
  becomes('live')
  expect(get().loss).toBeNull()
})

test('a lost connection over several attempts is shown in time', () => {
  const { becomes, get } = open()
  for (let times = 0; times < 3; times += 1) {
    becomes('reconnecting')
    pass(SECOND)
  }
  expect(get().loss).toBe('reconnecting')
})

test('screen readers announce the number of changes, at most every ten seconds', () => {
  const { publish, get } = open()
  publish(1)
  expect(get().announced).toBe(1)
  publish(2, 3)
  publish(3)
  pass(5 * SECOND)
  expect(get().announced).toBe(0)
  pass(5 * SECOND)
  expect(get().announced).toBe(2)
  pass(60 * SECOND)
  expect(get().announced).toBe(0)
})

test('a subscriber receives each update until it unsubscribes', () => {
  const { onUpdate, publish } = createLiveStore(browserClock)
  const reader = vi.fn()
  const stop = onUpdate(reader)
  const update = { payments: [], more: true }
  publish(update)
  stop()
  publish(update)
  expect(reader.mock.calls).toEqual([[update]])
})
