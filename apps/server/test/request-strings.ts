import type { RouteSpec } from '@muripo/contract/route'
import { z } from 'zod'

/** A position in a request that contains a string. */
export interface StringPlace {
  /** The name, such as `POST /payments body.customer.email`. */
  readonly name: string
  /** The length limit that ends the check, or null when there is none. */
  readonly limit: number | null
  /** Checks a request that contains only this string, at this position. */
  check(text: string): z.ZodSafeParseResult<unknown>
}

export const stringPlaces = ({ method, path, params, query, body }: RouteSpec): StringPlace[] =>
  Object.entries({ params, query, body }).flatMap(([part, schema]) =>
    schema === undefined
      ? []
      : placesIn(schema, `${method} ${path} ${part}`).map(({ name, limit, around }) => ({
          name,
          limit,
          check: (text) => schema.safeParse(around(text)),
        })),
  )

interface Place {
  readonly name: string
  readonly limit: number | null
  /** The smallest value of the schema with the text at this position. */
  readonly around: (text: string) => unknown
}

function placesIn(schema: z.core.$ZodType, name: string): Place[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const inside = (part: z.core.$ZodType, partName: string, wrap: (value: unknown) => unknown): Place[] =>
    placesIn(part, partName).map((place) => ({ ...place, around: (text) => wrap(place.around(text)) }))
  switch (def.type) {
    case 'string':
      return [{ name, limit: limitOf(schema), around: (text) => text }]
    case 'object':
      return Object.entries(def.shape).flatMap(([key, part]) =>
        inside(part, `${name}.${key}`, (value) => ({ [key]: value })),
      )
    case 'array':
      return inside(def.element, `${name}[]`, (value) => [value])
    case 'record':
      return [
        ...inside(def.keyType, `${name}{key}`, (key) => ({ [String(key)]: 'x' })),
        ...inside(def.valueType, `${name}{}`, (value) => ({ x: value })),
      ]
    case 'union':
      return def.options.flatMap((option, n) => inside(option, `${name}|${n}`, (value) => value))
    case 'pipe':
      return [...placesIn(def.in, name), ...placesIn(def.out, name)]
    case 'optional':
    case 'nullable':
    case 'default':
      return placesIn(def.innerType, name)
    // A closed list, and numbers, which a query contains as texts.
    case 'enum':
    case 'literal':
    case 'number':
      return [{ name, limit: 0, around: (text) => text }]
    case 'boolean':
    case 'transform':
      return []
    default:
      throw new Error(`${name} is of the type ${def.type}, which this test does not know`)
  }
}

/** The limit must be the first check, and end the others. A format of zod (z.url(), z.iso.date()) would run before it. */
function limitOf(schema: z.core.$ZodType): number | null {
  if (schema instanceof z.core.$ZodCheckStringFormat) return null
  const first = (schema as z.core.$ZodString)._zod.def.checks?.[0]
  if (!(first instanceof z.core.$ZodCheckMaxLength)) return null
  const { maximum, abort } = first._zod.def
  return abort === true ? maximum : null
}
