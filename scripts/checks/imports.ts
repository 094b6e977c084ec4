import path from 'node:path'
import { parseSync } from 'oxc-parser'
import type { Source } from '../lib/sources.ts'

export interface Import {
  readonly specifier: string
  readonly line: number
}

/** All imports and re-exports of a file, including types. */
export function importsOf({ file, text }: Source): Import[] {
  const { module } = parseSync(file, text)
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest] : [])),
    ),
  ].map(({ value, start }) => ({ value, start }))
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const literal = /^['"](.+)['"]$/.exec(text.slice(start, end))
    return literal?.[1] ? [{ value: literal[1], start }] : []
  })
  return [...requests, ...dynamic].map(({ value, start }) => ({
    specifier: value,
    line: text.slice(0, start).split('\n').length,
  }))
}

const packages: Record<string, string> = {
  contract: 'packages/contract/src',
  'embedded-postgres': 'packages/embedded-postgres/src',
  locales: 'packages/locales/src',
  'pdf-guard': 'packages/pdf-guard/src',
  rig: 'packages/rig/src',
  sdk: 'packages/sdk/src',
  testing: 'packages/testing/src',
  server: 'apps/server/src',
  web: 'apps/web/app',
  simulator: 'apps/simulator/src',
}

/** The file of the repository that an import names; undefined for another package. */
export function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier)
  const ours = /^@muripo\/([^/]+)(\/.*)?$/.exec(specifier)
  if (!ours) return undefined
  return `${packages[ours[1] ?? ''] ?? `packages/${ours[1]}`}${ours[2] ?? '/index'}.ts`
}
