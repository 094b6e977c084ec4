import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { countedApart, createBackgroundTasks } from './background-tasks.ts'

test('tasks that are counted apart take no place of others, and a stop waits for all of them', async () => {
  const all = createBackgroundTasks(createLog('silent'))
  const [one, other] = [countedApart(all), countedApart(all)]
  const { promise, resolve } = Promise.withResolvers<void>()
  one.start('look-up', promise, 'a')
  one.start('look-up', Promise.reject(new Error('no answer')))
  expect([one, other, all].map((each) => each.count('look-up'))).toEqual([2, 0, 2])
  expect(other.isRunning('look-up', 'a')).toBe(true)
  await expect.poll(() => one.count('look-up')).toBe(1)
  const drained = all.drain()
  resolve()
  await drained
  expect([one, other, all].map((each) => each.count('look-up'))).toEqual([0, 0, 0])
})
