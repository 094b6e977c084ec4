import { AccountId } from '@muripo/contract/ids'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accountHash } from '../../platform/db/shard-groups.ts'
import { systemIds } from '../../platform/ids.ts'
import { accountHashIn, isWellFormed, newKey } from './key.ts'

test.each(['', 'mk_test_', 'mk_live_short', 'sk_test_00000000000000000000000000000000000000'])(
  '%j is not a key',
  (text) => expect(isWellFormed(text)).toBe(false),
)

test('one mistyped character, or two swapped ones, are detected', () => {
  const key = newKey(systemIds, 'test', systemIds.next(AccountId))
  const position = fc.integer({ min: 8, max: key.length - 2 })
  const mistyped = fc
    .tuple(position, fc.constantFrom(...'0Az'))
    .map(([at, other]) => key.slice(0, at) + other + key.slice(at + 1))
  const swapped = position.map((at) => key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2))
  const wrong = fc.oneof(mistyped, swapped).filter((text) => text !== key)
  fc.assert(fc.property(wrong, (text) => void expect(isWellFormed(text)).toBe(false)))
})

test('a key names its mode, and no two of an account are equal', () => {
  const accountId = systemIds.next(AccountId)
  const keys = Array.from({ length: 1000 }, (_, index) =>
    newKey(systemIds, index % 2 ? 'test' : 'live', accountId),
  )
  expect(new Set(keys).size).toBe(1000)
  for (const key of keys) {
    expect(key).toMatch(/^mk_(test|live)_[0-9A-Za-z]{38}$/)
    expect(isWellFormed(key)).toBe(true)
    expect(isWellFormed(key.replace('_test_', '_live_'))).toBe(key.startsWith('mk_live_'))
  }
})

test('a key contains the hash of its account', () => {
  for (let made = 0; made < 1000; made += 1) {
    const accountId = systemIds.next(AccountId)
    expect(accountHashIn(newKey(systemIds, 'live', accountId))).toBe(accountHash(accountId))
  }
})
