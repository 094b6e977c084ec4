import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errorCatalogue, Problem } from '@muripo/contract/errors'
import { callGroups, publicCalls } from '@muripo/contract/public-calls'
import type { RouteSpec } from '@muripo/contract/route'
import type { OpenAPIV3_1 } from 'openapi-types'
import { z } from 'zod'
import { AppError, toProblem } from '../errors.ts'
import { eventComponent, eventWebhooks } from './openapi-events.ts'
import { usedSchemas, withOpenObjects, withoutMachineLimits } from './openapi-schemas.ts'

export interface MountedRoute {
  readonly url: string
  readonly spec: RouteSpec
}

type Operation = NonNullable<OpenAPIV3_1.PathItemObject['get']>

interface RecordedCall {
  readonly request?: unknown
  readonly response?: unknown
}

/** Requests and responses that a running gateway has answered: `apps/server/test/api-examples.test.ts` records them. */
export interface RecordedExamples {
  readonly calls: Readonly<Record<string, RecordedCall>>
  readonly events: Readonly<Record<string, unknown>>
}

export const examplesFile = new URL('./generated/openapi-examples.json', import.meta.url)

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

const names = new Map<RouteSpec, string>(Object.entries(publicCalls).map(([name, { spec }]) => [spec, name]))

/**
 * Adds the parts that the plugin cannot read from the schemas: names, groups, descriptions, recorded examples, the errors of the contract, the
 * events, and the header that makes a call safe to repeat.
 */
export function complete(
  document: OpenAPIV3_1.Document,
  routes: readonly MountedRoute[],
): OpenAPIV3_1.Document {
  const examples = JSON.parse(readFileSync(examplesFile, 'utf8')) as RecordedExamples
  const paths = structuredClone(document.paths ?? {})
  for (const { url, spec } of routes) {
    const item = paths[url.replace(/:(\w+)/g, '{$1}')]
    const method = spec.method.toLowerCase() as `${OpenAPIV3_1.HttpMethods}`
    const operation = item?.[method]
    if (item && operation) item[method] = completeOperation(operation, spec, examples)
  }
  const webhooks = eventWebhooks(examples.events)
  const codes = routes.flatMap(({ spec }) => [...spec.errors, ...ofBodies, ...everywhere])
  const bodies = routes.flatMap(({ spec: { body } }) => (body ? [bodyOf(body)] : []))
  const schemas = {
    ...withOpenObjects(document.components?.schemas),
    ...Object.fromEntries(bodies.map(({ id, schema }) => [id, schema])),
    Event: eventComponent,
    Problem: withOpenObjects(z.toJSONSchema(Problem)),
  } as Record<string, OpenAPIV3_1.SchemaObject>
  return withoutMachineLimits({
    ...document,
    tags: Object.entries(callGroups).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      ...document.components,
      schemas: usedSchemas({ paths, webhooks }, schemas),
      examples: problemExamples(codes),
    },
  })
}

function completeOperation(operation: Operation, spec: RouteSpec, examples: RecordedExamples): Operation {
  const name = names.get(spec)
  if (name === undefined) throw new Error(`${spec.method} ${spec.path} has no name among the public calls`)
  const { group, description } = publicCalls[name as keyof typeof publicCalls]
  const { request, response } = examples.calls[name] ?? {}
  const isKeyed = spec.errors.includes('idempotency_mismatch')
  const { requestBody: _inferred, parameters = [], responses, ...rest } = operation
  return {
    operationId: name,
    tags: [group],
    ...rest,
    summary: spec.summary,
    description,
    security: [{ applicationKey: [spec.access] }],
    parameters: [...parameters, ...(isKeyed ? [idempotencyKey] : [])],
    // The schema of an empty body is not documented as a body.
    ...(spec.body && {
      requestBody: withExample(
        {
          required: true,
          content: {
            'application/json': { schema: { $ref: `#/components/schemas/${bodyOf(spec.body).id}` } },
          },
        },
        request,
      ),
    }),
    responses: {
      ...Object.fromEntries(
        Object.keys(spec.reply).map((status) => [
          status,
          withExample(
            {
              // The plugin describes no response without a body.
              ...(withOpenObjects(responses?.[status] ?? {}) as object),
              description: STATUS_CODES[status] ?? '',
              ...(isKeyed && { headers: { 'Idempotency-Replayed': replayed } }),
            },
            response,
          ),
        ]),
      ),
      ...errorResponses([...spec.errors, ...(spec.method === 'GET' ? [] : ofBodies), ...everywhere]),
    },
  } as object as Operation
}

/**
 * The name and the schema of a body. The plugin's own choice between a schema for requests and one for responses fails when the process has
 * loaded the contract twice, as with the bundle of the web app: both copies register the same names.
 */
function bodyOf(body: z.ZodType): { readonly id: string; readonly schema: object } {
  const { $ref = '', $defs = {} } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  const id = $ref.replace('#/$defs/', '')
  const schema = $defs[id]
  if (schema === undefined) throw new Error('The body of a public call has no name')
  return { id, schema }
}

function withExample(part: object, example: unknown): object {
  const { content } = part as { readonly content?: object }
  if (!content || example === undefined) return part
  const media = Object.entries(content).map(([type, each]) => [type, { ...each, example }])
  return { ...part, content: Object.fromEntries(media) }
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
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(
              some.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  )
}

/** The body of each error, without the errors of single fields. */
const problemExamples = (codes: readonly ErrorCode[]): Record<string, OpenAPIV3_1.ExampleObject> =>
  Object.fromEntries(
    [...new Set(codes)].map((code) => [code, { value: toProblem(new AppError(code), 'req_0f3a9c1e') }]),
  )
