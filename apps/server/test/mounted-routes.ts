import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { RouteSpec } from '@muripo/contract/route'
import type { FastifyInstance } from 'fastify'

export interface MountedRoute {
  readonly method: string
  readonly url: string
  /** Null for a route that is not in the table of routes. */
  readonly spec: RouteSpec | null
  /** The place where the caller of a write is confirmed, when the handler does not do it. */
  readonly confirmedBy: string | null
}

/** Builds a server and returns every route as the server registers it. */
export async function withRoutes(
  build: () => Promise<FastifyInstance>,
): Promise<{ app: FastifyInstance; routes: readonly MountedRoute[] }> {
  const routes: MountedRoute[] = []
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, config }) => {
      const { spec = null, confirmedBy = null } = config ?? {}
      for (const each of [method].flat()) routes.push({ method: each, url, spec, confirmedBy })
    })
  }
  subscribe('fastify.initialization', listen)
  try {
    const app = await build()
    await app.ready()
    // A HEAD route is its GET without the body.
    return { app, routes: routes.filter(({ method }) => method !== 'HEAD') }
  } finally {
    unsubscribe('fastify.initialization', listen)
  }
}
