import { expect, test } from 'vitest'
import { rowsFor } from './wanted.ts'

test('who asks for the id of another merchant’s row at the same moment as that merchant gets nothing', () => {
  const row = { merchant_id: 'a', id: '1', secret: true }
  const wanted = [
    { merchant_id: 'b', id: '1' },
    { merchant_id: 'a', id: '1' },
    { merchant_id: 'a', id: '2' },
    { merchant_id: 'a', id: '1' },
  ]
  expect(rowsFor(wanted, [row])).toEqual([undefined, row, undefined, row])
})
