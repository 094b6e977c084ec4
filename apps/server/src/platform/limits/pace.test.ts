import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

const at = (ms: number) => new Date(Date.parse('2026-11-20T09:30:00.000Z') + ms)
const limit = { name: 'three', quota: 3, windowMs: 1000 }

function paced() {
  let ms = 0
  const pace = createPace({ now: () => at(ms) }, limit)
  return { pace, wait: (by: number) => (ms += by) }
}

test('lets through what there is, to each, and again when the time is over; what is refused is not counted', () => {
  const { pace, wait } = paced()
  expect([pace('a'), pace('a'), pace('a')].map(({ remaining }) => remaining)).toEqual([2, 1, 0])
  wait(999)
  expect(pace('a')).toEqual({ limit, remaining: 0, resetsAt: at(1000), refused: true })
  expect(pace('b')).toMatchObject({ remaining: 2, refused: false })
  wait(1)
  expect(pace('a')).toMatchObject({ remaining: 2, resetsAt: at(2000), refused: false })
})

test('keeps no more than it can, and forgets the running windows last', () => {
  const { pace, wait } = paced()
  for (let nth = 0; nth < 49_999; nth += 1) pace(`old ${nth}`)
  wait(999)
  pace('running')
  wait(1)
  pace('new')
  expect(pace('running').remaining).toBe(1)
  for (let nth = 0; nth < 60_000; nth += 1) pace(`crowd ${nth}`)
  expect(pace('running').remaining).toBe(2)
})

test('makes room for a new subject by the window that ends first, and keeps all others', () => {
  const { pace, wait } = paced()
  pace('first')
  pace('first')
  wait(1)
  for (let nth = 1; nth < 50_000; nth += 1) pace(`other ${nth}`)
  wait(1)
  pace('new')
  expect(pace('other 1').remaining).toBe(1)
  expect(pace('new').remaining).toBe(1)
  expect(pace('first').remaining).toBe(2)
})

test('tells without counting whether another use would be refused', () => {
  const { pace } = paced()
  for (let count = 0; count < 3; count += 1) {
    expect(pace('a', 0)).toMatchObject({ remaining: 3 - count, refused: false })
    pace('a')
  }
  expect(pace('a', 0)).toMatchObject({ remaining: 0, refused: true })
})
