import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorPosition } from './json-body.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test.each([
  [`{'amount':25}`, 1],
  ['{"amount":025}', 10],
  ['{"amount":25,}', 13],
  ['{"amount":25', 12],
  ['{"amount":', 10],
  ['{"a":"x', 7],
  ['{"a":tru', 8],
  ['{"a":truth}', 5],
  ['{"a":"\n"}', 5],
  ['{"a":1]', 6],
  ['{"a" 1}', 5],
  ['[1 2]', 3],
  ['{} x', 3],
  ['NaN', 0],
  ['{"a":.5}', 5],
  ['{"a":01', 5],
  ['{"a":1.', 7],
  ['{"a":-', 6],
  ['// note\n{}', 0],
  ['{“amount”:25}', 1],
])('the fault of %j is at %i', (text, at) => {
  expect(errorPosition(text)).toBe(at)
})

const pieces = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"a"',
  '"',
  '\\',
  '1',
  '-',
  '.',
  'e',
  'true',
  'null',
  ' ',
  '\n',
)
const nearJson = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([text, at, extra]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + extra + text.slice(place)
  }),
)

test('a text has no fault exactly when it is JSON, and what precedes a fault could begin JSON', () => {
  fc.assert(
    fc.property(nearJson, (text) => {
      const at = errorPosition(text)
      expect(at === null).toBe(isJson(text))
      if (at !== null) expect(errorPosition(text.slice(0, at)) ?? at).toBe(at)
    }),
    { numRuns: 2000 },
  )
})
