import type { ComponentProps } from 'react'
import { expect, test, vi } from 'vitest'
import { renderComponent } from '../../../../test/render-component.tsx'
import { Failure } from '../../../api/api-error.ts'
import { ExportPanel } from './export-panel.tsx'

async function openPanel(state: ComponentProps<typeof ExportPanel>['state']) {
  const onEnd = vi.fn()
  const onRetry = vi.fn()
  const screen = await renderComponent(
    <ExportPanel state={state} endButton={null} onEnd={onEnd} onRetry={onRetry} />,
  )
  return { screen, onEnd, onRetry, bar: screen.getByRole('progressbar', { name: 'Payments exported' }) }
}

test('The bar has no value while the number of rows is unknown', async () => {
  const { screen, bar } = await openPanel({ phase: 'running', content: 'payments', rows: 0, total: null })
  await expect.element(bar).not.toHaveAttribute('value')
  await expect.element(screen.getByText('Getting ready')).toBeVisible()
})

test('A running export has a bar, and can be cancelled', async () => {
  const { screen, bar, onEnd } = await openPanel({
    phase: 'running',
    content: 'payments',
    rows: 1500,
    total: 3001,
  })
  await expect.element(screen.getByRole('status')).toHaveTextContent('Exporting payments')
  await expect.element(screen.getByText('1,500 of 3,001 payments')).toBeVisible()
  await expect.element(bar).toHaveAttribute('value', '1500')
  await expect.element(bar).toHaveAttribute('max', '3001')
  await screen.getByRole('button', { name: 'Cancel' }).click()
  expect(onEnd).toHaveBeenCalledOnce()
})

test('A finished export names its file', async () => {
  const { screen, bar, onEnd } = await openPanel({
    phase: 'done',
    content: 'payments',
    rows: 3001,
    name: 'payments.csv',
  })
  await expect.element(screen.getByRole('status')).toHaveTextContent('Saved as payments.csv')
  await expect.element(bar).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Close' }).click()
  expect(onEnd).toHaveBeenCalledOnce()
})

test('A failed export is announced, and can be repeated', async () => {
  const { screen, onRetry } = await openPanel({ phase: 'failed', error: new Failure('exportPayments') })
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Failed to export payments')
  await screen.getByRole('button', { name: 'Try Again' }).click()
  expect(onRetry).toHaveBeenCalledOnce()
})
