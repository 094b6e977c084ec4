import type { Application } from '@muripo/contract/applications'
import { ApplicationId } from '@muripo/contract/ids'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { renderComponent } from '../../../test/render-component.tsx'
import { stubFetch } from '../../../test/stub-fetch.ts'
import { KeyTab } from './key-tab.tsx'

const _id = ApplicationId.parse(`app_${'0'.repeat(26)}`)
const application = {
  _id,
  applicationName: 'Chiedza Crafts',
  applicationKey: 'mk_live_old',
  testKey: null,
} as unknown as Application

const ENDPOINTS = `GET /v1/applications/${_id}/webhooks`
const REGENERATE = `PATCH /v1/applications/${_id}/regenerate-key`
const noEndpoints = { body: { webhooks: [] } }

async function openDialog() {
  const screen = await renderComponent(<KeyTab application={application} />)
  await screen.getByRole('button', { name: 'Regenerate Key' }).click()
  return { screen, dialog: screen.getByRole('dialog', { name: 'Regenerate Application Key' }) }
}

test('The dialog lists the endpoints that remain', async () => {
  const url = 'https://shop.example.com/webhooks'
  stubFetch({ [ENDPOINTS]: { body: { webhooks: [{ _id: 'whk_1', url, mode: 'live' }] } } })
  const { dialog } = await openDialog()
  await expect.element(dialog.getByRole('listitem')).toHaveTextContent(url)
})

test('A list that cannot be loaded does not prevent the new key', async () => {
  stubFetch({})
  const { dialog } = await openDialog()
  await expect.element(dialog.getByText(/could not be loaded/)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Regenerate Key' })).toBeEnabled()
})

test('A regeneration in progress can neither be repeated nor left, and its end closes the dialog', async () => {
  const { promise, resolve } = Promise.withResolvers<{ body: unknown }>()
  const requests = stubFetch({ [ENDPOINTS]: noEndpoints, [REGENERATE]: promise })
  const { screen, dialog } = await openDialog()
  await dialog.getByRole('button', { name: 'Regenerate Key' }).click()
  const running = dialog.getByRole('button', { name: 'Regenerating...' })
  await expect.element(running).toBeDisabled()
  await expect.element(running).toHaveFocus()
  await userEvent.keyboard('{Enter}{Escape}')
  await expect.element(dialog).toBeVisible()
  expect(requests.filter(({ call }) => call === REGENERATE)).toHaveLength(1)
  resolve({ body: { newApplicationKey: 'mk_live_new' } })
  await expect.element(screen.getByText('Application key regenerated successfully!')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('A failure leaves the dialog open', async () => {
  stubFetch({ [ENDPOINTS]: noEndpoints, [REGENERATE]: { status: 500, body: {} } })
  const { screen, dialog } = await openDialog()
  await dialog.getByRole('button', { name: 'Regenerate Key' }).click()
  await expect.element(screen.getByText('Failed to regenerate application key')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Regenerate Key' })).toBeEnabled()
})
