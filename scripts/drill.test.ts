import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './lib/repository.ts'

const drill = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/drill.ts', ...args], { cwd: repository, encoding: 'utf8' })

test('the list names every drill with one line', () => {
  const { status, stdout } = drill()
  expect(status).toBe(0)
  for (const file of globSync('scripts/drills/*.ts', { cwd: repository })) {
    expect(stdout).toMatch(new RegExp(`^  ${path.basename(file, '.ts')} +\\S.*$`, 'm'))
  }
})

test('a drill that does not exist is an error', () => {
  expect(drill('no-such-drill').status).toBe(2)
})
