import { afterEach, expect, test, vi } from 'vitest'
import { ended, eventOf, until } from '../lib/signals.ts'
import { browserClock } from '../lib/timing.ts'
import { electLeaderTab, type Leadership, type LiveEvent } from './leader-tab.ts'

let browsers = 0
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
  vi.useRealTimers()
})

/** A browser whose tabs share locks and channels, which Node also has. */
function browser(locks: LockManager | null = navigator.locks) {
  browsers += 1
  const name = `test-${browsers}`
  return function openTab({ visible = true } = {}) {
    const page = new EventTarget()
    const events: LiveEvent[] = []
    const leaderships: Leadership[] = []
    let shown = visible
    const close = electLeaderTab({
      name,
      locks,
      clock: browserClock,
      elapsed: () => (listener) => {
        queueMicrotask(listener)
        return () => {}
      },
      isVisible: () => shown,
      visibility: eventOf(page, 'visibilitychange'),
      onMessage: (event) => events.push(event),
      async listen(leadership) {
        leaderships.push(leadership)
        await until(ended(leadership.signal))
      },
    })
    cleanups.push(close)
    return {
      events,
      leaderships,
      close,
      leads: () => leaderships.at(-1)?.signal.aborted === false,
      post: (event: LiveEvent) => leaderships.at(-1)?.post(event),
      show(now: boolean) {
        shown = now
        page.dispatchEvent(new Event('visibilitychange'))
      },
    }
  }
}

const state = (name: 'live' | 'reconnecting', lastMessageAt = 0): LiveEvent => ({
  kind: 'state',
  state: name,
  lastMessageAt,
})
const update: LiveEvent = { kind: 'update', update: { payments: [], more: true } }

test('one of several tabs listens, and all receive the updates', async () => {
  const openTab = browser()
  const [first, second, third] = [openTab(), openTab(), openTab()]
  await expect.poll(first.leads).toBe(true)
  first.post(state('live'))
  first.post(update)
  for (const tab of [first, second, third]) {
    await expect.poll(() => tab.events.filter(({ kind }) => kind === 'update')).toEqual([update])
    expect(tab.events).toContainEqual(state('live'))
  }
  expect([second.leaderships, third.leaderships]).toEqual([[], []])
})

test('a later tab receives the present state', async () => {
  const openTab = browser()
  const first = openTab()
  await expect.poll(first.leads).toBe(true)
  first.post(state('reconnecting', 7))
  const second = openTab()
  await expect.poll(() => second.events).toEqual([state('reconnecting', 7)])
})

test('another tab listens when the listening one is closed, and has the time of the last update', async () => {
  const openTab = browser()
  const [first, second] = [openTab(), openTab()]
  await expect.poll(first.leads).toBe(true)
  first.post(state('live'))
  await expect.poll(() => second.events).toContainEqual(state('live'))
  const closedAt = Date.now()
  first.close()
  await expect.poll(second.leads).toBe(true)
  expect(second.leaderships[0]?.since).toBeGreaterThanOrEqual(closedAt)

  second.post(state('reconnecting', 1234))
  const third = openTab()
  await expect.poll(() => third.events).toContainEqual(state('reconnecting', 1234))
  second.close()
  await expect.poll(third.leads).toBe(true)
  expect(third.leaderships[0]?.since).toBe(1234)
})

test('other merchants in the same browser receive nothing', async () => {
  const [mine, other] = [browser()(), browser()()]
  await expect.poll(() => mine.leads() && other.leads()).toBe(true)
  mine.post(update)
  await expect.poll(() => mine.events.length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(other.events).toEqual([])
})

test('a tab that was never visible does not listen', async () => {
  const openTab = browser()
  const hidden = openTab({ visible: false })
  const seen = openTab()
  await expect.poll(seen.leads).toBe(true)
  expect(hidden.leaderships).toEqual([])
  hidden.show(true)
  seen.close()
  await expect.poll(hidden.leads).toBe(true)
})

const MINUTE = 60_000

test('a tab that is hidden for five minutes releases the stream, and has the time without updates when it is visible again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const openTab = browser()
  const tab = openTab()
  await vi.waitUntil(tab.leads)
  tab.post(state('live'))
  tab.show(false)
  await vi.advanceTimersByTimeAsync(5 * MINUTE - 1)
  tab.show(true)
  tab.show(false)
  await vi.advanceTimersByTimeAsync(5 * MINUTE - 1)
  expect(tab.leads()).toBe(true)
  const letGoAt = Date.now() + 1
  await vi.advanceTimersByTimeAsync(1)
  expect(tab.leads()).toBe(false)
  await vi.advanceTimersByTimeAsync(10 * MINUTE)
  tab.show(true)
  await vi.waitUntil(tab.leads)
  expect(tab.leaderships).toHaveLength(2)
  expect(tab.leaderships[1]?.since).toBe(letGoAt)
})

test('without locks each visible tab listens for itself', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const openTab = browser(null)
  const [first, second] = [openTab(), openTab()]
  await vi.waitUntil(() => first.leads() && second.leads())
  first.post(update)
  expect(first.events).toEqual([update])
  expect(second.events).toEqual([])
  second.show(false)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(second.leads()).toBe(false)
  expect(first.leads()).toBe(true)
})
