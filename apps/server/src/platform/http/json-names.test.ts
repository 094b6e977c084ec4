import { expect, test } from 'vitest'
import { repeatsName } from './json-names.ts'

const repeats = (text: string) => repeatsName(text, JSON.parse(text))

test.each([
  '{"amount":1,"amount":2}',
  '{"amount":1,"\\u0061mount":2}',
  '{"a":{"b":[{"c":1,"c":1}]}}',
  '[{"":1,"":2}]',
  '{"1":1,"1":2}',
  '{"a\\":":1,"a\\":":2}',
])('%s has a name twice', (text) => expect(repeats(text)).toBe(true))

test.each([
  '{"a":1,"A":2,"a ":3}',
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
  '{"a:b":"c:\\"d:","e":":"}',
  '{"a\\\\":1,"b":"\\\\\\"::"}',
  '[]',
  '"a:b"',
  'null',
  '{}',
])('%s has each name once', (text) => expect(repeats(text)).toBe(false))

test('a deep and a wide text are read', () => {
  expect(repeats(`${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`)).toBe(false)
  const names = Array.from({ length: 6000 }, (_, nth) => `"n${nth}":0`).join()
  expect(repeats(`{${names}}`)).toBe(false)
  expect(repeats(`{${names},"n17":1}`)).toBe(true)
})
