import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../lib/repository.ts'

const samples = [
  'README.md',
  'docs/*.md',
  'packages/sdk/README.md',
  'packages/sdk/examples/*',
  'apps/web/app/features/site/documentation/samples/*',
]

const keysOf = (file: string): string[] => {
  const text = readFileSync(path.join(repository, file), 'utf8')
  const found = text.matchAll(/idempotency-?key['"]?: ['"`]?([\w$(){} +%.-]+?)['"`]/gi)
  return [...new Set([...found].map(([, key = '']) => key))]
}

test('no two documents or samples share an Idempotency-Key, so that one can be pasted after the other', () => {
  const files = samples.flatMap((pattern) => globSync(pattern, { cwd: repository })).sort()
  const uses = files.flatMap((file) => keysOf(file).map((key) => ({ key, file })))
  expect(uses.length).toBeGreaterThan(4)
  const byKey = Map.groupBy(uses, ({ key }) => key)
  expect([...byKey.values()].filter((found) => found.length > 1)).toEqual([])
})
