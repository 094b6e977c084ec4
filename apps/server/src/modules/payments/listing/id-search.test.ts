import { PaymentId } from '@muripo/contract/ids'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { type IdSearch, indexRangesOf, readSearch } from './id-search.ts'

/** The condition of the list queries. */
function fits(id: PaymentId, { ids, fragment }: IdSearch): boolean {
  const uuid = uuidOf(id)
  return (
    (ids === null || (ids.least <= uuid && uuid <= ids.most)) &&
    (fragment === null || id.slice('pay_'.length).includes(fragment))
  )
}

const id = fc.uuid({ version: 7 }).map((uuid) => idFrom(PaymentId, uuid))
const part = (of: string) =>
  fc
    .tuple(fc.nat({ max: 29 }), fc.integer({ min: 0, max: 30 }))
    .map(([from, length]) => of.slice(from, from + length))

test('a search matches the ids that contain its text, and no other', () => {
  fc.assert(
    fc.property(
      id.chain((one) => fc.tuple(fc.constant(one), id, part(one))),
      ([one, other, text]) => {
        const search = readSearch(text.toUpperCase())
        expect(search !== null && fits(one, search)).toBe(true)
        expect(search !== null && fits(other, search)).toBe(other.includes(text))
      },
    ),
    { numRuns: 2000 },
  )
})

test('a search for text that no id can contain matches nothing', () => {
  fc.assert(
    fc.property(
      id,
      fc.string({ maxLength: 6, unit: fc.constantFrom(...'pay_0z7ilou8%\\é') }),
      (one, text) => {
        const search = readSearch(text)
        expect(search !== null && fits(one, search)).toBe(one.includes(text.toLowerCase()))
      },
    ),
    { numRuns: 2000 },
  )
  expect(readSearch('pay_8')).toBeNull()
  expect(readSearch('ay_')).not.toBeNull()
  expect(readSearch('a_')).toBeNull()
})

test('a whole id is one UUID, and a prefix is a range of UUIDs', () => {
  const one = 'pay_01kd3fxq5ye5wrmqvsk7ct8p1a' as PaymentId
  const whole = { ids: { least: uuidOf(one), most: uuidOf(one) }, fragment: null }
  expect(readSearch(one)).toEqual(whole)
  expect(readSearch(one.slice(4))).toEqual(whole)
  expect(readSearch('y_01kd3fxq5y')).toEqual({
    ids: {
      least: uuidOf('pay_01kd3fxq5y0000000000000000' as PaymentId),
      most: uuidOf('pay_01kd3fxq5yzzzzzzzzzzzzzzzz' as PaymentId),
    },
    fragment: null,
  })
})

test('a fragment of seven letters has no range of an index', () => {
  expect(indexRangesOf('7ct8p1a')).toBeNull()
  expect(indexRangesOf('k7ct8p1a')).not.toBeNull()
})

test('only a fragment that an id can begin with has a range of prefixes', () => {
  expect(indexRangesOf('8d3fxq5ye')?.prefix).toBeNull()
  expect(indexRangesOf('7d3fxq5ye')?.prefix).toEqual({
    least: uuidOf('pay_7d3fxq5ye00000000000000000' as PaymentId),
    most: uuidOf('pay_7d3fxq5yezzzzzzzzzzzzzzzzz' as PaymentId),
  })
})
