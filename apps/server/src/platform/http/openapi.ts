import { STATUS_CODES } from 'node:http'
import swagger from '@fastify/swagger'
import { type ErrorCode, errorCatalogue, Problem } from '@muripo/contract/errors'
import type { RouteSpec } from '@muripo/contract/route'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 } from 'openapi-types'
import { z } from 'zod'
import type { Ctx } from '../ctx.ts'
import { admitPerAddressInMemory } from '../limits/admit.ts'
import type { Limit } from '../limits/limits.ts'

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
        info: { title: 'Muripo', version: 'v1', description: 'Take payments by mobile wallet and card.' },
        servers: [{ url: ctx.config.publicUrl }],
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

export interface MountedRoute {
  readonly url: string
  readonly spec: RouteSpec
}

/** Errors that any call may answer. */
const everywhere: readonly ErrorCode[] = [
  'malformed_request',
  'validation_failed',
  'rate_limited',
  'internal_error',
  'overloaded',
  'service_unavailable',
]

/** Errors of the calls that may carry a body. */
const ofBodies: readonly ErrorCode[] = ['request_too_slow', 'body_too_large', 'unsupported_media_type']

/**
 * Adds the parts that the plugin cannot read from the schemas: the errors of the contract, and the header that makes a call safe to repeat.
 */
export function complete(
  document: OpenAPIV3_1.Document,
  routes: readonly MountedRoute[],
): OpenAPIV3_1.Document {
  const paths = structuredClone(document.paths ?? {})
  for (const { url, spec } of routes) {
    const method = spec.method.toLowerCase() as `${OpenAPIV3_1.HttpMethods}`
    const operation = paths[url.replace(/:(\w+)/g, '{$1}')]?.[method]
    if (!operation) continue
    // The schema of an empty body is not documented as a body.
    if (!spec.body) delete operation.requestBody
    const isKeyed = spec.errors.includes('idempotency_mismatch')
    const bodyErrors = spec.method === 'GET' ? [] : ofBodies
    const responses: OpenAPIV3_1.ResponsesObject = {
      ...Object.fromEntries(
        Object.keys(spec.reply).map((status) => [
          status,
          {
            // The plugin describes no response without a body.
            ...operation.responses?.[status],
            description: STATUS_CODES[status] ?? '',
            ...(isKeyed && { headers: { 'Idempotency-Replayed': replayed } }),
          },
        ]),
      ),
      ...errorResponses([...spec.errors, ...bodyErrors, ...everywhere]),
    }
    operation.responses = responses as typeof operation.responses
    if (isKeyed) operation.parameters = [...(operation.parameters ?? []), idempotencyKey]
  }
  const schemas = {
    ...document.components?.schemas,
    Problem: z.toJSONSchema(Problem) as OpenAPIV3_1.SchemaObject,
  }
  return { ...document, paths, components: { ...document.components, schemas } }
}

const idempotencyKey: OpenAPIV3_1.ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'For 30 days the same key and the same request give the same answer, and happen once.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const replayed: OpenAPIV3_1.HeaderObject = {
  description: '`true`: the answer of an earlier request with this Idempotency-Key.',
  schema: { type: 'string', enum: ['true'] },
}

const retryAfter: OpenAPIV3_1.HeaderObject = {
  description: 'Seconds until the next request.',
  schema: { type: 'integer', minimum: 0 },
}

function errorResponses(codes: readonly ErrorCode[]): OpenAPIV3_1.ResponsesObject {
  const byStatus = Map.groupBy(new Set(codes), (code) => errorCatalogue[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      status,
      {
        description: some.map((code) => `\`${code}\`: ${errorCatalogue[code].title}.`).join(' '),
        ...((status === 429 || status === 503) && { headers: { 'Retry-After': retryAfter } }),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}
