import { readFile } from 'node:fs/promises'
import { expect, test } from './fixtures.ts'
import { checkEveryWidth, checkPage } from './lib/check-page.ts'
import { button } from './lib/page.ts'

test('the activity keeps its filters in the address, and saves the actions that they leave', async ({
  page,
  seller: { application },
  openDashboard,
}) => {
  await openDashboard('/app/settings')
  await page.getByRole('link', { name: 'Activity' }).click()
  const rows = page.getByRole('table', { name: 'Activity' }).getByRole('row')
  await expect(rows.filter({ hasText: 'Application created' })).toContainText(application.applicationName)
  await checkEveryWidth(page, 'activity', [1440, 768, 375, 320])
  await page.getByLabel('Action').selectOption('Sign-ins')
  await page.getByLabel('By').selectOption('Tariro Moyo')
  await expect(rows.filter({ hasText: 'Application created' })).toHaveCount(0)
  await expect(page).toHaveURL(/\?group=session&person=per_/)
  await page.reload()
  await expect(rows.filter({ hasText: 'Signed in' }).first()).toContainText('Tariro Moyo')
  await expect(page.getByLabel('Action')).toHaveValue('session')
  await expect(rows.filter({ hasText: 'Application created' })).toHaveCount(0)
  const saving = page.waitForEvent('download')
  await button(page, 'Export CSV').click()
  const file = await saving
  expect(file.suggestedFilename()).toBe('muripo-activity.csv')
  const [titles = '', ...actions] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(titles).toContain('"Time","By","Name","ID","Action"')
  expect(actions.length).toBeGreaterThan(0)
  for (const action of actions) expect(action).toMatch(/"person","Tariro Moyo","per_\w+","session\.\w+"/)
  await page.getByLabel('From').fill('2099-01-01')
  await expect(page.getByText('Nothing was done that fits these filters')).toBeVisible()
  await expect(page).toHaveURL(/from=2099-01-01/)
  await checkPage(page, 'activity-none')
  await page.goto('/app/settings/activity?person=per_llllllllllllllllllllllllll')
  await expect(page.getByText('Nothing was done that fits these filters')).toBeVisible()
  await button(page, 'Clear filters').click()
  await expect(page).toHaveURL('/app/settings/activity')
  await expect(rows.filter({ hasText: 'Application created' })).toHaveCount(1)
})
