import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { databaseSteps, waitingTests } from './plan.ts'
import { repository } from './repository.ts'

test('each file that waits exists, and is run by one of the steps', () => {
  expect(waitingTests.filter((file) => !existsSync(path.join(repository, file)))).toEqual([])
  const steps = databaseSteps().filter(({ command }) => command === 'vitest')
  for (const file of waitingTests)
    expect(steps.map(({ args }) => [args.includes(file), args.includes(`--exclude=${file}`)])).toEqual([
      [false, true],
      [true, false],
    ])
})
