import type { NamedKey } from '@muripo/contract/application-keys'
import type { Application } from '@muripo/contract/applications'
import { ApplicationId } from '@muripo/contract/ids'
import { expect, test } from 'vitest'
import { renderComponent } from '../../../../test/render-component.tsx'
import { stubFetch } from '../../../../test/stub-fetch.ts'
import { NamedKeys } from './named-keys.tsx'

const _id = ApplicationId.parse(`app_${'0'.repeat(26)}`)
const application = { _id, applicationName: 'Chiedza Crafts' } as unknown as Application
const key = {
  id: 'key_1',
  name: 'Website',
  mode: 'test',
  permissions: ['payments.read', 'payments.write'],
  expiresAt: null,
  allowedAddresses: null,
  createdAt: '2026-11-20T09:30:00.000Z',
  lastUsedAt: null,
  lastUsedAddress: null,
} as unknown as NamedKey

const KEYS = `/v1/applications/${_id}/keys`
const listed = (...keys: NamedKey[]) => ({ [`GET ${KEYS}`]: { body: { keys } } })

test('A new key starts with its use, and is shown once', async () => {
  const requests = stubFetch({
    ...listed(),
    [`POST ${KEYS}`]: { status: 201, body: { ...key, secret: 'mk_test_new' } },
  })
  const screen = await renderComponent(<NamedKeys application={application} />)
  await screen.getByRole('button', { name: 'New key' }).click()
  const sheet = screen.getByRole('dialog', { name: 'New key' })
  await sheet.getByRole('button', { name: 'Create key' }).click()
  await expect.element(sheet.getByText('Name is required')).toBeVisible()
  await sheet.getByRole('radio', { name: 'Till' }).click()
  await expect.element(sheet.getByText('It can do: payments.read, payments.write, links.write')).toBeVisible()
  await sheet.getByRole('textbox', { name: 'Name' }).fill('Counter')
  await sheet.getByRole('textbox', { name: 'Only from these networks' }).fill('203.0.113.0/24\n2001:db8::1')
  await sheet.getByRole('button', { name: 'Create key' }).click()
  const dialog = screen.getByRole('dialog', { name: 'Your new key' })
  await expect.element(dialog.getByText('mk_test_new')).toBeVisible()
  const sent = requests.find(({ call }) => call === `POST ${KEYS}`)
  expect(sent?.body).toEqual({
    name: 'Counter',
    preset: 'till',
    mode: 'test',
    expiresAt: null,
    allowedAddresses: ['203.0.113.0/24', '2001:db8::1'],
  })
})

test('A network that is refused is named beside its field, and nothing is lost', async () => {
  const message = 'Must be an IP address or a network such as 203.0.113.0/24'
  stubFetch({
    ...listed(),
    [`POST ${KEYS}`]: {
      status: 422,
      body: { code: 'validation_failed', message, errors: [{ field: 'allowedAddresses.0', message }] },
    },
  })
  const screen = await renderComponent(<NamedKeys application={application} />)
  await screen.getByRole('button', { name: 'New key' }).click()
  const sheet = screen.getByRole('dialog', { name: 'New key' })
  await sheet.getByRole('textbox', { name: 'Name' }).fill('Counter')
  await sheet.getByRole('textbox', { name: 'Only from these networks' }).fill('here')
  await sheet.getByRole('button', { name: 'Create key' }).click()
  await expect.element(sheet.getByText(message)).toBeVisible()
  await expect.element(sheet.getByRole('textbox', { name: 'Name' })).toHaveValue('Counter')
})

test('A key is replaced with an overlap, and revoked', async () => {
  const requests = stubFetch({
    ...listed(key),
    [`POST ${KEYS}/key_1/rotate`]: { status: 201, body: { ...key, secret: 'mk_test_other' } },
    [`DELETE ${KEYS}/key_1`]: { status: 204, body: undefined },
  })
  const screen = await renderComponent(<NamedKeys application={application} />)
  await screen.getByRole('button', { name: 'Replace' }).click()
  const replace = screen.getByRole('dialog', { name: 'Replace this key?' })
  await replace.getByRole('combobox', { name: 'The old key works' }).selectOptions('For one week')
  await replace.getByRole('button', { name: 'Replace' }).click()
  const shown = screen.getByRole('dialog', { name: 'Your new key' })
  await expect.element(shown.getByText('mk_test_other')).toBeVisible()
  await shown.getByRole('button', { name: 'I have kept it' }).click()
  expect(requests.find(({ call }) => call.endsWith('/rotate'))?.body).toEqual({ overlapSeconds: 604_800 })
  await screen.getByRole('button', { name: 'Revoke' }).click()
  await screen
    .getByRole('dialog', { name: 'Revoke this key?' })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await expect.element(screen.getByText('The key is revoked.')).toBeVisible()
})
