import fc from 'fast-check'
import { expect, test } from 'vitest'
import { enclosing, everything, isEmpty, outside, splitIntoSteps } from './range.ts'

const widths = [1000, 10, 1]
const edge = fc.oneof(fc.integer({ min: -50, max: 5000 }), fc.constantFrom(-Infinity, Infinity))

test('a range is covered with the widest steps first', () => {
  expect(splitIntoSteps({ from: 5, before: 2037 }, widths)).toEqual([
    { width: 1000, from: 1000, before: 2000 },
    { width: 10, from: 10, before: 1000 },
    { width: 1, from: 5, before: 10 },
    { width: 10, from: 2000, before: 2030 },
    { width: 1, from: 2030, before: 2037 },
  ])
  expect(splitIntoSteps(everything, widths)).toEqual([{ width: 1000, ...everything }])
})

test('every number of a range is in one piece, no other number is in any, and a piece is short for its width', () => {
  fc.assert(
    fc.property(edge, edge, fc.integer({ min: -60, max: 5100 }), (from, before, number) => {
      const range = { from, before }
      const pieces = splitIntoSteps(range, widths)
      const holds = (each: { from: number; before: number }) => each.from <= number && number < each.before
      expect(pieces.filter(holds)).toHaveLength(holds(range) ? 1 : 0)
      for (const { width, ...piece } of pieces.filter(({ width }) => width < 1000))
        expect((piece.before - piece.from) / width).toBeLessThan(width === 10 ? 200 : 20)
      if (!isEmpty(range)) expect(enclosing(pieces)).toEqual(range)
    }),
  )
})

test('what is not covered in whole steps lies at the ends', () => {
  const range = { from: 5, before: 2037 }
  expect(outside(range, enclosing(splitIntoSteps(range, [1000, 10])))).toEqual([
    { from: 5, before: 10 },
    { from: 2030, before: 2037 },
  ])
  const narrow = { from: 5, before: 9 }
  expect(outside(narrow, enclosing(splitIntoSteps(narrow, [1000, 10])))).toEqual([narrow])
})
