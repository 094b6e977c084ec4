import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { repository } from './lib/repository.ts'
import { slicesOf } from './model.ts'

test('a run of the model is cut into slices with databases and seeds of their own', () => {
  expect(slicesOf(['--sequences', '25000', '--seed', '7'])).toEqual([
    { firstSeed: 7, sequences: 10_000 },
    { firstSeed: 10_007, sequences: 10_000 },
    { firstSeed: 20_007, sequences: 5000 },
  ])
  expect(slicesOf(['--sequences', '1'])).toEqual([{ firstSeed: 20_261_121, sequences: 1 }])
})

test.each([
  [['--sequences', '0'], '--sequences is a whole number'],
  [['--seed', 'x'], '--seed is a whole number'],
  [['--kills', '1'], "Unknown option '--kills'"],
])('npm run model with %j is refused', async (args, words) => {
  const started = promisify(execFile)(process.execPath, ['scripts/model.ts', ...args], { cwd: repository })
  await expect(started).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(words) })
})
