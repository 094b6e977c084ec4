import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const takeAll = <Item>(turns: ReturnType<typeof createTurns<Item>>): Item[] =>
  Array.from({ length: turns.size }, () => turns.take() as Item)

describe('items take turns', () => {
  test('by merchant, and within a merchant by its payers, each in the order of arrival', () => {
    const turns = createTurns<string>()
    for (const item of ['a1', 'a2', 'a3']) turns.add(['greedy', 'a'], item)
    for (const item of ['b1', 'b2']) turns.add(['greedy', 'b'], item)
    turns.add(['modest', 'c'], 'c1')
    expect(takeAll(turns)).toEqual(['a1', 'c1', 'b1', 'a2', 'b2', 'a3'])
  })

  test('so that an item waits for at most one of each other subject per item of its own subject before it', () => {
    const arrivals = fc.array(fc.tuple(fc.nat(5), fc.nat(3)), { maxLength: 80 })
    fc.assert(
      fc.property(arrivals, (pairs) => {
        const turns = createTurns<{ readonly merchant: number; readonly nth: number }>()
        const counts = new Map<number, number>()
        for (const [merchant, payer] of pairs) {
          const nth = counts.get(merchant) ?? 0
          counts.set(merchant, nth + 1)
          turns.add([`${merchant}`, `${payer}`], { merchant, nth })
        }
        const order = takeAll(turns).map(({ merchant }) => merchant)
        expect(order).toHaveLength(pairs.length)
        const had = new Map<number, number>()
        for (const [at, merchant] of order.entries()) {
          const before = had.get(merchant) ?? 0
          had.set(merchant, before + 1)
          expect(at).toBeLessThan((before + 1) * counts.size)
        }
      }),
    )
  })

  test('and leave no trace when they are removed before their turn', () => {
    const turns = createTurns<string>()
    const remove = turns.add(['greedy', 'a'], 'a1')
    turns.add(['greedy', 'a'], 'a2')
    remove()
    remove()
    expect(turns.size).toBe(1)
    expect(turns.take()).toBe('a2')
    remove()
    expect([turns.size, turns.take()]).toEqual([0, undefined])
  })
})
