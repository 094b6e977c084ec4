import { Problem } from '@muripo/contract/errors'
import type { RouteSpec } from '@muripo/contract/route'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { parseConfig } from '../src/platform/config.ts'
import { mount } from '../src/platform/http/route.ts'
import { createHttp } from '../src/platform/http/server.ts'
import { createLog } from '../src/platform/log.ts'
import { declaredRoutes } from './declared-routes.ts'

/** A schema of a generated document, as far as these tests read it. */
interface Declared {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Declared[]
  readonly properties?: Readonly<Record<string, Declared>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Declared | false
  readonly items?: Declared
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly maxLength?: number
}

interface Field {
  /** The name in the list of errors. */
  readonly name: string
  readonly declared: Declared
  readonly isRequired: boolean
  /** A body with this value in the field, and nothing else. */
  readonly bodyWith: (value: unknown) => unknown
}

function fieldsOf(schema: Declared, path: readonly string[] = [], wrap = (value: unknown) => value): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const bodyWith = (value: unknown) => wrap({ [key]: value })
    const name = [...path, key]
    const declared = property.anyOf?.find(({ type }) => type !== 'null') ?? property
    const isNullable = property.anyOf?.some(({ type }) => type === 'null') ?? false
    const isRequired = !isNullable && (schema.required?.includes(key) ?? false)
    const entry = declared.additionalProperties
    return [
      { name: name.join('.'), declared, isRequired, bodyWith },
      ...fieldsOf(declared, name, bodyWith),
      ...(entry
        ? [
            {
              name: [...name, 'entry'].join('.'),
              declared: entry,
              isRequired: false,
              bodyWith: (value: unknown) => bodyWith({ entry: value }),
            },
          ]
        : []),
    ]
  })
}

const isPublic = (spec: RouteSpec) => spec.errors.includes('invalid_key')
const prefixOf = (spec: RouteSpec) => (isPublic(spec) ? '/api/v1' : '/v1')

/** The schema of a body, with its named schemas in place. */
function declaredBy(body: z.ZodType): Declared {
  const { $defs, ...schema } = z.toJSONSchema(body, { io: 'input' })
  const inPlace = (_key: string, value: unknown): unknown => {
    const name = (value as { $ref?: string } | null)?.$ref?.split('/').at(-1)
    return name === undefined ? value : JSON.parse(JSON.stringify($defs?.[name]), inPlace)
  }
  return JSON.parse(JSON.stringify(schema), inPlace)
}

const routes = (await declaredRoutes()).filter(({ body }) => body !== undefined)
const fields = routes.flatMap((spec) =>
  fieldsOf(declaredBy(spec.body as z.ZodType)).map((field) => ({
    ...field,
    spec,
    title: `${field.name} of ${spec.method} ${prefixOf(spec)}${spec.path}`,
  })),
)

/** A value of each type of JSON. */
const samples: Readonly<Record<string, unknown>> = {
  string: 'x',
  number: 5,
  boolean: true,
  array: ['x'],
  object: { x: 'x' },
}

/** The words for the types in errors. */
const words: Readonly<Record<string, RegExp>> = {
  string: /^Must be text$/,
  number: /(^Must be|^The amount must be) a (whole )?number$/,
  array: /^Must be a list$/,
  object: /^Must be an object$/,
}

/** Sentences that have other words for their field. The forms of the dashboard show them. */
const ownWords =
  /^(Please (choose at least one event|select a (document|bank account) type|select an account type|select a time zone|select a language|upload your identification document|select a (valid )?category)|(Full name|Bank( account (name|number))?|(Current |New )?[Pp]assword|Password|OTP|The colour|The status|The logo) )/

let app: FastifyInstance
beforeAll(async () => {
  app = createHttp(parseConfig({}), createLog('silent'))
  for (const spec of routes) {
    const handle = async () => ({ status: 200, json: '{}' })
    mount(app, prefixOf(spec), async () => null, [{ spec, admit: undefined, handle }])
  }
  await app.ready()
})
afterAll(() => app.close())

async function problemOf(spec: RouteSpec, payload: unknown) {
  const response = await app.inject({
    method: spec.method,
    url: prefixOf(spec) + spec.path,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  })
  return response.statusCode === 200 ? null : Problem.parse(response.json())
}

/** The error of one field; null when the field has none. */
async function errorOf({ spec, name, bodyWith }: (typeof fields)[number], value: unknown) {
  const problem = await problemOf(spec, bodyWith(value))
  const error = problem?.errors?.find(({ field }) => field === name) ?? null
  if (problem && error === problem.errors?.[0]) {
    const key = name.split('.').at(-1) as string
    const namesField = problem.detail.toLowerCase().replaceAll(' ', '').includes(key.toLowerCase())
    expect(namesField || ownWords.test(problem.detail), `${name}: ${problem.detail}`).toBe(true)
    const others = (problem.errors?.length ?? 0) - 1
    if (isPublic(spec) && others > 0)
      expect(problem.detail).toMatch(
        new RegExp(`; ${others === 1 ? 'one' : others} more fields? (is|are) not valid$`),
      )
  }
  return error?.message ?? null
}

/** A field that may be null has the type of its other values. */
const typeOf = ({ type, anyOf = [] }: Declared): string => {
  const declared = type ?? anyOf.find((each) => each.type !== 'null')?.type ?? 'string'
  const own = [declared].flat().find((each) => each !== 'null') ?? 'string'
  return own === 'integer' ? 'number' : own
}

test('the contract has fields of every type', () => {
  expect(fields.length).toBeGreaterThan(60)
  expect(new Set(fields.map(({ declared }) => typeOf(declared)))).toEqual(
    new Set(['string', 'number', 'boolean', 'array', 'object']),
  )
})

test.each(fields)('$title: the error of a value of another type names the right type', async (field) => {
  const own = typeOf(field.declared)
  for (const [type, value] of Object.entries(samples)) {
    if (type !== own) expect(await errorOf(field, value), `${type} for ${own}`).toMatch(words[own] as RegExp)
  }
})

test.each(fields)('$title: null is absent', async (field) => {
  const [missing, isNull] = [await errorOf(field, undefined), await errorOf(field, null)]
  expect(isNull).toBe(missing)
  if (field.isRequired) expect(isNull).toMatch(/required$|^Please |^The status must be/)
})

const texts = fields.filter(({ declared }) => typeOf(declared) === 'string')

test.each(texts)('$title: an empty text is not called a wrong type or a missing field', async (field) => {
  expect((await errorOf(field, '')) ?? '').not.toMatch(/Must be text|^This field/)
})

test.each(texts)('$title: a text is as long as declared, and no longer', async (field) => {
  const { maxLength, pattern, format, enum: words, const: word } = field.declared
  const isFree = pattern === undefined && format === undefined && words === undefined && word === undefined
  const tooLong = /^Must be at most|^Password must be at most/
  expect(await errorOf(field, 'x'.repeat(60_000))).not.toBeNull()
  if (!isFree || maxLength === undefined) return
  expect((await errorOf(field, 'x'.repeat(maxLength))) ?? '').not.toMatch(tooLong)
  expect(await errorOf(field, 'x'.repeat(maxLength + 1))).not.toBeNull()
})
