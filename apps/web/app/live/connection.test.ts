import { LIVE_BEAT_MS } from '@muripo/contract/constants'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventOf } from '../lib/signals.ts'
import { browserClock } from '../lib/timing.ts'
import { REFRESH_IF_ACTIVE_WITHIN_MS } from '../session/inactivity.ts'
import { type Ending, keepConnected, type LiveState, type Reading } from './connection.ts'

const SECOND = 1000

/** A browser with a scripted network, user and server. */
function browser() {
  const page = new EventTarget()
  const stopping = new AbortController()
  const states: LiveState[] = []
  const missed: number[] = []
  const attempts: { at: number; token: string; reading: Reading; end: (ending: Ending) => void }[] = []
  const startedAt = Date.now()
  const play = {
    online: true,
    visible: true,
    idleMs: 0,
    tokens: { authToken: 'first', refreshToken: 'first' } as {
      authToken: string | null
      refreshToken: string | null
    },
  }
  const refresh = vi.fn(async (_seen?: string | null) => {
    play.tokens = { authToken: 'second', refreshToken: 'second' }
    return true
  })
  const done = keepConnected(
    {
      read: (reading) =>
        new Promise((end) => {
          attempts.push({ at: Date.now() - startedAt, token: reading.authToken, reading, end })
          reading.signal.addEventListener('abort', () => end('lost'))
        }),
      tokens: () => play.tokens,
      refresh,
      idleMs: () => play.idleMs,
      isVisible: () => play.visible,
      visibility: eventOf(page, 'visibilitychange'),
      isOnline: () => play.online,
      online: eventOf(page, 'online'),
      offline: eventOf(page, 'offline'),
      activity: eventOf(page, 'click'),
      clock: browserClock,
      elapsed: (ms) => (listener) => browserClock.after(ms, listener),
      chance: () => 1,
    },
    {
      signal: stopping.signal,
      onState: (state) => states.push(state),
      onOpen: (ms) => missed.push(ms),
      onUpdate: () => {},
    },
  )
  const last = () => {
    const attempt = attempts.at(-1)
    if (!attempt) throw new Error('nothing was tried')
    return attempt
  }
  return {
    play,
    page,
    states,
    missed,
    attempts,
    refresh,
    done,
    last,
    stop: () => stopping.abort(),
    open: () => last().reading.onOpen(),
    async end(ending: Ending) {
      last().end(ending)
      await pass(0)
    },
    async set(change: Partial<typeof play>, event: 'online' | 'offline' | 'click' | 'visibilitychange') {
      Object.assign(play, change)
      page.dispatchEvent(new Event(event))
      await pass(0)
    },
  }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a lost stream is retried after 1, 2, 4, 8, 16 and then every 30 seconds', async () => {
  const { attempts, end, stop } = browser()
  for (const [count, restMs] of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
    await end('lost')
    await pass(restMs - 1)
    expect(attempts).toHaveLength(count + 1)
    await pass(1)
    expect(attempts).toHaveLength(count + 2)
  }
  stop()
})

test('the pauses restart after a long stream, and continue after a short one', async () => {
  const { attempts, open, end, stop } = browser()
  await end('lost')
  await pass(1000)
  open()
  await pass(9 * SECOND)
  await end('lost')
  await pass(1999)
  expect(attempts).toHaveLength(2)
  await pass(1)
  open()
  await pass(10 * SECOND)
  await end('lost')
  await pass(1000)
  expect(attempts).toHaveLength(4)
  stop()
})

test('a stream is not retried without a network, and at once when the network returns', async () => {
  const { attempts, states, open, set, stop } = browser()
  open()
  await set({ online: false }, 'offline')
  expect(states).toEqual(['live', 'paused'])
  await pass(60 * SECOND)
  expect(attempts).toHaveLength(1)
  await set({ online: true }, 'online')
  expect(attempts).toHaveLength(2)
  stop()
})

const hide = { visible: false }
const show = { visible: true }

test('a page that is hidden for half a minute gives its stream back, and knows what it missed when it is visible again', async () => {
  const { attempts, last, missed, open, set, states, stop } = browser()
  open()
  await set(hide, 'visibilitychange')
  await pass(29 * SECOND)
  last().reading.onData()
  await set(show, 'visibilitychange')
  await set(hide, 'visibilitychange')
  await pass(30 * SECOND - 1)
  expect(last().reading.signal.aborted).toBe(false)
  await pass(1)
  expect(last().reading.signal.aborted).toBe(true)
  await pass(60 * SECOND)
  expect(attempts).toHaveLength(1)
  await set(show, 'visibilitychange')
  expect(attempts).toHaveLength(2)
  open()
  expect(states).toEqual(['live', 'live'])
  expect(missed.at(-1)).toBe(90 * SECOND)
  stop()
})

test('a hidden page does not reconnect, nor shows a loss that nobody sees', async () => {
  const { attempts, end, set, states, stop } = browser()
  await set(hide, 'visibilitychange')
  await end('lost')
  await pass(60 * SECOND)
  expect(attempts).toHaveLength(1)
  expect(states).toEqual([])
  await set(show, 'visibilitychange')
  expect(attempts).toHaveLength(2)
  stop()
})

test('the return of the network ends a pause', async () => {
  const { attempts, end, set, stop } = browser()
  for (const restMs of [1000, 2000, 4000]) {
    await end('lost')
    await pass(restMs)
  }
  await end('lost')
  await set({}, 'online')
  expect(attempts).toHaveLength(5)
  stop()
})

test('a stream without a heartbeat is closed', async () => {
  const { attempts, states, open, last, stop } = browser()
  open()
  await pass(2 * LIVE_BEAT_MS)
  last().reading.onData()
  await pass(2 * LIVE_BEAT_MS)
  expect(states).toEqual(['live'])
  await pass(5 * SECOND)
  expect(states).toEqual(['live', 'reconnecting'])
  await pass(SECOND)
  expect(attempts).toHaveLength(2)
  stop()
})

test('each opened stream reports the time without updates', async () => {
  const { missed, open, end, last, stop } = browser()
  await pass(300)
  open()
  await pass(7 * SECOND)
  last().reading.onData()
  await pass(SECOND)
  await end('lost')
  await pass(1000)
  open()
  expect(missed).toEqual([300, 2000])
  stop()
})

test('a refused token is exchanged once, and the stream is opened with the new one at once', async () => {
  const { refresh, attempts, end, stop } = browser()
  await end('refused')
  expect(refresh.mock.calls).toEqual([['first']])
  expect(attempts.map(({ token }) => token)).toEqual(['first', 'second'])
  stop()
})

test('a new token that is refused as well causes no burst', async () => {
  const { refresh, attempts, end, stop } = browser()
  for (let times = 0; times < 20; times += 1) {
    await end('refused')
    await pass(SECOND)
  }
  expect(refresh.mock.calls.length).toBeLessThan(7)
  expect(attempts.length).toBeLessThan(7)
  stop()
})

test('a refused token is not exchanged until the user is active again', async () => {
  const { play, states, refresh, attempts, end, set, stop } = browser()
  play.idleMs = REFRESH_IF_ACTIVE_WITHIN_MS + 1
  await end('refused')
  expect(states).toEqual(['paused'])
  await pass(10 * 60 * SECOND)
  await set({}, 'click')
  expect(refresh).not.toHaveBeenCalled()
  await set({ idleMs: 0 }, 'click')
  expect(refresh).toHaveBeenCalledTimes(1)
  expect(attempts).toHaveLength(2)
  stop()
})

test('the connection ends with the session', async () => {
  const refused = browser()
  refused.refresh.mockResolvedValueOnce(false)
  await refused.end('refused')
  await refused.done
  const signedOut = browser()
  signedOut.play.tokens = { authToken: null, refreshToken: null }
  await signedOut.end('lost')
  await pass(SECOND)
  await signedOut.done
  expect(signedOut.attempts).toHaveLength(1)
})

test('the connection stops at once from any state, and leaves no timer', async () => {
  const open = browser()
  const resting = browser()
  await resting.end('lost')
  const offline = browser()
  await offline.set({ online: false }, 'offline')
  const idle = browser()
  idle.play.idleMs = REFRESH_IF_ACTIVE_WITHIN_MS + 1
  await idle.end('refused')
  for (const each of [open, resting, offline, idle]) {
    each.stop()
    await each.done
  }
  expect(vi.getTimerCount()).toBe(0)
})
