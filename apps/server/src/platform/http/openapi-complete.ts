import { type ErrorCode, errorCatalogue, Problem } from '@muripo/contract/errors'
import type { RouteSpec } from '@muripo/contract/route'
import type { OpenAPIV3_1 } from 'openapi-types'
import { z } from 'zod'

export interface MountedRoute {
  readonly url: string
  readonly spec: RouteSpec
}

/** Errors that any call may answer. */
const everywhere: readonly ErrorCode[] = [
  'validation_failed',
  'rate_limited',
  'internal_error',
  'overloaded',
  'service_unavailable',
]

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
    const responses: OpenAPIV3_1.ResponsesObject = {
      ...operation.responses,
      ...errorResponses([...spec.errors, ...everywhere]),
    }
    operation.responses = responses as typeof operation.responses
    if (spec.errors.includes('idempotency_mismatch')) {
      operation.parameters = [...(operation.parameters ?? []), idempotencyKey]
    }
    for (const [status, response] of Object.entries(responses)) {
      if ('description' in response && response.description === 'Default Response') {
        response.description = status === '201' ? 'Created' : 'OK'
      }
    }
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
  description: 'For 24 hours the same key and the same request give the same answer, and happen once.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function errorResponses(codes: readonly ErrorCode[]): OpenAPIV3_1.ResponsesObject {
  const byStatus = Map.groupBy(new Set(codes), (code) => errorCatalogue[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      status,
      {
        description: some.map((code) => `\`${code}\`: ${errorCatalogue[code].title}.`).join(' '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}
