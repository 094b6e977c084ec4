import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { memoryStorage, merchantToken, NOW } from '../../test/session.ts'
import type { KeyValue } from '../lib/storage.ts'
import { browserClock } from '../lib/timing.ts'
import { ACTIVITY_EVENTS, createActivity, createEngine, LAST_ACTIVITY } from './inactivity.ts'
import { createSessionStore } from './store.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const lasting = { authToken: merchantToken(600 * SECOND), refreshToken: merchantToken(12 * 60 * MINUTE) }

const stops: (() => void)[] = []

/** A tab of a browser: its own page and engine over the storage that all tabs share. */
function openTab(stored: KeyValue) {
  const page = new EventTarget()
  const store = createSessionStore(stored)
  const refresh = vi.fn(async () => true)
  const signOutInactive = vi.fn(() => store.logOut('inactive'))
  const warnOfExpiry = vi.fn()
  const activity = createActivity(stored, browserClock)
  const clock = browserClock
  stops.push(createEngine({ store, activity, clock, refresh, signOutInactive, warnOfExpiry }).start(page))
  return {
    page,
    store,
    refresh,
    signOutInactive,
    warnOfExpiry,
    act: () => page.dispatchEvent(new Event('click')),
  }
}

const signedInTab = (tokens: Record<string, string> = lasting) => openTab(memoryStorage(tokens))
const pass = (ms: number) => vi.advanceTimersByTime(ms)

let warnings: MockInstance
beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.useRealTimers()
  warnings.mockClear()
})

describe('inactivity', () => {
  test('[SESS-06] [SESS-16] signs out 6 minutes after the load when nothing happens', () => {
    const tab = signedInTab()
    pass(6 * MINUTE - 1)
    expect(tab.signOutInactive).not.toHaveBeenCalled()
    pass(1)
    expect(tab.signOutInactive).toHaveBeenCalledTimes(1)
    expect(tab.store.get().status).toBe('unauthenticated')
  })
  test('[SESS-17] is checked every 30 s', () => {
    const tab = signedInTab()
    pass(10 * SECOND)
    tab.act()
    // Idle for 6 minutes at 6:10, which the next check detects.
    pass(6 * MINUTE + 19 * SECOND)
    expect(tab.signOutInactive).not.toHaveBeenCalled()
    pass(SECOND)
    expect(tab.signOutInactive).toHaveBeenCalledTimes(1)
  })
  test.each(['mousedown', 'mousemove', 'keypress', 'scroll', 'touchstart', 'click', 'input'])(
    '[SESS-18] ends with %s',
    (event) => {
      const tab = signedInTab()
      pass(5 * MINUTE)
      tab.page.dispatchEvent(new Event(event))
      pass(5 * MINUTE)
      expect(tab.signOutInactive).not.toHaveBeenCalled()
      pass(MINUTE)
      expect(tab.signOutInactive).toHaveBeenCalledTimes(1)
    },
  )
  test('[SESS-18] ends with no other events', () => {
    // An on-screen keyboard sends `input` and no `keypress`.
    expect([...ACTIVITY_EVENTS].sort()).toEqual(
      ['mousedown', 'mousemove', 'keypress', 'scroll', 'touchstart', 'click', 'input'].sort(),
    )
    const tab = signedInTab()
    pass(5 * MINUTE)
    for (const event of ['keydown', 'focus', 'pointermove', 'wheel']) tab.page.dispatchEvent(new Event(event))
    pass(MINUTE)
    expect(tab.signOutInactive).toHaveBeenCalledTimes(1)
  })
})

describe('the time of inactivity', () => {
  test('is counted over all tabs: a tab is not signed out while the user works in another', () => {
    const stored = memoryStorage(lasting)
    const [quiet, busy] = [openTab(stored), openTab(stored)]
    for (let minutes = 0; minutes < 20; minutes += 2) {
      pass(2 * MINUTE)
      busy.act()
    }
    expect(quiet.signOutInactive).not.toHaveBeenCalled()
    expect(quiet.refresh.mock.calls.length).toBeGreaterThan(0)
  })
  test('[SESS-10] restarts at a login', () => {
    const tab = openTab(memoryStorage({ [LAST_ACTIVITY]: String(NOW - 60 * MINUTE) }))
    pass(20 * MINUTE)
    tab.store.logIn(lasting)
    pass(6 * MINUTE - 1)
    expect(tab.signOutInactive).not.toHaveBeenCalled()
    pass(1)
    expect(tab.signOutInactive).toHaveBeenCalledTimes(1)
  })
  test('is not counted without a session', () => {
    const tab = openTab(memoryStorage())
    pass(60 * MINUTE)
    expect(tab.signOutInactive).not.toHaveBeenCalled()
    expect(tab.refresh).not.toHaveBeenCalled()
  })
  test('is not reset by the movement that wakes a machine', () => {
    const tab = signedInTab()
    pass(MINUTE)
    vi.setSystemTime(NOW + 60 * MINUTE)
    tab.page.dispatchEvent(new Event('mousemove'))
    expect(tab.signOutInactive).toHaveBeenCalledTimes(1)
  })
  test('restarts when the clock is set back', () => {
    const tab = signedInTab()
    vi.setSystemTime(NOW - 24 * 60 * MINUTE)
    pass(6 * MINUTE)
    expect(tab.signOutInactive).not.toHaveBeenCalled()
    pass(MINUTE)
    expect(tab.signOutInactive).toHaveBeenCalledTimes(1)
  })
})

describe('the periodic refresh', () => {
  test('[SESS-19] [SESS-20] runs every 5 minutes when the user was active in the last 4', () => {
    const tab = signedInTab()
    pass(MINUTE)
    tab.act()
    pass(4 * MINUTE - 1)
    expect(tab.refresh).not.toHaveBeenCalled()
    pass(1)
    expect(tab.refresh).toHaveBeenCalledTimes(1)
    pass(SECOND)
    tab.act()
    pass(5 * MINUTE - SECOND)
    // 4:59 idle.
    expect(tab.refresh).toHaveBeenCalledTimes(1)
    tab.act()
    pass(3 * MINUTE)
    tab.act()
    pass(2 * MINUTE)
    expect(tab.refresh).toHaveBeenCalledTimes(2)
  })
  test('[SESS-20] does not run when the last activity is more than 4 minutes ago', () => {
    const tab = signedInTab()
    pass(MINUTE - 1)
    tab.act()
    pass(4 * MINUTE + 1)
    expect(tab.refresh).not.toHaveBeenCalled()
  })
  test('[SESS-22] a refresh does not count as activity', () => {
    const tab = signedInTab()
    tab.refresh.mockImplementation(async () => {
      tab.store.renew(lasting)
      return true
    })
    pass(2 * MINUTE)
    tab.act()
    pass(3 * MINUTE)
    expect(tab.refresh).toHaveBeenCalledTimes(1)
    pass(3 * MINUTE)
    expect(tab.signOutInactive).toHaveBeenCalledTimes(1)
  })
})

describe('the expiry warning', () => {
  const withLeft = (ms: number) => signedInTab({ ...lasting, refreshToken: merchantToken(ms) })

  test('[SESS-35] [SESS-36] is shown once, 1 s after the load with less than 3600 s left', () => {
    const tab = withLeft(3600 * SECOND)
    pass(SECOND - 1)
    expect(tab.warnOfExpiry).not.toHaveBeenCalled()
    pass(1)
    expect(tab.warnOfExpiry).toHaveBeenCalledTimes(1)
    for (let minutes = 0; minutes < 30; minutes += 1) {
      pass(MINUTE)
      tab.act()
    }
    expect(tab.warnOfExpiry).toHaveBeenCalledTimes(1)
  })
  test('[SESS-35] is not shown with 3600 s left', () => {
    const tab = withLeft(3601 * SECOND)
    pass(SECOND)
    expect(tab.warnOfExpiry).not.toHaveBeenCalled()
  })
  test('[R-24] is not shown after the expiry', () => {
    const tab = withLeft(SECOND)
    pass(2 * SECOND)
    expect(tab.warnOfExpiry).not.toHaveBeenCalled()
  })
  test('[SESS-36] is not shown after a login, but only for a stored session', () => {
    const tab = openTab(memoryStorage())
    tab.store.logIn({ ...lasting, refreshToken: merchantToken(60 * SECOND) })
    pass(5 * SECOND)
    expect(tab.warnOfExpiry).not.toHaveBeenCalled()
  })
  test('[SESS-38] [R-09] a token that cannot be decoded is only logged', () => {
    const tab = signedInTab({ ...lasting, refreshToken: 'broken' })
    pass(SECOND)
    expect(warnings).toHaveBeenCalledTimes(1)
    expect(tab.warnOfExpiry).not.toHaveBeenCalled()
    expect(tab.store.get().status).toBe('authenticated')
  })
})
