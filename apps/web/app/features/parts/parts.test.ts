import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { developmentContext } from '../../lib/context.ts'
import { loader } from './parts.tsx'

const open = (isDevelopment: boolean) => {
  const context = new RouterContextProvider()
  context.set(developmentContext, isDevelopment)
  return () => loader({ context } as unknown as Parameters<typeof loader>[0])
}

test('the page of the parts exists in development only', () => {
  expect(open(true)).not.toThrow()
  expect(open(false)).toThrow(expect.objectContaining({ init: { status: 404 } }))
})
