import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { youngGenerationArgs } from './young-generation.ts'

const GIB = 1024 ** 3

test.each([
  [0.5, ['--max-semi-space-size=12']],
  [1, ['--max-semi-space-size=12']],
  [2, ['--max-semi-space-size=12']],
  [3, ['--max-semi-space-size=16']],
  [4, ['--max-semi-space-size=16']],
  [8, []],
])('a machine of %s GiB has a young generation of its size', (gib, args) => {
  expect(youngGenerationArgs({ execArgv: [], env: {} }, gib * GIB)).toEqual(args)
})

test('a size that the operator has chosen stays', () => {
  const chosen = '--max-semi-space-size=32'
  expect(youngGenerationArgs({ execArgv: [chosen], env: {} }, GIB)).toEqual([])
  for (const NODE_OPTIONS of [chosen, '--enable-source-maps --max_semi_space_size=32'])
    expect(youngGenerationArgs({ execArgv: [], env: { NODE_OPTIONS } }, GIB)).toEqual([])
})

test('a program of its own starts again with the argument, once and in the same process', () => {
  const program = `
    import { writeSync } from 'node:fs'
    import { limitYoungGeneration, youngGenerationArgs } from ${JSON.stringify(new URL('./young-generation.ts', import.meta.url).href)}
    writeSync(1, process.pid + ' ' + process.execArgv[0] + '\\n')
    limitYoungGeneration(youngGenerationArgs(process, ${GIB}))`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  expect(output).toMatch(/^(\d+) --input-type=module\n\1 --max-semi-space-size=12\n$/)
})
