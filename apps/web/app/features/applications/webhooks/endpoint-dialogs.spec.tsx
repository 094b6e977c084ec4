import { ApplicationId } from '@muripo/contract/ids'
import { eventTypes } from '@muripo/contract/webhook-enums'
import { expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { renderComponent } from '../../../../test/render-component.tsx'
import { stubFetch } from '../../../../test/stub-fetch.ts'
import { EndpointDialog } from './endpoint-dialogs.tsx'

const applicationId = ApplicationId.parse(`app_${'0'.repeat(26)}`)
const CREATE = `POST /v1/applications/${applicationId}/webhooks`

async function openDialog() {
  const onCreated = vi.fn()
  const onClose = vi.fn()
  const screen = await renderComponent(
    <EndpointDialog
      applicationId={applicationId}
      webhook={null}
      opened
      onClose={onClose}
      onCreated={onCreated}
    />,
  )
  return {
    screen,
    onCreated,
    onClose,
    url: screen.getByRole('textbox', { name: 'Endpoint URL' }),
    save: screen.getByRole('button', { name: 'Add Endpoint' }),
  }
}

test('A missing address and missing events are refused, and nothing is sent', async () => {
  const requests = stubFetch({})
  const { screen, url, save } = await openDialog()
  for (const box of screen.getByRole('checkbox', { checked: true }).all()) await box.click()
  await save.click()
  await expect.element(url).toHaveAccessibleDescription('Endpoint URL is required')
  await expect.element(url).toHaveFocus()
  await expect.element(screen.getByText('Please choose at least one event')).toBeVisible()
  await url.fill('https://shop.example.com/webhooks')
  await save.click()
  await expect.element(screen.getByRole('checkbox').first()).toHaveFocus()
  expect(requests).toEqual([])
})

test('A field that receives the focus has its label in view, below the head of the dialog', async () => {
  stubFetch({})
  const { screen, url, save } = await openDialog()
  await save.click()
  await expect.element(url).toHaveFocus()
  const topOf = (label: { element: () => Element }) => label.element().getBoundingClientRect()
  const head = topOf(screen.getByRole('heading', { name: 'Add Endpoint' }))
  expect(topOf(screen.getByText('Endpoint URL', { exact: true })).top).toBeGreaterThanOrEqual(head.bottom)
})

test('The chosen events are sent with the trimmed address', async () => {
  const requests = stubFetch({ [CREATE]: { status: 201, body: { _id: 'whk_1', secret: 'whsec_1' } } })
  const { screen, url, save, onCreated } = await openDialog()
  await url.fill('https://shop.example.com/webhooks ')
  for (const type of eventTypes.filter((type) => type !== 'payment.completed')) {
    const box = screen.getByRole('checkbox', { name: type, exact: true })
    if ((box.element() as HTMLInputElement).checked) await box.click()
  }
  await save.click()
  await expect.poll(() => onCreated.mock.calls).toEqual([[{ webhook: { _id: 'whk_1' }, secret: 'whsec_1' }]])
  expect(requests).toEqual([
    { call: CREATE, body: { url: 'https://shop.example.com/webhooks', events: ['payment.completed'] } },
  ])
})

test('A dialog whose request runs cannot be closed', async () => {
  const { promise, resolve } = Promise.withResolvers<{ status: number; body: unknown }>()
  stubFetch({ [CREATE]: promise })
  const { screen, url, save, onCreated, onClose } = await openDialog()
  await url.fill('https://shop.example.com/webhooks')
  await save.click()
  await expect.element(screen.getByRole('button', { name: 'Saving...' })).toBeDisabled()
  await userEvent.keyboard('{Escape}')
  resolve({ status: 201, body: { _id: 'whk_1', secret: 'whsec_1' } })
  await expect.poll(() => onCreated.mock.calls).toHaveLength(1)
  expect(onClose).not.toHaveBeenCalled()
})

test('An address that the server refuses has the error and the focus', async () => {
  const message = 'The address must be public'
  stubFetch({ [CREATE]: { status: 422, body: { code: 'validation_failed', message } } })
  const { url, save, onCreated } = await openDialog()
  await url.fill('https://10.0.0.1/')
  await save.click()
  await expect.element(url).toHaveAccessibleDescription(message)
  await expect.element(url).toHaveFocus()
  await expect.element(url).toHaveValue('https://10.0.0.1/')
  expect(onCreated).not.toHaveBeenCalled()
})

test('Without a network a toast shows the error, and the form stays', async () => {
  stubFetch({})
  const { screen, url, save, onClose } = await openDialog()
  await url.fill('https://shop.example.com/webhooks')
  await save.click()
  await expect
    .element(screen.getByText('Network error. Please check your connection and try again.'))
    .toBeVisible()
  await expect.element(save).toBeEnabled()
  expect(onClose).not.toHaveBeenCalled()
})
