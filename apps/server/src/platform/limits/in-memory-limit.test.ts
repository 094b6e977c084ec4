import { expect, test } from 'vitest'
import { createInMemoryLimit } from './limits.ts'

const at = (ms: number) => new Date(Date.parse('2026-11-20T09:30:00.000Z') + ms)
const limit = { name: 'three', quota: 3, windowMs: 1000 }

function callerLimit() {
  let ms = 0
  const countUse = createInMemoryLimit({ now: () => at(ms) }, limit)
  return { countUse, wait: (by: number) => (ms += by) }
}

test('admits its quota to each subject, and again in the next window; refused calls are not counted', () => {
  const { countUse, wait } = callerLimit()
  expect([countUse('a'), countUse('a'), countUse('a')].map(({ remaining }) => remaining)).toEqual([2, 1, 0])
  wait(999)
  expect(countUse('a')).toEqual({ limit, remaining: 0, resetsAt: at(1000), refused: true })
  expect(countUse('b')).toMatchObject({ remaining: 2, refused: false })
  wait(1)
  expect(countUse('a')).toMatchObject({ remaining: 2, resetsAt: at(2000), refused: false })
})

test('stores a bounded number of windows, and deletes running ones last', () => {
  const { countUse, wait } = callerLimit()
  for (let nth = 0; nth < 49_999; nth += 1) countUse(`old ${nth}`)
  wait(999)
  countUse('running')
  wait(1)
  countUse('new')
  expect(countUse('running').remaining).toBe(1)
  for (let nth = 0; nth < 60_000; nth += 1) countUse(`crowd ${nth}`)
  expect(countUse('running').remaining).toBe(2)
})

test('makes room for a new subject by the window that ends first, and keeps all others', () => {
  const { countUse, wait } = callerLimit()
  countUse('first')
  countUse('first')
  wait(1)
  for (let nth = 1; nth < 50_000; nth += 1) countUse(`other ${nth}`)
  wait(1)
  countUse('new')
  expect(countUse('other 1').remaining).toBe(1)
  expect(countUse('new').remaining).toBe(1)
  expect(countUse('first').remaining).toBe(2)
})

test('reports without counting whether another use would be refused', () => {
  const { countUse } = callerLimit()
  for (let count = 0; count < 3; count += 1) {
    expect(countUse('a', 0)).toMatchObject({ remaining: 3 - count, refused: false })
    countUse('a')
  }
  expect(countUse('a', 0)).toMatchObject({ remaining: 0, refused: true })
})
