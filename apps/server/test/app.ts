import type { FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { parseGatewayConfig } from '../src/gateway-config.ts'
import { KeyCache } from '../src/modules/applications/index.ts'
import { makeSession } from '../src/modules/identity/factory.ts'
import { createLive } from '../src/modules/live/index.ts'
import type { PaymentsCtx } from '../src/modules/payments/index.ts'
import type { ProvidersCtx } from '../src/modules/providers/index.ts'
import { coordinatorOf, oneDatabase } from '../src/platform/db/databases.ts'
import { createHeartbeat } from '../src/platform/jobs/heartbeat.ts'
import { anyTargets } from '../src/platform/outbound/targets.ts'
import { tinyWeb } from './tiny-web.ts'
import { makeShop, type Shop, type WorldCtx } from './world.ts'

const withoutAccounts = parseGatewayConfig({ PUBLIC_URL: 'http://gateway.test' })

/** The same context with the settings of accounts at providers, of which there are none. A later change of its settings is seen. */
export const withProviders = <C extends PaymentsCtx>(ctx: C): C & ProvidersCtx => ({
  ...ctx,
  config: new Proxy(ctx.config, {
    get: (own, name) => Reflect.get(name in own ? own : withoutAccounts, name),
    has: (own, name) => name in own || name in withoutAccounts,
  }) as C['config'] & ProvidersCtx['config'],
})

/** The whole gateway, called without a socket, and without web pages unless their build is given. */
export const makeApp = (
  ctx: PaymentsCtx,
  keyCache = new KeyCache(),
  live = createLive(ctx),
  targets = anyTargets(),
  webBuild: string | null = null,
): Promise<FastifyInstance> =>
  buildApp({
    ctx: withProviders(coordinatorOf(ctx)),
    ctxs: oneDatabase(ctx),
    keyCache,
    targets,
    live,
    worker: createHeartbeat(ctx.clock),
    ready: async () => null,
    mailbox: null,
    webBuild,
  })

/** The whole gateway with the pages of `tinyWeb`. */
export async function makeAppWithPages(ctx: PaymentsCtx): Promise<FastifyInstance> {
  const { dir, remove } = await tinyWeb()
  const app = await makeApp(ctx, undefined, undefined, undefined, dir)
  return app.addHook('onClose', remove)
}

export interface Caller extends Shop {
  /** Authorization with the application key, and with the session. */
  readonly withKey: { authorization: string }
  readonly withSession: { authorization: string }
}

export async function makeCaller(ctx: WorldCtx): Promise<Caller> {
  const shop = await makeShop(ctx)
  const { authToken } = await makeSession(ctx, shop.merchantId)
  return {
    ...shop,
    withKey: { authorization: `Bearer ${shop.applicationKey}` },
    withSession: { authorization: `Bearer ${authToken}` },
  }
}
