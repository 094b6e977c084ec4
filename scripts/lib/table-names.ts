import { parseSync } from 'oxc-parser'
import type { Source } from './sources.ts'

const builderCalls = new Set([
  'selectFrom',
  'insertInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
  'innerJoin',
  'leftJoin',
  'rightJoin',
  'fullJoin',
  'using',
])

const inSql =
  /\b(?:from|join|into|update|using|table|truncate)\s+(?:only\s+|lateral\s+)?"?([a-z_]\w*)\b"?(?!\s*\()/g

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const textOf = (value: unknown): string | undefined =>
  isNode(value) && value.type === 'Literal' && typeof value.value === 'string' ? value.value : undefined

/** The first argument of a call of the query builder, `payments as p` for example, or a list of such. */
function inCall({ callee, arguments: [first] = [] }: Node & { readonly arguments?: readonly unknown[] }) {
  const { property } = callee as { property?: { name?: string } }
  if (!property?.name || !builderCalls.has(property.name)) return []
  const texts = isNode(first) && first.type === 'ArrayExpression' ? (first.elements as unknown[]) : [first]
  return texts.flatMap((each) => textOf(each)?.split(' ')[0] ?? [])
}

/** Names in the places of tables in a piece of SQL. Names of common table expressions are among them. */
export const tableNamesInSql = (sql: string): string[] =>
  [...sql.matchAll(inSql)].flatMap(([, name]) => name ?? [])

/** Names in the places of tables, in SQL text and in calls of the query builder. Names of common table expressions are among them. */
export function tableNamesOf({ file, text }: Source): ReadonlySet<string> {
  const names = new Set<string>()
  const addSql = (sql: string) => {
    for (const name of tableNamesInSql(sql)) names.add(name)
  }
  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const each of value) visit(each)
    if (!isNode(value)) return
    if (value.type === 'TemplateLiteral')
      addSql((value.quasis as { value: { raw: string } }[]).map((quasi) => quasi.value.raw).join(' ? '))
    else if (value.type === 'CallExpression') for (const name of inCall(value)) names.add(name)
    const literal = textOf(value)
    if (literal) addSql(literal)
    for (const each of Object.values(value)) visit(each)
  }
  visit(parseSync(file, text).program)
  return names
}
