import type { Application } from '@muripo/contract/applications'
import { ApplicationId } from '@muripo/contract/ids'
import { expect, test, vi } from 'vitest'
import { renderComponent } from '../../../test/render-component.tsx'
import { stubFetch } from '../../../test/stub-fetch.ts'
import { BankingDialog } from './banking-tab.tsx'

const _id = ApplicationId.parse(`app_${'0'.repeat(26)}`)
const application = { _id, updatedAt: '2026-01-01T00:00:00.000Z' } as Application
const SAVE = `PUT /v1/applications/${_id}/banking`

async function openDialog() {
  const onClose = vi.fn()
  const screen = await renderComponent(<BankingDialog application={application} opened onClose={onClose} />)
  const field = (name: string) => screen.getByRole('textbox', { name })
  return {
    screen,
    onClose,
    field,
    type: screen.getByRole('combobox', { name: 'Bank Account Type' }),
    save: screen.getByRole('button', { name: 'Save Details' }),
  }
}

async function fill({ field, type }: Awaited<ReturnType<typeof openDialog>>) {
  await field('Bank Name').fill(' CBZ  Bank ')
  await field('Bank Account Number').fill('0123 4567-89')
  await field('Bank Account Name').fill('Chiedza Crafts')
  await type.selectOptions('Current')
}

test('An account number with other characters has an error and the focus', async () => {
  const requests = stubFetch({})
  const dialog = await openDialog()
  await fill(dialog)
  const number = dialog.field('Bank Account Number')
  await number.fill('12*34')
  await dialog.save.click()
  await expect
    .element(number)
    .toHaveAccessibleDescription('Bank account number must be 5 to 34 digits or letters')
  await expect.element(number).toHaveFocus()
  expect(requests).toEqual([])
})

test('The details are sent without the spaces that people type, and the dialog closes', async () => {
  const saved = { ...application, updatedAt: '2026-01-02T00:00:00.000Z' }
  const requests = stubFetch({ [SAVE]: { body: { application: saved } } })
  const dialog = await openDialog()
  await fill(dialog)
  await dialog.save.click()
  await expect.poll(() => dialog.onClose.mock.calls.length).toBe(1)
  expect(requests).toMatchObject([
    { call: SAVE, body: { bankName: 'CBZ Bank', bankAccountNumber: '0123456789' } },
  ])
  await expect.element(dialog.screen.getByText('Banking details updated')).toBeVisible()
})

test('After a failure the dialog keeps the typed details', async () => {
  stubFetch({ [SAVE]: { status: 500, body: {} } })
  const dialog = await openDialog()
  await fill(dialog)
  await dialog.save.click()
  await expect.element(dialog.screen.getByText('Failed to update banking details')).toBeVisible()
  await expect.element(dialog.field('Bank Account Name')).toHaveValue('Chiedza Crafts')
  expect(dialog.onClose).not.toHaveBeenCalled()
})
