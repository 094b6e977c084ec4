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

interface Names {
  readonly file: string
  /** Identifiers and the file's own name, without keywords, strings and comments. */
  readonly identifiers: ReadonlySet<string>
}

export function identifiersIn({ file, text }: Source): Names {
  const identifiers = new Set([path.posix.basename(file).replace(/\.\w+$/, '')])
  collect(parseSync(file, text).program, identifiers)
  return { file, identifiers }
}

/** Names in SQL text, without its comments and the text of its literals. */
export function identifiersInSql({ file, text }: Source): Names {
  const code = text.replace(/--.*$/gm, '').replace(/'[^']*'/g, "''")
  return { file, identifiers: new Set(code.match(/[A-Za-z_]\w*/g)) }
}
