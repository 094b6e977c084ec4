import { expect, test } from 'vitest'
import { axisTo } from './axis.ts'

test.each([
  [826.5, [0, 250, 500, 750, 1000]],
  [1000, [0, 250, 500, 750, 1000]],
  [25, [0, 10, 20, 30]],
  [9, [0, 2.5, 5, 7.5, 10]],
  [0.03, [0, 0.01, 0.02, 0.03]],
  [1_234_567, [0, 500_000, 1_000_000, 1_500_000]],
])('an axis to %d has few and round figures', (highest, figures) => {
  expect(axisTo(highest).map((figure) => Number(figure.toPrecision(12)))).toEqual(figures)
})

test('it reaches the highest figure, with five lines at most', () => {
  for (let highest = 0.01; highest < 1e9; highest *= 1.37) {
    const axis = axisTo(highest)
    expect(axis.at(-1)).toBeGreaterThanOrEqual(highest)
    expect(axis.at(-2)).toBeLessThan(highest)
    expect(axis.length).toBeLessThanOrEqual(5)
  }
})
