import type { MerchantId, PersonId } from '@muripo/contract/ids'
import { expect, test } from 'vitest'
import { identityServer } from '../../../test/identity-server.ts'
import { uuidOf } from '../../platform/ids.ts'
import { makeMerchant, makeSession } from './factory.ts'
import { pruneIdentity } from './jobs.ts'
import { DAY_MS } from './throttles.ts'

const { ctx, app } = await identityServer()

test('sessions are deleted 90 days after their end with their tokens, codes after 30, and the account stays', async () => {
  const { merchantId, personId, email, password } = await makeMerchant(ctx)
  const count = async (table: string, owner: string, id: MerchantId | PersonId) =>
    (await ctx.db.pool.query(`select from ${table} where ${owner} = $1`, [uuidOf(id)])).rowCount
  const counts = async () => [
    await count('sessions', 'merchant_id', merchantId),
    await count('refresh_tokens', 'merchant_id', merchantId),
    await count('one_time_codes', 'person_id', personId),
  ]
  const signIn = async () => {
    const { otpId } = (
      await app.inject({ method: 'POST', url: '/v1/auth/signin', payload: { email, password } })
    ).json()
    ctx.clock.advance(21_000)
    await app.inject({ method: 'POST', url: `/v1/auth/resend-otp/${otpId}`, payload: { purpose: 'signin' } })
  }
  await makeSession(ctx, merchantId)
  await signIn()
  expect(await counts()).toEqual([1, 1, 2])
  ctx.clock.advance(29 * DAY_MS)
  await pruneIdentity(ctx)
  expect(await counts()).toEqual([1, 1, 2])
  ctx.clock.advance(DAY_MS + 1)
  await makeSession(ctx, merchantId)
  await pruneIdentity(ctx)
  expect(await counts()).toEqual([2, 2, 0])
  ctx.clock.advance(62 * DAY_MS)
  await Promise.all([pruneIdentity(ctx), pruneIdentity(ctx)])
  expect(await counts()).toEqual([1, 1, 0])
  await makeSession(ctx, merchantId)
})
