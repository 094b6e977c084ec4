import { describe, expect, test } from 'vitest'
import { failure } from '../lib/http.ts'
import { unwrap } from './errors.ts'

const FALLBACK = 'Failed to load dashboard stats'
const answered = (status: number) => ({ status, data: { figures: 1 }, error: null, message: null })

test('[CALLS-26] 200 and 201 are a success, with the data of the body', () => {
  expect(unwrap(answered(200), FALLBACK)).toEqual({ figures: 1 })
  expect(unwrap(answered(201), FALLBACK)).toEqual({ figures: 1 })
  expect(() => unwrap(answered(202), FALLBACK)).toThrow(FALLBACK)
  expect(() => unwrap({ ...answered(200), data: null }, FALLBACK)).toThrow(FALLBACK)
})

describe('a failure contains', () => {
  test("[ERR-20] the server's own words, or else the screen's", () => {
    const words = 'Something went wrong on our side'
    expect(() => unwrap(failure(500, words, words), FALLBACK)).toThrow(words)
    expect(() => unwrap(failure(502, 'HTTP 502: Bad Gateway'), FALLBACK)).toThrow(FALLBACK)
  })
  test('[ERR-21] that the network is gone', () => {
    expect(() => unwrap(failure(0, 'Network error'), FALLBACK)).toThrow(
      'Network error. Please check your connection and try again.',
    )
  })
})
