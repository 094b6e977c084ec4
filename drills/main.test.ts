import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../scripts/lib/repository.ts'
import { readOptions } from './lib/define-drill.ts'

const drill = (...args: string[]) =>
  spawnSync(process.execPath, ['drills/main.ts', ...args], { cwd: repository, encoding: 'utf8' })

test('the list names every drill with one line', () => {
  const { status, stdout } = drill()
  expect(status).toBe(0)
  for (const file of globSync('drills/*/command.ts', { cwd: repository })) {
    const name = path.basename(path.dirname(file))
    expect(stdout).toMatch(new RegExp(`^  ${name} +\\S.*$`, 'm'))
  }
})

test('a drill that does not exist is an error', () => {
  expect(drill('no-such-drill').status).toBe(2)
})

test('a wrong option is an error with the help text, before the drill starts anything', () => {
  const { status, stderr } = drill('restore', '--with', 'tape')
  expect(stderr).toMatch(/^--with must be one of embedded, pgbackrest\n.+\[--seconds 20\]/s)
  expect(status).toBe(2)
})

const defaults = { kills: 50, only: ['', 'gateway', 'postgres'], proxy: false, from: 'newest' } as const

test('options have the types of their defaults', () => {
  expect(readOptions([], defaults)).toEqual({ kills: 50, only: '', proxy: false, from: 'newest' })
  const given = ['--kills', '3', '--only', 'gateway', '--proxy', '--from', 'v1']
  expect(readOptions(given, defaults)).toEqual({ kills: 3, only: 'gateway', proxy: true, from: 'v1' })
  expect(readOptions(['--help', '--kills', '3'], defaults)).toBe(null)
})

test.each([
  [['--kill', '3'], "Unknown option '--kill'"],
  [['--kills', '0'], '--kills must be a number above 0'],
  [['--only', 'both'], '--only must be one of gateway, postgres'],
])('a wrong option throws: %j', (args, message) => {
  expect(() => readOptions(args, defaults)).toThrow(message)
})
