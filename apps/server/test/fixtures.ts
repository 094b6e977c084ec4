import { test as base } from 'vitest'
import { makeIdentityApp } from '../src/modules/identity/factory.ts'
import { renew } from '../src/modules/payments/factory.ts'
import { type Caller, makeApp, makeCaller } from './app.ts'
import { withRoutes } from './mounted-routes.ts'
import { makeTerminal } from './terminal.ts'
import { testCtx } from './test-ctx.ts'
import { makeShop, makeWorld } from './world.ts'

/**
 * Tests on a database of their file. A file with other settings overrides `env`. `ctx` (without providers) with `identity`
 * (the server of that module), and `world` (with a scripted provider) with `app` (the whole server), its `routes` and `admin` (the operator's terminal) last for the file; `shop` and `client` are new in each test.
 * `provider` is the provider of `world` without the replies of earlier tests; a hook that scripts it takes it from here.
 */
export const test = base
  .extend('env', { scope: 'file' }, {} as Record<string, string>)
  .extend('ctx', { scope: 'file' }, async ({ env }, { onCleanup }) => {
    const ctx = await testCtx(env)
    onCleanup(() => ctx.close())
    return ctx
  })
  .extend('identity', { scope: 'file' }, async ({ ctx }, { onCleanup }) => {
    const identity = await makeIdentityApp(ctx)
    onCleanup(() => identity.close())
    return identity
  })
  .extend('world', { scope: 'file' }, async ({ env }, { onCleanup }) => {
    const world = await makeWorld(env)
    onCleanup(async () => {
      await world.ctx.backgroundTasks.drain()
      await world.ctx.close()
    })
    return world
  })
  .extend('mounted', { scope: 'file' }, async ({ world }, { onCleanup }) => {
    const mounted = await withRoutes(() => makeApp(world.ctx))
    onCleanup(() => mounted.app.close())
    return mounted
  })
  .extend('app', { scope: 'file' }, ({ mounted }) => mounted.app)
  .extend('routes', { scope: 'file' }, ({ mounted }) => mounted.routes)
  .extend('admin', { scope: 'file' }, ({ world }, { onCleanup }) => {
    const { admin, remove } = makeTerminal(world.ctx.databaseUrl)
    onCleanup(remove)
    return admin
  })
  .extend('provider', ({ world }) => {
    renew(world.provider)
    return world.provider
  })
  .extend('shop', ({ world, provider: _renewed }) => {
    world.errors.length = 0
    return makeShop(world.ctx)
  })
  .extend('client', async ({ world }): Promise<Caller> => makeCaller(world.ctx))
