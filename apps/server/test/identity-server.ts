import type { FastifyInstance } from 'fastify'
import { afterAll } from 'vitest'
import { makeIdentityApp } from '../src/modules/identity/factory.ts'
import { type TestCtx, testCtx } from './test-ctx.ts'

/** The identity routes only, on a database of this file, until its last test has run. */
export async function identityServer(
  env?: Record<string, string>,
): Promise<{ ctx: TestCtx; app: FastifyInstance }> {
  const ctx = await testCtx(env)
  const app = await makeIdentityApp(ctx)
  afterAll(async () => {
    await app.close()
    await ctx.close()
  })
  return { ctx, app }
}
