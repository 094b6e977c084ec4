import type { OpenAPIV3_1 } from 'openapi-types'

type Schemas = Record<string, OpenAPIV3_1.SchemaObject>

/** Rewrites each object of a document, the inner ones first. */
function rewritten<T>(value: T, rewrite: (object: Record<string, unknown>) => Record<string, unknown>): T {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, rewrite)) as T
  if (typeof value !== 'object' || value === null) return value
  return rewrite(
    Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rewritten(inner, rewrite)])),
  ) as T
}

/** Whole numbers without a limit: the schema library writes the largest safe integers of JavaScript. */
export const withoutMachineLimits = <T>(document: T): T =>
  rewritten(document, ({ minimum, maximum, ...rest }) => ({
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  }))

/** Responses may have more fields in later releases, and a client must not refuse them. */
export const withOpenObjects = <T>(schema: T): T =>
  rewritten(schema, ({ additionalProperties, ...rest }) => ({
    ...rest,
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
  }))

const referencesIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)

/** The named schemas that a document refers to, of all that have a name. */
export function usedSchemas(document: object, all: Schemas): Schemas {
  const used = new Set<string>(['Problem'])
  const visit = (value: unknown): void => {
    for (const name of referencesIn(value).filter((found) => !used.has(found))) {
      used.add(name)
      visit(all[name])
    }
  }
  visit(document)
  return Object.fromEntries([...used].sort().map((name) => [name, all[name]])) as Schemas
}
