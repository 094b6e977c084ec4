/** The subset of JSON Schema that the contract's schemas use. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
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
export function fieldsOf(schema: Schema, prefix = ''): Field[] {
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
