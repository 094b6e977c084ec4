import { expect, test } from 'vitest'
import { parseObject } from './json.ts'

test('a number keeps the digits that were sent', () => {
  const body = parseObject('{"amount": 90071992547409.93, "list": [0.1]}')
  expect(body).toEqual({ amount: '90071992547409.93', list: ['0.1'] })
})

test('what is no object is no answer', () => {
  for (const text of ['', 'null', '[]', '"x"', '1', '<html>', '{"a":']) expect(parseObject(text)).toBeNull()
})
