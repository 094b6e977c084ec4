import { CircuitState } from 'cockatiel'
import { beforeEach, expect, test } from 'vitest'
import { MerchantBreaker } from './merchant-breaker.ts'

let now: number
let breaker: MerchantBreaker
beforeEach(() => {
  now = 0
  breaker = new MerchantBreaker(() => now)
})

function fail(accountId: string, times: number): boolean {
  let opens = false
  for (let count = 0; count < times; count += 1) {
    breaker.record(accountId, true)
    opens = breaker.failure(CircuitState.Closed)
  }
  return opens
}
const succeed = (accountId: string) => breaker.record(accountId, false)

test('opens at the fifth failure when no other merchant calls', () => {
  expect(fail('a', 4)).toBe(false)
  expect(fail('a', 1)).toBe(true)
})

test('stays closed when the failures are of one merchant, however many they are', () => {
  succeed('b')
  succeed('c')
  expect(fail('a', 500)).toBe(false)
})

test('opens when most merchants fail', () => {
  for (const merchant of ['a', 'b', 'c']) succeed(merchant)
  expect(fail('a', 3)).toBe(false)
  expect(fail('b', 3)).toBe(true)
})

test('counts the last half minute only', () => {
  fail('a', 4)
  now = 30_001
  expect(fail('a', 1)).toBe(false)
})

test('a half-open breaker opens again at the first failure', () => {
  breaker.record('a', true)
  expect(breaker.failure(CircuitState.HalfOpen)).toBe(true)
})
