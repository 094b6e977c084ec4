import { documentedEvents, eventMeanings, eventNameOf } from '@muripo/contract/events'
import type { OpenAPIV3_1 } from 'openapi-types'

const types = documentedEvents.map(({ shape }) => shape.type.value)

const referenceTo = (type: (typeof types)[number]) => `#/components/schemas/${eventNameOf(type)}`

/** An event of any type. */
export const eventComponent = {
  oneOf: types.map((type) => ({ $ref: referenceTo(type) })),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(types.map((type) => [type, referenceTo(type)])),
  },
} as OpenAPIV3_1.SchemaObject

const header = (name: string, description: string): OpenAPIV3_1.ParameterObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const headers = [
  header('webhook-id', 'The id of the event, the same in each delivery.'),
  header('webhook-timestamp', 'Seconds since 1970, at this delivery attempt.'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`; two signatures, separated by a space, while a secret is replaced.',
  ),
]

/** The requests that the gateway posts to endpoints. */
export const eventWebhooks = (
  examples: Readonly<Record<string, unknown>>,
): Record<string, OpenAPIV3_1.PathItemObject> =>
  Object.fromEntries(
    types.map((type) => [
      type,
      {
        post: {
          operationId: `on${eventNameOf(type)}`,
          tags: ['Events'],
          summary: `The event ${type}`,
          description: eventMeanings[type],
          security: [],
          parameters: headers,
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: { $ref: referenceTo(type) }, example: examples[type] },
            },
          },
          responses: {
            '2XX': { description: 'The endpoint has accepted the event.' },
            410: { description: 'The gateway disables the endpoint.' },
          },
        },
      } as OpenAPIV3_1.PathItemObject,
    ]),
  )
