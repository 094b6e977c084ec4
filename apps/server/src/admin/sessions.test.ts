import type { FastifyRequest } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { terminalOf } from '../../test/terminal.ts'
import { testCtx } from '../../test/test-ctx.ts'
import { makeMerchant, makeSession } from '../modules/identity/factory.ts'
import { sessionAuth } from '../modules/identity/index.ts'

const ctx = await testCtx()
afterAll(() => ctx.close())
const { admin } = terminalOf(ctx.databaseUrl)

test('an operator signs a merchant out everywhere, from the next request on', async () => {
  const { merchantId, email } = await makeMerchant(ctx)
  const { authToken } = await makeSession(ctx, merchantId)
  const other = await makeSession(ctx, (await makeMerchant(ctx)).merchantId)
  const call = (token: string) =>
    sessionAuth(ctx)({
      headers: { authorization: `Bearer ${token}` },
      routeOptions: { config: {} },
    } as unknown as FastifyRequest)
  await call(authToken)
  expect(await admin('sessions', 'end', email.toUpperCase())).toEqual({
    code: 0,
    output: 'One session has ended.',
  })
  await expect(call(authToken)).rejects.toMatchObject({ code: 'session_invalid' })
  await call(other.authToken)
  expect(await admin('sessions', 'end', email)).toEqual({ code: 0, output: '0 sessions have ended.' })
})

test('an email without an account is reported', async () => {
  expect(await admin('sessions', 'end', 'nobody@example.com\u001b[2J')).toEqual({
    code: 1,
    output: 'Nobody has an account with the email nobody@example.com [2J.',
  })
})
