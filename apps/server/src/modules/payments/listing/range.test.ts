import fc from 'fast-check'
import { expect, test } from 'vitest'
import { everything, isEmpty, outside, type Range, wholeSteps } from './range.ts'

const edge = fc.oneof(fc.integer({ min: -50, max: 200 }), fc.constantFrom(-Infinity, Infinity))

test('a range consists of its whole steps and of the parts at both ends', () => {
  expect(wholeSteps({ from: 5, before: 2037 }, 10)).toEqual({ from: 10, before: 2030 })
  expect(wholeSteps(everything, 10)).toEqual(everything)
  expect(outside({ from: 5, before: 2037 }, { from: 10, before: 2030 })).toEqual([
    { from: 5, before: 10 },
    { from: 2030, before: 2037 },
  ])
  const narrow = { from: 5, before: 9 }
  expect(outside(narrow, wholeSteps(narrow, 10))).toEqual([narrow])
})

test('every number of a range is in its whole steps or at one end, and no other number is', () => {
  fc.assert(
    fc.property(edge, edge, fc.integer({ min: -60, max: 210 }), (from, before, number) => {
      const range = { from, before }
      const steps = wholeSteps(range, 10)
      const pieces = isEmpty(range) ? [] : [...(isEmpty(steps) ? [] : [steps]), ...outside(range, steps)]
      const holds = (each: Range) => each.from <= number && number < each.before
      expect(pieces.filter(holds)).toHaveLength(holds(range) ? 1 : 0)
      for (const piece of pieces) if (piece !== steps) expect(piece.before - piece.from).toBeLessThan(20)
    }),
  )
})
