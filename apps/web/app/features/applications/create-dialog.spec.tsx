import { expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { renderComponent } from '../../../test/render-component.tsx'
import { stubFetch } from '../../../test/stub-fetch.ts'
import { CreateDialog } from './create-dialog.tsx'

const CREATE = 'POST /v1/applications/create'

async function openDialog() {
  const onCreated = vi.fn()
  const onClose = vi.fn()
  const screen = await renderComponent(<CreateDialog opened onClose={onClose} onCreated={onCreated} />)
  return {
    screen,
    onCreated,
    onClose,
    name: screen.getByRole('textbox', { name: 'Application Name' }),
    description: screen.getByRole('textbox', { name: 'Description' }),
    category: screen.getByRole('combobox', { name: 'Category' }),
    create: screen.getByRole('button', { name: 'Create Application' }),
  }
}

test('Missing fields are named one after the other, each with the focus', async () => {
  const requests = stubFetch({})
  const { name, description, create } = await openDialog()
  await create.click()
  await expect.element(name).toHaveAccessibleDescription('Application name is required')
  await expect.element(name).toHaveFocus()
  await name.fill('Chiedza Crafts')
  await create.click()
  await expect.element(description).toHaveAccessibleDescription('Description is required')
  await expect.element(description).toHaveFocus()
  expect(requests).toEqual([])
})

test('A category is found by typing and chosen with the keyboard', async () => {
  const { screen, category } = await openDialog()
  await category.fill('reta')
  await expect.element(screen.getByRole('option', { name: 'Retail' })).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(category).toHaveValue('Retail')
  await expect.element(screen.getByText('Selected: Retail')).toBeVisible()
})

test('The texts are sent trimmed, and the dialog reports the new application', async () => {
  const application = { _id: 'app_1', applicationName: 'Chiedza Crafts' }
  const requests = stubFetch({ [CREATE]: { status: 201, body: { application } } })
  const { name, description, create, onCreated } = await openDialog()
  await name.fill('  Chiedza Crafts ')
  await description.fill('Baskets')
  await create.click()
  await expect.poll(() => onCreated.mock.calls.length).toBe(1)
  expect(requests).toMatchObject([
    { call: CREATE, body: { applicationName: 'Chiedza Crafts', description: 'Baskets' } },
  ])
})

test('After a failure the dialog keeps the typed texts', async () => {
  stubFetch({ [CREATE]: { status: 500, body: {} } })
  const { screen, name, description, create, onCreated } = await openDialog()
  await name.fill('Chiedza Crafts')
  await description.fill('Baskets')
  await create.click()
  await expect.element(screen.getByText('Failed to create application')).toBeVisible()
  await expect.element(name).toHaveValue('Chiedza Crafts')
  await expect.element(create).toBeEnabled()
  expect(onCreated).not.toHaveBeenCalled()
})
