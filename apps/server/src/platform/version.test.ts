import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseConfig } from './config.ts'
import { createHealthServer } from './http/health.ts'
import { createLog } from './log.ts'
import { version } from './version.ts'

const repository = fileURLToPath(new URL('../../../..', import.meta.url))

test('every part of the repository has the version of the gateway', () => {
  const manifests = globSync(['package.json', '{apps,packages}/*/package.json'], { cwd: repository })
  expect(manifests.length).toBeGreaterThan(8)
  const other = manifests.filter(
    (file) => JSON.parse(readFileSync(path.join(repository, file), 'utf8')).version !== version,
  )
  expect(other).toEqual([])
})

test.each([
  'apps/server/src/main.ts',
  'apps/server/src/admin/main.ts',
  'apps/simulator/src/main.ts',
  'scripts/start.ts',
])('%s --version prints it and starts nothing', (file) => {
  const printed = execFileSync(process.execPath, [path.join(repository, file), '--version'], {
    encoding: 'utf8',
    env: { MURIPO_DATA: '/nowhere/data' },
  })
  expect(printed).toBe(`${version}\n`)
})

test('/healthz contains it', async () => {
  const app = createHealthServer(parseConfig({}), createLog('silent'), async () => null)
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok', version })
  await app.close()
})
