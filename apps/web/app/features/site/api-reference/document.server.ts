import { type Field, fieldsOf, type Schema } from './fields.server.ts'

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface OperationObject {
  readonly summary: string
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
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const placeNames: Readonly<Record<string, string>> = { query: 'Query', path: 'Path', header: 'Header' }

interface FieldGroup {
  readonly title: string
  readonly fields: readonly Field[]
}

/** The parts of the OpenAPI document that the page shows. */
export function readDocument(json: unknown) {
  const { paths, components } = json as ApiDocument
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: `${method}-${path.replace(/[^a-z]+/gi, '-').replace(/^-|-$/g, '')}`,
      method: method.toUpperCase(),
      path,
      summary: operation.summary,
      inputs: inputsOf(operation),
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
    })),
  )
  const problem = components.schemas.Problem
  return { operations, problem: problem ? fieldsOf(problem) : [] }
}

export type ApiReference = ReturnType<typeof readDocument>
export type ApiOperation = ApiReference['operations'][number]

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

const answersOf = ({ responses }: OperationObject): FieldGroup[] =>
  Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([status, { description, content }]) => ({
      title: `${status} ${description}`,
      fields: bodyOf(content),
    }))

function bodyOf(content: Content | undefined): Field[] {
  const schema = Object.values(content ?? {})[0]?.schema
  return schema ? fieldsOf(schema) : []
}
