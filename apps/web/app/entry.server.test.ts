import { RouterContextProvider } from 'react-router'
import { expect, test, vi } from 'vitest'
import { handleError } from './entry.server.tsx'
import { logErrorContext } from './lib/context.ts'

function logged(error: unknown, signal?: AbortSignal) {
  const log = vi.fn()
  const context = new RouterContextProvider()
  context.set(logErrorContext, log)
  const request = new Request('http://gateway.test/', signal ? { signal } : {})
  handleError(error, { request, params: {}, context } as never)
  return log.mock.calls
}

/** The error as React Router passes it on. */
const answered = (status: number, error?: Error) => ({
  status,
  statusText: '',
  internal: true,
  data: null,
  error,
})

test('the server logs a page that fails, with its cause', () => {
  const error = new Error('no such column')
  expect(logged(error)).toEqual([['a page failed', error]])
  expect(logged(answered(500, error))).toEqual([['a page failed', error]])
})

test('an unknown page, a method without an action, and an aborted request are not logged', () => {
  expect(logged(answered(404, new Error('No route matches')))).toEqual([])
  expect(logged(answered(405, new Error('no action')))).toEqual([])
  expect(logged(new Error('aborted'), AbortSignal.abort())).toEqual([])
})
