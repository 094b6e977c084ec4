import path from 'node:path'
import { parseSync } from 'oxc-parser'
import type { Source } from '../lib/sources.ts'

/** Words of an identifier or of a file name in any case style: `findById` has find, by and id. */
export const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)

function collect(node: unknown, names: Set<string>): void {
  if (Array.isArray(node)) for (const item of node) collect(item, names)
  else if (typeof node === 'object' && node !== null) {
    const { type, name } = node as { type?: unknown; name?: unknown }
    if (typeof name === 'string' && typeof type === 'string' && /Identifier$/.test(type)) names.add(name)
    for (const value of Object.values(node)) collect(value, names)
  }
}

/** The name that a chain of members and calls begins with: `test` of `test.each(rows)`. */
function rootOf(node: Record<string, unknown> | undefined): unknown {
  const inner = node?.object ?? node?.callee
  return inner === undefined ? node?.name : rootOf(inner as Record<string, unknown>)
}

/** Adds the titles of tests, of their groups and of their steps. */
function collectTitles(node: unknown, titles: Set<string>): void {
  if (typeof node !== 'object' || node === null) return
  const { type, callee, arguments: given } = node as Record<string, never>
  if (type === 'CallExpression' && ['test', 'describe'].includes(rootOf(callee) as string)) {
    const { value, quasis } =
      (given as unknown as { value?: unknown; quasis?: { value: { raw: string } }[] }[])[0] ?? {}
    if (typeof value === 'string') titles.add(value)
    if (quasis) titles.add(quasis.map((part) => part.value.raw).join('…'))
  }
  for (const value of Object.values(node)) collectTitles(value, titles)
}

interface Names {
  readonly file: string
  /** Identifiers and the file's own name, without keywords, strings and comments. */
  readonly identifiers: ReadonlySet<string>
  readonly comments: readonly string[]
  readonly titles: ReadonlySet<string>
}

/** A comment's text without the stars and slashes that begin its lines. */
const plain = (comment: string): string => comment.replace(/^\s*[*/]+\s?/gm, '').trim()

/** Consecutive line comments are one comment. */
function joined(text: string, comments: readonly { start: number; end: number; value: string }[]): string[] {
  const texts: string[] = []
  let end = -1
  for (const comment of comments) {
    const between = end < 0 ? '' : text.slice(end, comment.start)
    const follows = end >= 0 && /^\n[ \t]*$/.test(between)
    if (follows) texts.push(`${texts.pop()}\n${plain(comment.value)}`)
    else texts.push(plain(comment.value))
    end = comment.end
  }
  return texts
}

export function namesOf({ file, text }: Source): Names {
  const identifiers = new Set([path.posix.basename(file).replace(/\.\w+$/, '')])
  const { program, comments } = parseSync(file, text)
  const titles = new Set<string>()
  collect(program, identifiers)
  if (/\.(test|spec)\.tsx?$/.test(file)) collectTitles(program, titles)
  return { file, identifiers, comments: joined(text, comments), titles }
}

/** Names in SQL text, without its comments and the text of its literals. */
export function namesInSql({ file, text }: Source): Names {
  const comments = [...text.matchAll(/--(.*)$/gm)].map(([, comment]) => plain(comment ?? ''))
  const code = text.replace(/--.*$/gm, '').replace(/'[^']*'/g, "''")
  return { file, identifiers: new Set(code.match(/[A-Za-z_]\w*/g)), comments, titles: new Set() }
}
