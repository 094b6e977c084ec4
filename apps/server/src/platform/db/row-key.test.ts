import { expect, test } from 'vitest'
import { alignRows } from './row-key.ts'

test('a request for the id of another merchant’s row at the same moment as that merchant gets nothing', () => {
  const row = { account_id: 'a', id: '1', secret: true }
  const rowKeys = [
    { account_id: 'b', id: '1' },
    { account_id: 'a', id: '1' },
    { account_id: 'a', id: '2' },
    { account_id: 'a', id: '1' },
  ]
  expect(alignRows(rowKeys, [row])).toEqual([undefined, row, undefined, row])
})
