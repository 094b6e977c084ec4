import { expect, test } from 'vitest'
import { parseObject } from './json.ts'

test('a number keeps the digits of the text', () => {
  const body = parseObject('{"amount": 90071992547409.93, "list": [0.1]}')
  expect(body).toEqual({ amount: '90071992547409.93', list: ['0.1'] })
})

test('a value that is no object is no reply', () => {
  for (const text of ['', 'null', '[]', '"x"', '1', '<html>', '{"a":']) expect(parseObject(text)).toBeNull()
})
