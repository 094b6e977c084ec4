import { activity as english } from '@muripo/locales/activity'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { checkDisguised, openDisguised } from '../../../../test/pseudo-dashboard.tsx'
import { stubFetch } from '../../../../test/stub-fetch.ts'
import { accountOf, admin, team } from '../../../../test/team.ts'
import ActivityPage from './activity.tsx'

const kinds = ['person', 'key', 'operator', 'visitor', 'system']
const actions = Object.keys(english).filter((key) => key.includes('.'))
const entries = actions.map((action, n) => ({
  id: `aud_${n}`,
  at: '2026-11-20T08:30:00.000Z',
  by: { kind: kinds[n % kinds.length], name: n % 2 ? 'SOMEBODY' : null, id: null },
  action,
  subject: 'SUBJECT',
  address: '41.220.12.3',
  details: {},
}))
const values = [...team.members.map(({ fullname }) => fullname), 'SOMEBODY', 'SUBJECT', '41.220.12.3']

const open = async (activity: readonly object[], nextCursor: string | null = null, more = {}) => {
  stubFetch({
    ...more,
    'GET /v1/account': { body: accountOf('owner') },
    'GET /v1/team': { body: team },
    'GET /v1/activity?limit=50': { body: { activity, nextCursor } },
  })
  await openDisguised(<ActivityPage />)
  await expect.poll(() => document.body.textContent).toContain(admin.fullname)
}

test.each([320, 375, 768, 1440])(
  'every text of the activity is translated and fits: %d px',
  async (width) => {
    await page.viewport(width, 720)
    await open(entries, 'aud_9')
    await expect.poll(() => document.body.textContent).toContain('SUBJECT')
    await checkDisguised(values)
  },
)

test.each([320, 1440])('a file that was cut says so on the page: %d px', async (width) => {
  await page.viewport(width, 720)
  const activity = Array.from({ length: 100 }, () => entries[0])
  await open(entries, 'aud_9', {
    'GET /v1/activity?limit=100': { body: { activity, nextCursor: 'aud_9' } },
    'GET /v1/activity?limit=100&cursor=aud_9': { body: { activity, nextCursor: 'aud_9' } },
  })
  document.querySelector<HTMLButtonElement>('[role=status] ~ button')?.click()
  const alert = () => document.querySelector('[role=alert]')?.textContent ?? ''
  await expect.poll(alert, { timeout: 10_000 }).toContain('muripo-activity.csv')
  expect(alert()).toMatch(/10.?000/)
  await checkDisguised([...values, 'muripo-activity.csv'])
})

test('every text without activity is translated', async () => {
  await open([])
  await checkDisguised(values)
})
