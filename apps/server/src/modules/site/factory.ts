import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../platform/ctx.ts'
import { anyone, mount } from '../../platform/http/route.ts'
import { createHttp } from '../../platform/http/server.ts'
import type { Heartbeat } from '../../platform/jobs/heartbeat.ts'
import type { Providers } from '../providers/index.ts'
import { siteRoutes } from './routes.ts'

/** A server with this module only. */
export function makeSiteApp(ctx: Ctx, providers: Providers, heartbeat: Heartbeat): FastifyInstance {
  const app = createHttp(ctx.config, ctx.log)
  mount(app, '/v1', anyone, siteRoutes(ctx, providers, heartbeat))
  return app
}
