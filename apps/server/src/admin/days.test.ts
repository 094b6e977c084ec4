import { expect } from 'vitest'
import { beginDays } from '../../test/business-days.ts'
import { test } from '../../test/fixtures.ts'
import { makePaid } from '../modules/payments/factory.ts'

test('the days are listed with what they moved, and closed once, after their cut-off only', async ({
  world: { ctx, provider },
  admin,
  shop,
}) => {
  await makePaid(ctx, shop.owner, provider, { amount: 1250, currency: 'USD' })
  // The time of the terminal is that of its machine.
  const { rows } = await ctx.db.pool.query(
    "select (business_date_at(now(), '20:00') - 2)::text as first, business_date_at(now(), '20:00')::text as present",
  )
  const [{ first, present }] = rows
  await beginDays(ctx, first)
  expect(await admin('days', 'close')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Closed 2 business days\. The business day \S+ is open until 20:00 in/),
  })
  expect(await admin('days', 'close')).toMatchObject({
    code: 1,
    output: expect.stringContaining('Nothing has changed.'),
  })
  const { code, output } = await admin('days', 'list')
  expect(code).toBe(0)
  const lines = output.split('\n').map((line) => line.trim().split(/\s{2,}/))
  expect(lines[0]).toEqual([
    ...[
      'day',
      'closed',
      'banks pay on',
      'currency',
      'captured',
      'fees',
      'refunds',
      'reversals',
      'adjustments',
    ],
    'owed',
  ])
  expect(lines[1]?.slice(0, 2)).toEqual([present, 'open until 20:00'])
  expect(lines.at(-1)).toEqual([
    first,
    expect.stringMatching(/^\d{4}-.*Z$/),
    expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    ...['USD', '1,250.00', '-44.15', '0.00', '0.00', '0.00', '1,205.85'],
  ])
  expect(lines).toHaveLength(4)
})
