import { PaymentId } from '@muripo/contract/ids'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idFrom, timeOf, uuidOf } from '../../platform/ids.ts'
import { readSearch, type Searched } from './searched.ts'

/** What the lists do with it. */
function fits(id: PaymentId, { made, ids, fragment }: Searched): boolean {
  const at = timeOf(id).getTime()
  const uuid = uuidOf(id)
  return (
    made.from <= at &&
    at < made.before &&
    (ids === null || (ids.least <= uuid && uuid <= ids.most)) &&
    (fragment === null || id.slice('pay_'.length).includes(fragment))
  )
}

const id = fc.uuid({ version: 7 }).map((uuid) => idFrom(PaymentId, uuid))
const part = (of: string) =>
  fc
    .tuple(fc.nat({ max: 29 }), fc.integer({ min: 0, max: 30 }))
    .map(([from, length]) => of.slice(from, from + length))

test('a search keeps the ids that contain its text, and no other', () => {
  fc.assert(
    fc.property(
      id.chain((one) => fc.tuple(fc.constant(one), id, part(one))),
      ([one, other, text]) => {
        const searched = readSearch(text.toUpperCase())
        expect(searched !== null && fits(one, searched)).toBe(true)
        expect(searched !== null && fits(other, searched)).toBe(other.includes(text))
      },
    ),
    { numRuns: 2000 },
  )
})

test('a search for what no id can contain keeps nothing', () => {
  fc.assert(
    fc.property(
      id,
      fc.string({ maxLength: 6, unit: fc.constantFrom(...'pay_0z7ilou8%\\é') }),
      (one, text) => {
        const searched = readSearch(text)
        expect(searched !== null && fits(one, searched)).toBe(one.includes(text.toLowerCase()))
      },
    ),
    { numRuns: 2000 },
  )
  expect(readSearch('pay_8')).toBeNull()
  expect(readSearch('ay_')).not.toBeNull()
  expect(readSearch('a_')).toBeNull()
})

test('the beginning of an id is a time, and a whole id is one', () => {
  const one = 'pay_01kd3fxq5ye5wrmqvsk7ct8p1a' as PaymentId
  expect(readSearch(one)?.ids).toEqual({ least: uuidOf(one), most: uuidOf(one) })
  expect(readSearch(one.slice(4))?.ids?.least).toBe(uuidOf(one))
  expect(readSearch('y_01kd3fxq5y')).toEqual({
    made: { from: timeOf(one).getTime(), before: timeOf(one).getTime() + 1 },
    ids: null,
    fragment: null,
  })
})
