import { bankAccountTypes, categories } from '@muripo/contract/enums'
import fc from 'fast-check'
import { z } from 'zod'

type Schema = z.core.JSONSchema.JSONSchema

/** Examples by format, or by name where refinements accept few values. */
const examples: Readonly<Record<string, readonly string[]>> = {
  email: ['a@b.co', 'tendai@example.co.zw'],
  uri: ['https://shop.test/ok'],
  date: ['2026-11-20'],
  'date-time': ['2026-11-20T09:30:00.000Z'],
  category: categories,
  bankAccountType: bankAccountTypes,
  bankAccountNumber: ['0123456789'],
  timeZone: ['Africa/Harare', 'Pacific/Apia'],
  currency: ['USD', 'ZWG', 'JPY', 'XTS'],
  password: ['correct horse battery'],
}

/** Inputs that a schema of the contract accepts, as far as JSON Schema can express it; its refinements refuse some of these. */
export function rightInputs(schema: z.ZodType, ids: readonly string[]): fc.Arbitrary<unknown> {
  return matching(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '')

  function matching(part: Schema | boolean, name: string): fc.Arbitrary<unknown> {
    if (typeof part === 'boolean') return fc.jsonValue()
    if (part.const !== undefined) return fc.constant(part.const)
    if (part.enum) return fc.constantFrom(...part.enum)
    const choices = part.anyOf ?? part.oneOf
    if (choices) return fc.oneof(...choices.map((choice) => matching(choice, name)))
    switch (part.type) {
      case 'object':
        return objects(part)
      case 'array':
        return fc.array(matching((part.items ?? true) as Schema | boolean, name), { maxLength: 3 })
      case 'string':
        return name.endsWith('Id') ? fc.constantFrom(...ids) : texts(part, name)
      case 'integer':
        return fc.integer({ min: bound(part.minimum, 0), max: bound(part.maximum, 1_000_000) })
      case 'number':
        return fc.integer({ min: 1, max: 100_000 }).map((minor) => minor / 100)
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      default:
        return fc.jsonValue()
    }
  }

  function objects({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
    const known = fc.record(
      Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, matching(part, name)])),
      { requiredKeys: required },
    )
    if (!additionalProperties) return known
    const other = matching(additionalProperties as Schema | boolean, '')
    const others = fc.dictionary(fc.string({ maxLength: 12 }), other, { maxKeys: 4 })
    return fc.tuple(known, others).map(([some, more]) => ({ ...more, ...some }))
  }
}

const bound = (given: number | undefined, otherwise: number): number =>
  given === undefined ? otherwise : Math.trunc(Math.max(-1_000_000, Math.min(given, 1_000_000)))

function texts(
  { format, pattern, minLength = 0, maxLength = 40 }: Schema,
  name: string,
): fc.Arbitrary<string> {
  const known = examples[name] ?? examples[format ?? '']
  if (known) return fc.constantFrom(...known)
  if (pattern) return fc.stringMatching(new RegExp(pattern), { maxLength: Math.max(maxLength, minLength) })
  return fc.oneof(
    fc.constantFrom('Tendai Moyo', '0771234567', '123456', 'correct horse battery', 'https://shop.test/ok'),
    fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) }),
  )
}
