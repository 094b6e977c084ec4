import type { AccountId } from '@muripo/contract/ids'
import { expect } from 'vitest'
import { test } from '../../../test/fixtures.ts'
import { makeShop } from '../../../test/world.ts'
import { compareEnvironments } from './jobs.ts'
import { comparisonResults } from './store-comparisons.ts'

const HOUR = 3_600_000

test('eight processes compare each environment once in an hour, and all of them report the result', async ({
  world: { ctx },
}) => {
  const { accountId } = await makeShop(ctx)
  const compared: AccountId[] = []
  const compareInEach = () =>
    Promise.all(
      Array.from({ length: 8 }, () =>
        compareEnvironments(ctx, 'balances', undefined, async (each) => {
          compared.push(each)
          return 3
        }),
      ),
    )
  const times = () => compared.filter((each) => each === accountId).length
  await compareInEach()
  expect(times()).toBe(1)
  expect(new Set(compared).size).toBe(compared.length)
  expect(await comparisonResults(ctx.db.kysely)).toContainEqual(
    expect.objectContaining({ check: 'balances', environment: 'live', discrepancies: 3 * compared.length }),
  )
  ctx.clock.advance(HOUR / 2)
  await compareInEach()
  expect(times()).toBe(1)
  ctx.clock.advance(HOUR)
  await compareInEach()
  expect(times()).toBe(2)
})

test('another process compares an environment whose process died', async ({ world: { ctx } }) => {
  const { accountId } = await makeShop(ctx)
  await compareEnvironments(ctx, 'payments', undefined, () => Promise.reject(new Error('the process died')))
  let compared = 0
  const compare = () =>
    compareEnvironments(ctx, 'payments', undefined, async (each) => {
      if (each === accountId) compared += 1
      return 0
    })
  await compare()
  expect(compared).toBe(0)
  ctx.clock.advance(HOUR / 2)
  await compare()
  expect(compared).toBe(1)
})
