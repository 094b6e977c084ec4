import { test as base } from 'vitest'
import { makeIdentityApp } from '../src/modules/identity/factory.ts'
import { type Caller, makeApp, makeCaller } from './app.ts'
import { testCtx } from './test-ctx.ts'
import { freshShop, makeWorld } from './world.ts'

/**
 * Tests on a database of their file. A file with other settings overrides `env`. `ctx` (without providers) with `identity`
 * (the server of that module), and `world` (with a scripted provider) with `app` (the whole server) last for the file; `shop` and `client` are new in each test.
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
    onCleanup(() => world.ctx.close())
    return world
  })
  .extend('app', { scope: 'file' }, async ({ world }, { onCleanup }) => {
    const app = await makeApp(world.ctx)
    onCleanup(() => app.close())
    return app
  })
  .extend('shop', async ({ world }) => freshShop(world))
  .extend('client', async ({ world }): Promise<Caller> => makeCaller(world.ctx))
