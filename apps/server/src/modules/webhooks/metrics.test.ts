import { expect, test } from 'vitest'
import { createDeliveryCounts } from './metrics.ts'

test('delivery attempts are counted by the class of their endpoint and their verdict', () => {
  const counts = createDeliveryCounts()
  counts.note({ isProven: false, status: 'active' }, 'retry')
  counts.note({ isProven: true, status: 'active' }, 'succeeded')
  counts.note({ isProven: true, status: 'active' }, 'succeeded')
  counts.note({ isProven: true, status: 'failing' }, 'exhausted')
  expect(counts.all()).toEqual([
    { endpoint: 'unproven', verdict: 'retry', count: 1 },
    { endpoint: 'proven', verdict: 'succeeded', count: 2 },
    { endpoint: 'failing', verdict: 'exhausted', count: 1 },
  ])
})
