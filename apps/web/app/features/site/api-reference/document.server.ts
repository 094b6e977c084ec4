type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>

interface OperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

/** The parts of the gateway's document that this page reads. */
interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly webhooks: Readonly<Record<string, { readonly post: OperationObject }>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const placeNames: Readonly<Record<string, string>> = { query: 'Query', path: 'Path', header: 'Header' }

interface FieldGroup {
  readonly title: string
  readonly fields: readonly Field[]
}

/** The parts of the OpenAPI document that the page shows: the calls in their groups, and the events. */
export function readDocument(json: unknown) {
  const { tags, paths, webhooks, components } = withoutReferences(json as ApiDocument)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(method, path, operation)),
  )
  const groups = tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ group }) => group === name),
  }))
  const events = Object.entries(webhooks).map(([type, { post }]) => ({
    type,
    meaning: post.description,
    example: exampleOf(post.requestBody?.content),
  }))
  const problem = components.schemas.Problem
  return { groups, events, problem: problem ? fieldsOf(problem) : [] }
}

export type ApiReference = ReturnType<typeof readDocument>
export type ApiOperation = ReturnType<typeof operationOf>

const operationOf = (method: string, path: string, operation: OperationObject) => ({
  id: operation.operationId,
  group: operation.tags[0] ?? '',
  method: method.toUpperCase(),
  path,
  summary: operation.summary,
  description: operation.description,
  inputs: inputsOf(operation),
  request: exampleOf(operation.requestBody?.content),
  answers: answersOf(operation),
  errors: Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) =>
      [...description.matchAll(/`(\w+)`: ([^`]+)\.(?= `|$)/g)].map(([, code = '', title = '']) => ({
        code,
        status,
        title,
      })),
    ),
})

/** The document with each named schema in the place of the references to it. */
function withoutReferences(document: ApiDocument): ApiDocument {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const name = /^#\/components\/schemas\/(\w+)$/.exec((value as { $ref?: string }).$ref ?? '')?.[1]
    if (name) return resolve(document.components.schemas[name])
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]))
  }
  return resolve(document) as ApiDocument
}

/** The recorded example, as the page prints it; null without one. */
function exampleOf(content: Content | undefined): string | null {
  const example = Object.values(content ?? {})[0]?.example
  return example === undefined ? null : JSON.stringify(example, null, 2)
}

function inputsOf({ parameters = [], requestBody }: OperationObject): FieldGroup[] {
  const places = Object.entries(placeNames).map(([place, title]) => ({
    title,
    fields: parameters
      .filter((parameter) => parameter.in === place)
      .flatMap(({ name, required = false, description, schema }) =>
        fieldsOf({
          type: 'object',
          properties: { [name]: { ...schema, ...(description ? { description } : {}) } },
          required: required ? [name] : [],
        }),
      ),
  }))
  const body = { title: 'Body', fields: bodyOf(requestBody?.content) }
  return [...places, body].filter(({ fields }) => fields.length > 0)
}

const answersOf = ({ responses }: OperationObject): (FieldGroup & { readonly example: string | null })[] =>
  Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([status, { description, content }]) => ({
      title: `${status} ${description}`,
      fields: bodyOf(content),
      example: exampleOf(content),
    }))

function bodyOf(content: Content | undefined): Field[] {
  const schema = Object.values(content ?? {})[0]?.schema
  return schema ? fieldsOf(schema) : []
}

/** The subset of JSON Schema that the contract's schemas use. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  /** The events of each type. */
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

export interface Field {
  /** The name with its path: `customer.email`. */
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  /** Further constraints, a phrase each. */
  readonly notes: readonly string[]
  /** The allowed values of a closed list. */
  readonly words: readonly string[]
}

/** The fields of an object, each followed by the fields of its objects and lists. */
export function fieldsOf(outer: Schema, prefix = ''): Field[] {
  const schema = outer.oneOf ? oneOfMany(outer.oneOf) : outer
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = prefix + key
    const inner = withoutNull(field)
    const item = inner.items && withoutNull(inner.items)
    return [
      {
        name,
        type: typeOf(field),
        isRequired: schema.required?.includes(key) ?? false,
        notes: notesOf(field, inner),
        words: (inner.enum ?? []).map(String),
      },
      ...fieldsOf(inner, `${name}.`),
      ...(item ? fieldsOf(item, `${name}[].`) : []),
    ]
  })
}

/** The fields of schemas that differ by a constant: the constants are a list of values, and a field that differs is shown by its name. */
function oneOfMany(options: readonly Schema[]): Schema {
  const [first = {}] = options
  const merged = Object.entries(first.properties ?? {}).map(([name, field]): [string, Schema] => {
    const fields = options.map(({ properties }) => properties?.[name] ?? {})
    if (fields.every((each) => JSON.stringify(each) === JSON.stringify(field))) return [name, field]
    const values = fields.flatMap((each) => (each.const === undefined ? [] : [each.const]))
    return [name, values.length > 0 ? { type: 'string', enum: values } : { type: 'object' }]
  })
  return { ...first, properties: Object.fromEntries(merged) }
}

function withoutNull(schema: Schema): Schema {
  const options = schema.anyOf?.filter(({ type }) => type !== 'null')
  return options?.length === 1 && options[0] ? options[0] : schema
}

function typeOf(schema: Schema): string {
  const types = schema.anyOf?.map(typeOf) ?? [schema.type ?? 'anything'].flat()
  const names = types.map((type) => (type === 'array' ? `list of ${listed(schema)}` : type))
  return [...new Set(names)].join(' or ')
}

const listed = ({ items }: Schema): string => (items ? `${typeOf(items)}s` : 'anything')

function notesOf(outer: Schema, schema: Schema): string[] {
  const { format, minimum, exclusiveMinimum, maximum, maxLength } = schema
  const description = outer.description ?? schema.description
  return [
    ...(description ? [`${description.replace(/\.$/, '')}.`] : []),
    ...(format === 'uri' ? ['An address.'] : []),
    ...(exclusiveMinimum === undefined ? [] : [`More than ${figure(exclusiveMinimum)}.`]),
    ...(minimum === undefined ? [] : [`At least ${figure(minimum)}.`]),
    // The schema gives whole numbers without a limit the largest safe integer of JavaScript.
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [`At most ${figure(maximum)}.`]),
    ...(maxLength === undefined ? [] : [`At most ${figure(maxLength)} characters.`]),
    ...(outer.default === undefined ? [] : [`${String(outer.default)} when left out.`]),
  ]
}

const figure = (value: number): string => value.toLocaleString('en-US')
