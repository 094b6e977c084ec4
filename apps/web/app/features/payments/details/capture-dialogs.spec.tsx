import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { PaymentId, transactionOf } from '@muripo/contract/ids'
import type { ComponentProps } from 'react'
import { expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { renderComponent } from '../../../../test/render-component.tsx'
import { CaptureDialog, VoidDialog } from './capture-dialogs.tsx'

const paymentId = PaymentId.parse(`pay_${'0'.repeat(26)}`)
const payment = {
  _id: transactionOf(paymentId),
  paymentId,
  amount: 25,
  currency: 'USD',
  status: 'AUTHORIZED',
  statusReason: 'awaiting_capture',
} as DashboardPayment

async function openDialog(
  Dialog: typeof CaptureDialog,
  props: Partial<ComponentProps<typeof CaptureDialog>> = {},
) {
  const calls = { onConfirm: vi.fn(), onRetype: vi.fn(), onClose: vi.fn() }
  const screen = await renderComponent(
    <Dialog
      opened
      payment={payment}
      running={false}
      error={null}
      refusal={null}
      fieldError={null}
      {...calls}
      {...props}
    />,
  )
  return { screen, ...calls, amount: screen.getByRole('textbox', { name: 'Amount' }) }
}

test('The dialog proposes the whole authorised amount, and Enter captures it', async () => {
  const { screen, amount, onConfirm } = await openDialog(CaptureDialog)
  await expect.element(amount).toHaveValue('25.00')
  expect(screen.getByText(/The remaining/).elements()).toEqual([])
  await amount.click()
  await userEvent.keyboard('{Enter}')
  expect(onConfirm).toHaveBeenCalledExactlyOnceWith(25)
})

test('A part of the amount is captured, and the dialog names the remainder that is released', async () => {
  const { screen, amount, onConfirm } = await openDialog(CaptureDialog)
  await amount.fill('9,90')
  await expect.element(screen.getByText(/^The remaining USD15\.10 is released/)).toBeVisible()
  await screen.getByRole('button', { name: 'Capture USD9.90' }).click()
  expect(onConfirm).toHaveBeenCalledExactlyOnceWith(9.9)
})

test.each([
  ['25.01', 'You can capture at most USD25.00.'],
  ['0', 'Enter more than zero.'],
  ['', 'Enter an amount like 12.50.'],
])('The amount "%s" is refused beside the field, which keeps the focus', async (typed, text) => {
  const { screen, amount, onConfirm } = await openDialog(CaptureDialog)
  await amount.fill(typed)
  await screen.getByRole('button', { name: 'Capture', exact: true }).click()
  await expect.element(screen.getByText(text)).toBeVisible()
  await expect.element(amount).toHaveFocus()
  await expect.element(amount).toHaveAttribute('aria-invalid', 'true')
  expect(onConfirm).not.toHaveBeenCalled()
})

test('The server’s error of the amount is beside the field, and typing removes it', async () => {
  const { amount, onRetype } = await openDialog(CaptureDialog, { fieldError: 'It does not fit.' })
  await expect.element(amount).toHaveAttribute('aria-invalid', 'true')
  await expect.element(amount).toHaveAccessibleDescription('It does not fit.')
  await amount.fill('5')
  expect(onRetype).toHaveBeenCalled()
})

test('A capture in progress can neither be confirmed again nor left', async () => {
  const { screen, amount, onClose } = await openDialog(CaptureDialog, { running: true })
  await expect.element(screen.getByRole('button', { name: 'Capturing...' })).toBeDisabled()
  await expect.element(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await expect.element(amount).toHaveAttribute('readonly')
  await userEvent.keyboard('{Escape}')
  expect(onClose).not.toHaveBeenCalled()
})

test('A void is confirmed, and a failure is announced', async () => {
  const { screen, onConfirm, onClose } = await openDialog(VoidDialog, { error: 'Failed to void payment.' })
  await expect.element(screen.getByText(/USD25\.00 is released to the customer/)).toBeVisible()
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Failed to void payment.')
  await screen.getByRole('button', { name: 'Yes, Void Payment' }).click()
  expect(onConfirm).toHaveBeenCalledExactlyOnceWith(null)
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})
