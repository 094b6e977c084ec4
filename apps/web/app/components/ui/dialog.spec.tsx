import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderComponent } from '../../../test/render-component.tsx'
import { dashboardToast, toastStore } from '../toast.ts'
import { Confirm } from './confirm.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { Sheet } from './sheet.tsx'

const dialog = () => page.getByRole('dialog', { name: 'Title' })

/** A page with an opener, a dialog, and a field in it. */
function Opener({ onClose, ...props }: Partial<DialogProps>) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        Open
      </button>
      <Dialog
        title="Title"
        {...props}
        opened={opened}
        onClose={() => {
          onClose?.()
          setOpened(false)
        }}
      >
        {opened && <input aria-label="Name" />}
      </Dialog>
    </>
  )
}

async function openDialog(props: Partial<DialogProps> = {}) {
  const screen = await renderComponent(<Opener {...props} />)
  await screen.getByRole('button', { name: 'Open' }).click()
  await expect.element(dialog()).toBeVisible()
  return screen
}

const pressBeside = () => (document.elementFromPoint(4, 4) as HTMLElement).click()

test('Escape and a press beside it close it, its content fades out, and the focus is back at the opener', async () => {
  for (const leave of [() => userEvent.keyboard('{Escape}'), pressBeside]) {
    const screen = await openDialog()
    await expect.element(screen.getByRole('heading', { name: 'Title' })).toHaveFocus()
    expect(screen.container.inert).toBe(true)
    const field = screen.getByLabelText('Name').element()
    await leave()
    await expect.element(screen.getByRole('button', { name: 'Open' })).toHaveFocus()
    expect(field.isConnected).toBe(true)
    await expect.poll(() => field.isConnected).toBe(false)
    await screen.unmount()
  }
})

test('Tab stays in the dialog, in both directions', async () => {
  const screen = await openDialog()
  const close = screen.getByRole('button', { name: 'Close dialog' })
  const field = screen.getByLabelText('Name')
  for (const next of [close, field, close]) {
    await userEvent.keyboard('{Tab}')
    await expect.element(next).toHaveFocus()
  }
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  await expect.element(field).toHaveFocus()
})

test.each([
  ['a form', { closesBy: 'escape' }, ['{Escape}']],
  ['a secret', { closesBy: 'button' }, []],
  ['a running request', { running: true }, []],
] as const)('%s is not closed by everything', async (_, props, keys) => {
  const onClose = vi.fn()
  const screen = await openDialog({ ...props, onClose })
  await pressBeside()
  if (keys.length === 0) await userEvent.keyboard('{Escape}')
  expect(onClose).not.toHaveBeenCalled()
  await expect.element(dialog()).toBeVisible()
  for (const key of keys) await userEvent.keyboard(key)
  expect(onClose).toHaveBeenCalledTimes(keys.length)
  await screen.unmount()
})

test('It opens again while it fades out', async () => {
  await openDialog()
  const opener = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Open')
  const element = document.querySelector('dialog')
  await userEvent.keyboard('{Escape}')
  opener?.click()
  await expect.poll(() => element?.open).toBe(true)
  await expect.element(dialog()).toBeVisible()
})

test('A toast above a dialog can be dismissed', async () => {
  const screen = await openDialog()
  dashboardToast.error('Failed to save')
  const alert = screen.getByRole('alert')
  await expect.element(alert).toBeVisible()
  await screen.getByRole('button', { name: 'Dismiss message' }).click()
  await expect.element(alert).not.toBeInTheDocument()
  toastStore.clear()
})

test('A sheet with input needs a confirmation to close', async () => {
  const onClose = vi.fn()
  const screen = await renderComponent(
    <Sheet opened dirty title="New payment" onClose={onClose}>
      <input aria-label="Amount" defaultValue="25" />
    </Sheet>,
  )
  await userEvent.keyboard('{Escape}')
  const question = screen.getByRole('dialog', { name: 'Discard what you entered?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => document.querySelectorAll('dialog[open]').length).toBe(1)
  expect(onClose).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  await question.getByRole('button', { name: 'Discard', exact: true }).click()
  expect(onClose).toHaveBeenCalledOnce()
})

test('A confirmation that runs keeps the word and the focus of its button, and ignores further presses', async () => {
  const onConfirm = vi.fn()
  const confirm = (running: boolean) => (
    <Confirm
      opened
      title="Title"
      verb="Delete"
      working="Deleting..."
      danger
      {...{ running, onConfirm }}
      onClose={vi.fn()}
    >
      <p>For good.</p>
    </Confirm>
  )
  const screen = await renderComponent(confirm(false))
  await screen.getByRole('button', { name: 'Delete' }).click()
  await screen.unmount()
  const again = await renderComponent(confirm(true))
  const button = again.getByRole('button', { name: 'Deleting...' })
  await expect.element(button).toBeDisabled()
  ;(button.element() as HTMLElement).click()
  expect(onConfirm).toHaveBeenCalledOnce()
})
