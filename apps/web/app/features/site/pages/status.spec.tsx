import { expect, test } from 'vitest'
import { renderComponent } from '../../../../test/render-component.tsx'
import StatusPage, { type Loaded } from './status.tsx'

const at = '2026-11-23T09:30:00.000Z'
const components = [{ id: 'api', name: 'API', status: 'operational', checkedAt: at }]
const incident = {
  id: `inc_${'0'.repeat(26)}`,
  title: 'EcoCash is slow',
  openedAt: at,
  resolvedAt: null,
  updates: [
    { status: 'identified', message: 'EcoCash is <repairing> a line.', at: '2026-11-23T09:45:00.000Z' },
    { status: 'investigating', message: 'Prompts arrive late.', at },
  ],
}
const renderStatus = (incidents: readonly object[]) => {
  const status = { status: 'operational', components, incidents } as Loaded['status']
  return renderComponent(<StatusPage loaderData={{ status, at }} />)
}

test('An incident shows its title and its updates, the newest first', async () => {
  const screen = await renderStatus([incident])
  await expect.element(screen.getByRole('heading', { name: 'Incidents' })).toBeVisible()
  const updates = screen.getByRole('article', { name: 'EcoCash is slow' }).getByRole('listitem')
  await expect.element(updates.first().getByText(/EcoCash is <repairing> a line/)).toBeVisible()
  await expect.element(updates.nth(1).getByText(/Prompts arrive late/)).toBeVisible()
})

test('Without incidents there is no section for them', async () => {
  const screen = await renderStatus([])
  await expect.element(screen.getByText('Everything is running')).toBeVisible()
  await expect.element(screen.getByRole('heading', { name: 'Incidents' })).not.toBeInTheDocument()
})
