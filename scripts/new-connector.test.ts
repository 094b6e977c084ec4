import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repository } from './lib/repository.ts'

let copy: string

beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'muripo-connector-'))
  for (const folder of ['apps/server/src', 'apps/server/test', 'apps/simulator/src', 'scripts/lib'])
    cpSync(path.join(repository, folder), path.join(copy, folder), { recursive: true })
  for (const file of ['package.json', 'biome.json', 'scripts/new-connector.ts'])
    cpSync(path.join(repository, file), path.join(copy, file))
  for (const folder of ['node_modules', 'packages'])
    symlinkSync(path.join(repository, folder), path.join(copy, folder))
  writeFileSync(path.join(copy, 'vitest.config.ts'), 'export default {}\n')
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

test('a new connector passes the contract against its new simulator, and is not written twice', () => {
  const made = run('scripts/new-connector.ts', 'acme')
  expect(made.text).toContain('apps/server/src/modules/providers/acme/index.ts')
  expect(made.status).toBe(0)
  const tested = run(
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=verbose',
    'apps/server/src/modules/providers/acme',
  )
  expect(tested.text).toMatch(/Tests .*[1-9]\d passed/)
  expect(tested.text).toContain('a charge by Acme')
  expect(tested.status).toBe(0)
  expect(run('scripts/new-connector.ts', 'acme')).toEqual({
    status: 1,
    text: 'new-connector: acme exists already\n',
  })
})

test.each(['', 'Acme', '../acme', 'a b', '1acme'])('%j is no name', (name) => {
  expect(run('scripts/new-connector.ts', name)).toMatchObject({ status: 1 })
})
