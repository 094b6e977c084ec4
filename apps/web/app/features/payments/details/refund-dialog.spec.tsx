import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { PaymentId, transactionOf } from '@muripo/contract/ids'
import type { ComponentProps } from 'react'
import { expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { renderComponent } from '../../../../test/render-component.tsx'
import { RefundDialog } from './refund-dialog.tsx'

const paymentId = PaymentId.parse(`pay_${'0'.repeat(26)}`)
const payment = {
  _id: transactionOf(paymentId),
  paymentId,
  amount: 12.5,
  amountRefunded: 0,
  currency: 'USD',
  status: 'COMPLETED',
} as DashboardPayment

async function openDialog(props: Partial<ComponentProps<typeof RefundDialog>> = {}) {
  const onConfirm = vi.fn()
  const onClose = vi.fn()
  const screen = await renderComponent(
    <RefundDialog
      opened
      payment={payment}
      allowed={{ left: 12.5, underWay: [] }}
      running={false}
      error={null}
      refusal={null}
      onConfirm={onConfirm}
      onClose={onClose}
      {...props}
    />,
  )
  return { screen, onConfirm, onClose, amount: screen.getByRole('textbox', { name: 'Amount' }) }
}

test('The dialog proposes the whole remaining amount, and Enter confirms it', async () => {
  const { amount, onConfirm } = await openDialog()
  await expect.element(amount).toHaveValue('12.50')
  await amount.click()
  await userEvent.keyboard('{Enter}')
  expect(onConfirm).toHaveBeenCalledExactlyOnceWith({ payment, amount: 12.5 })
})

test('An amount above the remaining one is refused beside the field, which keeps the focus', async () => {
  const { screen, amount, onConfirm } = await openDialog({ allowed: { left: 5, underWay: [] } })
  await amount.fill('5.01')
  await screen.getByRole('button', { name: /Refund/ }).click()
  await expect.element(screen.getByText('You can refund at most USD5.00.')).toBeVisible()
  await expect.element(amount).toHaveFocus()
  await expect.element(amount).toHaveAttribute('aria-invalid', 'true')
  expect(onConfirm).not.toHaveBeenCalled()
})

test('A refund in progress can neither be confirmed again nor left', async () => {
  const { screen, amount, onClose } = await openDialog({ running: true })
  await expect.element(screen.getByRole('button', { name: 'Refunding...' })).toBeDisabled()
  await expect.element(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await expect.element(amount).toHaveAttribute('readonly')
  await userEvent.keyboard('{Escape}')
  expect(onClose).not.toHaveBeenCalled()
})

test('A failure is announced, and Escape closes the dialog', async () => {
  const { screen, onClose } = await openDialog({ error: 'Failed to refund payment.' })
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Failed to refund payment.')
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})
