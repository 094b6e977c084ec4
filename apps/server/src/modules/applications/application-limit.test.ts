import { expect } from 'vitest'
import { makeCaller } from '../../../test/app.ts'
import { test } from '../../../test/fixtures.ts'
import { uuidOf } from '../../platform/ids.ts'

test('an account has 50 applications at most, also when many are created concurrently', async ({
  world,
  app,
  client: caller,
}) => {
  const create = (headers = caller.withSession) =>
    app.inject({
      method: 'POST',
      url: '/v1/applications/create',
      headers,
      payload: { applicationName: 'Shop', description: 'Sells things', category: 'Retail' },
    })
  // Creations of one account wait for each other: all at once, the last would wait too long on a busy machine.
  for (let count = 1; count < 45; count += 1) expect((await create()).statusCode).toBe(201)
  const answers = await Promise.all(Array.from({ length: 10 }, () => create()))
  expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(5)
  const refused = answers.filter(({ statusCode }) => statusCode !== 201)
  expect(refused.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(409))
  expect(refused[0]?.json()).toMatchObject({
    code: 'application_limit_reached',
    detail: 'An account can have 50 applications. Please use one that you already have',
  })
  const { rows } = await world.ctx.db.pool.query(
    'select count(*)::int as count from applications where account_id = $1',
    [uuidOf(caller.merchantId)],
  )
  expect(rows).toEqual([{ count: 50 }])
  expect((await create((await makeCaller(world.ctx)).withSession)).statusCode).toBe(201)
})
