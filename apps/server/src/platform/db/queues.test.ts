import { expect, test } from 'vitest'
import { createQueues } from './queues.ts'

test('the wait is the longest one of a queue with twenty callers or more: fewer wait for a pause of the machine', () => {
  const queues = createQueues()
  let length = 19
  queues.add({ length: () => length, waitMs: () => 5000 })
  queues.add({ length: () => 1000, waitMs: () => 300 })
  expect(queues.waitMs()).toBe(300)
  length = 20
  expect(queues.waitMs()).toBe(5000)
})
