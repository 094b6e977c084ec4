import { describe, expect, test } from 'vitest'
import { failure } from '../lib/http.ts'
import { unwrap } from './api-error.ts'

const FALLBACK = 'Failed to load dashboard stats'
const answered = (status: number) => ({ status, data: { figures: 1 }, error: null, message: null })

test('[CALLS-26] 200 and 201 are a success, with the data of the body', () => {
  expect(unwrap(answered(200), 'loadStats')).toEqual({ figures: 1 })
  expect(unwrap(answered(201), 'loadStats')).toEqual({ figures: 1 })
  expect(() => unwrap(answered(202), 'loadStats')).toThrow(FALLBACK)
  expect(() => unwrap({ ...answered(200), data: null }, 'loadStats')).toThrow(FALLBACK)
})

describe('a failure contains', () => {
  test('[ERR-20] the sentence of the server, otherwise that of the screen', () => {
    const words = 'Something went wrong on our side'
    expect(() => unwrap(failure(500, words, words), 'loadStats')).toThrow(words)
    expect(() => unwrap(failure(502, 'HTTP 502: Bad Gateway'), 'loadStats')).toThrow(FALLBACK)
  })
  test('[ERR-21] the sentence about the network', () => {
    expect(() => unwrap(failure(0, 'Network error'), 'loadStats')).toThrow(
      'Network error. Please check your connection and try again.',
    )
  })
})
