import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderComponent } from '../../test/render-component.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

afterEach(() => vi.restoreAllMocks())

test('A part that cannot be rendered has an error in its place, and is rendered again by its button', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  let isBroken = true
  const Figures = () => {
    if (isBroken) throw new Error('no such figure')
    return <p>1,250</p>
  }
  const Note = () => {
    const [text] = useState('kept')
    return <p>{text}</p>
  }
  const screen = await renderComponent(
    <>
      <Note />
      <ErrorBoundary>
        <Figures />
      </ErrorBoundary>
    </>,
  )
  await expect.element(screen.getByText('This part of the page could not be shown.')).toBeVisible()
  await expect.element(screen.getByText('kept')).toBeVisible()
  expect(warn.mock.calls[0]?.[0]).toBe('a part of the page could not be rendered')
  isBroken = false
  await screen.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(screen.getByText('1,250')).toBeVisible()
})
