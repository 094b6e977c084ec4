import { expect, test } from 'vitest'
import { allComparisons, createLedgerComparison } from './comparison.ts'

test('the comparisons of all shard groups are one result, as old as the oldest, once each group has one', () => {
  const groups = [createLedgerComparison(), createLedgerComparison()]
  const [first, second] = groups
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 12, minute))
  first?.record('balances', false, 2, at(1))
  first?.record('payments', false, 0, at(2))
  expect(allComparisons(groups).results()).toEqual([])
  second?.record('balances', false, 1, at(3))
  expect(allComparisons(groups).results()).toEqual([
    { check: 'balances', environment: 'live', discrepancies: 3, at: at(1) },
  ])
  expect(allComparisons(groups.slice(0, 1)).results()).toEqual(first?.results())
})
