type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array'

/** The subset of JSON Schema that the contract's schemas use. */
export interface JsonSchema {
  readonly type?: TypeName | readonly TypeName[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly $ref?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | false
  readonly description?: string
}

/** The TypeScript type that a schema describes. No library prints it with `readonly` under TypeScript 7: decision 160. */
export function printType(schema: JsonSchema, indent = ''): string {
  // A schema with a name of its own in the contract.
  if (schema.$ref) return schema.$ref.replace('#/$defs/', '')
  if ('const' in schema) return JSON.stringify(schema.const)
  // Any JSON value.
  if (Object.keys(schema).length === 0) return 'unknown'
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => printType(part, indent)).join(' & ')
  if (schema.anyOf) return schema.anyOf.map((option) => printType(option, indent)).join(' | ')
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: TypeName) => printType({ ...schema, type }, indent)).join(' | ')
  }
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'null':
      return schema.type
    case 'integer':
      return 'number'
    case 'array':
      return `readonly (${printType(schema.items ?? {}, indent)})[]`
    case 'object':
      return schema.properties ? printObject(schema, indent) : printRecord(schema, indent)
    default:
      // The generated type must not have less information than the contract.
      throw new Error(`No type for the schema ${JSON.stringify(schema)}`)
  }
}

const printRecord = ({ additionalProperties }: JsonSchema, indent: string): string =>
  `Readonly<Record<string, ${printType(additionalProperties || {}, indent)}>>`

function printObject({ properties = {}, required = [] }: JsonSchema, indent: string): string {
  const inner = `${indent}  `
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    ...(field.description ? [`${inner}/** ${field.description} */`] : []),
    // JSON leaves undefined out, so a caller may write it.
    required.includes(name)
      ? `${inner}readonly ${name}: ${printType(field, inner)}`
      : `${inner}readonly ${name}?: ${printType(field, inner)} | undefined`,
  ])
  return ['{', ...fields, `${indent}}`].join('\n')
}
