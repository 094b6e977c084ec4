import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { Config } from '../config.ts'
import { complete, type MountedRoute } from './openapi-complete.ts'

/** Serves an OpenAPI document of the routes that are mounted inside: made from the very schemas that validate their requests. */
export async function documented(
  app: FastifyInstance,
  config: Config,
  prefix: string,
  mountRoutes: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: { title: 'Muripo', version: 'v1', description: 'Take payments by mobile wallet and card.' },
        servers: [{ url: config.publicUrl }],
        components: { securitySchemes: { applicationKey: { type: 'http', scheme: 'bearer' } } },
        security: [{ applicationKey: [] }],
      },
      transform: jsonSchemaTransform,
    })
    const routes: MountedRoute[] = []
    scope.addHook('onRoute', ({ url, config: { spec } = {} }) => {
      if (spec) routes.push({ url, spec })
    })
    mountRoutes(scope)
    scope.get(`${prefix}/openapi.json`, { schema: { hide: true } as object }, async () =>
      complete(scope.swagger() as OpenAPIV3_1.Document, routes),
    )
  })
}
