import type { RouteSpec } from '@muripo/contract/route'
import { pdf } from '@muripo/testing/pdf'
import fc from 'fast-check'
import type { MountedRoute } from '../mounted-routes.ts'
import { garbled, mutated, oddTexts } from './odd-inputs.ts'
import { rightInputs } from './right-inputs.ts'

/** A request without its caller. */
export interface Shot {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string
}

/** Requests for one call: most are close to its schemas, with existing ids; some are not even JSON. */
export function shotsAt({ url, spec }: MountedRoute, known: readonly string[]): fc.Arbitrary<Shot> {
  return fc
    .record({
      path: paths(url, known),
      query: queries(spec, known),
      payload: spec?.body
        ? payloads(spec.body, known)
        : url.endsWith('/upload')
          ? uploads
          : fc.constant(undefined),
      contentType: mostly(
        url.endsWith('/upload') ? MULTIPART : 'application/json',
        'text/plain',
        'multipart/form-data',
        'application/json; charset=utf-16',
      ),
      key: fc.option(fc.oneof(fc.string({ maxLength: 300 }), fc.constant('order-1')), { freq: 2 }),
    })
    .map(({ path, query, payload, contentType, key }) => ({
      url: path + query,
      headers: {
        ...(payload !== undefined && { 'content-type': contentType }),
        ...(key !== null && { 'idempotency-key': key.replace(/[^\x20-\x7e]/g, '') }),
      },
      ...(payload !== undefined && { payload }),
    }))
}

const mostly = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  )

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const paths = (url: string, known: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: oddTexts }),
      {
        minLength: 3,
        maxLength: 3,
      },
    )
    .map((values) => {
      let next = 0
      return url.replace(/:\w+/g, () => encoded(values[next++] ?? ''))
    })

function queries(spec: RouteSpec | null, known: readonly string[]): fc.Arbitrary<string> {
  const nothing = fc.constant('')
  if (!spec?.query)
    return fc.oneof({ weight: 9, arbitrary: nothing }, { weight: 1, arbitrary: oddQuery([], known) })
  const right = mutated(rightInputs(spec.query, known)).map((query) => {
    const entries = typeof query === 'object' && query !== null ? Object.entries(query) : []
    return asQuery(
      entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    )
  })
  return fc.oneof(right, oddQuery(namesOf(spec.query), known))
}

const namesOf = (schema: object): string[] => ('shape' in schema ? Object.keys(schema.shape as object) : [])

const asQuery = (entries: readonly (readonly [string, string])[]): string =>
  entries.length === 0
    ? ''
    : `?${entries.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')}`

const oddQuery = (names: readonly string[], known: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .array(fc.tuple(fc.constantFrom('other', ...names), fc.oneof(oddTexts, fc.constantFrom(...known))), {
        maxLength: 4,
      })
      .map(asQuery),
    fc.constantFrom('?%', '?%zz=1', '?limit=%00', '?a[b]=1', '?=&&=', '?limit=1&limit=2'),
  )

/** JSON.stringify can neither repeat a name nor stop half-way; a request can. */
function payloads(schema: NonNullable<RouteSpec['body']>, known: readonly string[]): fc.Arbitrary<string> {
  const right = rightInputs(schema, known)
  const text = (values: fc.Arbitrary<unknown>) => values.map((value) => JSON.stringify(value) ?? '')
  return fc.oneof(
    { weight: 3, arbitrary: text(right) },
    { weight: 8, arbitrary: text(mutated(right)) },
    { weight: 2, arbitrary: garbled(text(right)) },
    {
      weight: 1,
      arbitrary: fc.oneof(oddTexts, fc.constant('{"a":1,"a":2}'), fc.constant('['.repeat(50_000))),
    },
    { weight: 1, arbitrary: text(right).map((json) => json.replace('{', '{"__proto__":{"x":1},')) },
  )
}

const MULTIPART = 'multipart/form-data; boundary=edge'
const uploads: fc.Arbitrary<string> = garbled(
  fc.constant(
    `--edge\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n${pdf().toString('latin1')}\r\n--edge--\r\n`,
  ),
)
