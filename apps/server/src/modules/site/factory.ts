import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../platform/ctx.ts'
import { anyone, mount } from '../../platform/http/route.ts'
import { createHttp } from '../../platform/http/server.ts'
import type { WorkerHealth } from '../../platform/jobs/heartbeat.ts'
import type { Providers } from '../providers/index.ts'
import { statusReader } from './actions/read-status.ts'
import { siteRoutes } from './routes.ts'

/** A server with this module only. */
export function makeSiteApp(ctx: Ctx, providers: Providers, worker: WorkerHealth): FastifyInstance {
  const app = createHttp(ctx.config, ctx.log)
  mount(app, '/v1', anyone, siteRoutes(ctx, statusReader(ctx, providers, worker)))
  return app
}
