import { afterEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { renderComponent } from '../../test/render-component.tsx'
import { toast, toastStore } from '../components/toast.ts'

afterEach(() => toastStore.clear())

const message = 'Language saved'
const shownFor = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('A toast that appears under a resting pointer leaves in time', async () => {
  const screen = await renderComponent(
    <button type="button" style={{ position: 'fixed', top: 16, insetInline: 0, height: 60 }}>
      Save
    </button>,
  )
  await userEvent.hover(screen.getByRole('button', { name: 'Save' }))
  toast.success(message)
  await expect.element(screen.getByText(message)).toBeVisible()
  await expect.element(screen.getByText(message)).not.toBeInTheDocument()
})

test('A toast stays while the pointer has moved over it, and leaves after it', async () => {
  const screen = await renderComponent(<p style={{ position: 'fixed', bottom: 0 }}>Below</p>)
  await userEvent.hover(screen.getByText('Below'))
  toast.success(message)
  await userEvent.hover(screen.getByText(message))
  await shownFor(3000)
  await expect.element(screen.getByText(message)).toBeVisible()
  await userEvent.hover(screen.getByText('Below'))
  await expect.element(screen.getByText(message)).not.toBeInTheDocument()
})
