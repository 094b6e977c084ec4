import { EventEmitter } from 'node:events'
import { MerchantId, PersonId, SessionId } from '@muripo/contract/ids'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { plusMs, systemClock } from '../../platform/clock.ts'
import { systemIds } from '../../platform/ids.ts'
import { Subscribers } from './subscribers.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The response of a stream; `closes` is whether it ends on request. */
function carrier() {
  const answer = new EventEmitter()
  return Object.assign(answer, { destroy: vi.fn(() => answer.emit('close')) })
}

const caller = (lifeMs: number) => ({
  personId: systemIds.next(PersonId),
  merchantId: systemIds.next(MerchantId),
  sessionId: systemIds.next(SessionId),
  applications: null,
  tokenRefusedAt: plusMs(systemClock.now(), lifeMs),
})

test('a stream ends with its token, and its connection is destroyed when the reader does not read the end', () => {
  const subscribers = new Subscribers(systemClock)
  const answer = carrier()
  const { merchantId, stream } = subscribers.admit(caller(60_000), answer)
  vi.advanceTimersByTime(59_999)
  expect(subscribers.of(merchantId)).toHaveLength(1)
  vi.advanceTimersByTime(1)
  stream.event('payments', '{}')
  expect(String(stream.read())).toBe('retry: 1000\n\n')
  expect(answer.destroy).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1000)
  expect(answer.destroy).toHaveBeenCalledOnce()
  expect(subscribers.merchants()).toEqual([])
})

test('a subscriber that disconnects is removed with its timers', () => {
  const subscribers = new Subscribers(systemClock)
  const answer = carrier()
  const subscriber = subscribers.admit(caller(60_000), answer)
  subscriber.dismiss()
  answer.emit('close')
  expect(subscribers.all()).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test('a process limits its number of streams', () => {
  const subscribers = new Subscribers(systemClock)
  const answers = Array.from({ length: 2000 }, carrier)
  for (const answer of answers) subscribers.admit(caller(60_000), answer)
  expect(() => subscribers.admit(caller(60_000), carrier())).toThrow(/not available/)
  answers[0]?.emit('close')
  subscribers.admit(caller(60_000), carrier())
})

test('a person limits the streams of no other member of a team', () => {
  const subscribers = new Subscribers(systemClock)
  const one = caller(60_000)
  const colleague = { ...one, personId: systemIds.next(PersonId), sessionId: systemIds.next(SessionId) }
  for (let n = 0; n < 10; n += 1)
    subscribers.admit({ ...one, sessionId: systemIds.next(SessionId) }, carrier())
  expect(() => subscribers.admit(one, carrier())).toThrow()
  subscribers.admit(colleague, carrier())
  expect(subscribers.of(one.merchantId)).toHaveLength(11)
})
