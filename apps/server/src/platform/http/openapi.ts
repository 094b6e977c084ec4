import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { Ctx } from '../ctx.ts'
import { admitPerAddressInMemory } from '../limits/admit.ts'
import type { Limit } from '../limits/limits.ts'
import { complete, type MountedRoute } from './openapi-document.ts'

const DOCUMENTS: Limit = { name: 'api-document', quota: 300, windowMs: 60_000 }

/** Serves an OpenAPI document of the mounted routes, generated from the schemas that validate their requests. */
export async function documented(
  app: FastifyInstance,
  ctx: Pick<Ctx, 'config' | 'clock'>,
  prefix: string,
  mountRoutes: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Muripo',
          version: 'v1',
          description: 'Take payments by mobile wallet and card.',
          license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
          contact: { name: 'The operator of this gateway', url: `${ctx.config.publicUrl}/contact` },
        },
        servers: [{ url: serverOf(ctx.config.publicUrl) }],
        components: { securitySchemes: { applicationKey: { type: 'http', scheme: 'bearer' } } },
        security: [{ applicationKey: [] }],
      },
      transform: jsonSchemaTransform,
      transformObject: jsonSchemaTransformObject,
    })
    const routes: MountedRoute[] = []
    scope.addHook('onRoute', ({ url, config: { spec } = {} }) => {
      if (spec) routes.push({ url, spec })
    })
    mountRoutes(scope)
    // The routes are known when the server is ready, and do not change.
    let json: string | undefined
    scope.get(
      `${prefix}/openapi.json`,
      { schema: { hide: true } as object, onRequest: admitPerAddressInMemory(ctx, DOCUMENTS) },
      async (_request, reply) => {
        json ??= JSON.stringify(complete(scope.swagger() as OpenAPIV3_1.Document, routes))
        return reply
          .headers({
            'content-type': 'application/json; charset=utf-8',
            'cache-control': 'public, max-age=300',
          })
          .send(json)
      },
    )
  })
}

/** A relative address in development, because a document that names the reader's own machine is refused by linters. */
const serverOf = (publicUrl: string): string =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicUrl).hostname) ? '/' : publicUrl
