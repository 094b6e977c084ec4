import { expect, test } from 'vitest'
import { renderComponent } from '../../test/render-component.tsx'
import { SignOut } from './sign-out.tsx'

test('The dialog stays open when it is opened again before the event of its closing', async () => {
  const screen = await renderComponent(
    <SignOut>
      {(openDialog) => (
        <button type="button" onClick={openDialog}>
          Open
        </button>
      )}
    </SignOut>,
  )
  const opener = screen.getByRole('button', { name: 'Open' }).element() as HTMLButtonElement
  const dialog = document.querySelector('dialog')
  opener.click()
  await expect.poll(() => dialog?.open).toBe(true)
  const closed = new Promise((resolve) => dialog?.addEventListener('close', resolve, { once: true }))
  dialog?.requestClose()
  // The event is a task of its own, and comes after everything that was resolved before.
  while (dialog?.open) await Promise.resolve()
  opener.click()
  await closed
  await expect.poll(() => dialog?.open).toBe(true)
})
