import translations from 'virtual:translations/dashboard'
import type { Application } from '@muripo/contract/applications'
import { ApplicationId } from '@muripo/contract/ids'
import { eventTypes } from '@muripo/contract/webhook-enums'
import type { applications } from '@muripo/locales/applications'
import { translatorOf } from '@muripo/locales/translator'
import type { webhooks } from '@muripo/locales/webhooks'
import type { ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { checkDisguised, openDisguised } from '../../../test/pseudo-dashboard.tsx'
import { PSEUDO } from '../../../test/pseudo-locale.ts'
import { stubFetch } from '../../../test/stub-fetch.ts'
import Applications from './applications.tsx'
import { CreatedDialog } from './create-dialog.tsx'
import { KeyTab } from './key-tab.tsx'
import Manage from './manage.tsx'
import { StatusDialog } from './status-dialog.tsx'
import { WebhooksTab } from './webhooks/webhooks-tab.tsx'

const t = translatorOf<typeof applications & typeof webhooks>(translations[PSEUDO].texts ?? {})

const _id = ApplicationId.parse(`app_${'0'.repeat(26)}`)
const at = '2026-11-20T08:30:00.000Z'
const application: Application = {
  _id,
  applicationName: 'SHOP',
  description: 'DESCRIPTION',
  category: 'Retail',
  status: 'active',
  applicationKey: 'mk_live_1',
  testKey: 'mk_test_1',
  bankName: null,
  bankAccountNumber: '0123456789',
  bankAccountName: 'ACCOUNT',
  bankAccountType: 'Foreign currency (Nostro)',
  nameApproved: true,
  stopReason: null,
  bankRejection: null,
  brandColour: null,
  logoPath: null,
  createdAt: at,
  updatedAt: at,
}
const stopped: Application = {
  ...application,
  _id: ApplicationId.parse(`app_${'1'.repeat(26)}`),
  status: 'inactive',
  applicationKey: null,
  nameApproved: false,
  stopReason: 'REASON',
  bankRejection: 'REASON',
}
const account = { timeZone: 'Africa/Harare', status: 'new', gatewayMode: 'live' }
const webhook = {
  _id: 'whk_1',
  url: 'https://example.com/webhooks',
  events: eventTypes,
  status: 'failing',
  mode: 'test',
  createdAt: at,
  previousSecretExpiresAt: at,
}
const off = {
  ...webhook,
  _id: 'whk_2',
  url: 'https://shop.example.com/off',
  mode: 'live',
  status: 'disabled',
}
const delivery = {
  eventId: 'evt_1',
  type: 'payment.completed',
  status: 'pending',
  attempts: 2,
  responseStatus: 503,
  error: 'refused',
  createdAt: at,
  lastAttemptAt: at,
  nextAttemptAt: null,
}
const attempt = {
  number: 2,
  at,
  durationMs: 40,
  requestHeaders: { host: 'HOST' },
  responseStatus: 503,
  error: null,
  responseHeaders: {},
  responseBody: '',
  responseCut: true,
}
const details = {
  ...delivery,
  url: webhook.url,
  requestBody: '{}',
  log: [attempt, { ...attempt, number: 1, responseStatus: null, error: 'timed_out' }],
}

const ofApplication = `/v1/applications/${_id}`
const ofEndpoint = `${ofApplication}/webhooks/${webhook._id}`
const replies = {
  'GET /v1/account': { body: account },
  'GET /v1/applications/all': { body: { applications: [application, stopped] } },
  [`GET ${ofApplication}`]: { body: application },
  [`GET ${ofApplication}/webhooks`]: { body: { webhooks: [webhook, off] } },
  [`GET ${ofEndpoint}/deliveries?limit=20`]: {
    body: { deliveries: [delivery], hasMore: true, nextCursor: 'evt_1' },
  },
  [`GET ${ofEndpoint}/deliveries/evt_1`]: { body: details },
}

const values = [
  application.applicationName,
  application.description,
  ...eventTypes,
  application.bankAccountNumber ?? '',
  application.bankAccountName ?? '',
  'mk_live_1',
  'mk_test_1',
  'USD 25.00',
  webhook.url,
  off.url,
  delivery.eventId,
  String(delivery.attempts),
  'HTTP 503',
  'host: HOST',
  '{}',
  '· 40 ms',
]

beforeEach(() => page.viewport(375, 720))

const route = { params: { applicationId: _id } } as unknown as Parameters<typeof Manage>[0]
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')

/** Submits the form of the open dialog, whose fields are empty. */
async function submitEmpty() {
  document.querySelector<HTMLFormElement>('dialog[open] form')?.requestSubmit()
  await expect.poll(() => document.querySelector('[data-error]')).not.toBeNull()
}

test.each([375, 752, 1440])('every text of the list is translated and fits: %d px', async (width) => {
  await page.viewport(width, 720)
  stubFetch(replies)
  const screen = await openDisguised(<Applications />)
  await expect.element(screen.getByText('SHOP').first()).toBeVisible()
  await checkDisguised(values)
  await screen.getByRole('searchbox').fill('nothing')
  await expect.element(screen.getByText(t('applicationsNoMatch'))).toBeVisible()
  await checkDisguised(values)
})

test('every text of the list without applications and of the new one is translated', async () => {
  stubFetch({ ...replies, 'GET /v1/applications/all': { body: { applications: [] } } })
  await openDisguised(<Applications />)
  await expect.element(page.getByText(t('applicationsNone'))).toBeVisible()
  await checkDisguised(values)
  await button(t('createApplicationTitle')).click()
  await submitEmpty()
  await checkDisguised(values)
  await dialog().getByRole('combobox').fill('zzz')
  await expect.element(page.getByText(t('categoriesNone'))).toBeVisible()
  await checkDisguised(values)
})

test.each<[string, ReactNode]>([
  ['a stop', <StatusDialog key="part" application={application} onClose={() => {}} />],
  ['a start', <StatusDialog key="part" application={stopped} onClose={() => {}} />],
  ['a new application', <CreatedDialog key="part" application={application} onClose={() => {}} />],
  ['one with a test key', <CreatedDialog key="part" application={stopped} onClose={() => {}} />],
  ['no key', <KeyTab key="part" application={stopped} />],
])('every text is translated: %s', async (_name, part) => {
  stubFetch(replies)
  await openDisguised(part)
  await checkDisguised(values)
})

test.each([
  ['active', 375, application],
  ['stopped', 375, stopped],
  ['active', 1440, application],
])('every text of the tabs is translated: %s at %d px', async (_name, width, shown) => {
  await page.viewport(width, 720)
  stubFetch({ ...replies, [`GET ${ofApplication}`]: { body: shown } })
  const screen = await openDisguised(<Manage {...route} />)
  for (const tab of [t('basicTab'), t('bankingTab'), t('applicationKey')]) {
    await screen.getByRole('tab', { name: tab }).click()
    await checkDisguised([...values, 'REASON'])
  }
})

test('every text of the forms of an application is translated', async () => {
  stubFetch({ ...replies, [`GET ${ofApplication}`]: { body: { ...application, logoPath: '/logos/1' } } })
  const screen = await openDisguised(<Manage {...route} />)
  await button(t('changeBrandButton')).click()
  await dialog().getByRole('textbox').first().fill('#ffffff')
  for (const content of ['x'.repeat(5000), '']) {
    await page
      .elementLocator(document.querySelector('input[type=file]') as Element)
      .upload(new File([content], 'logo.svg', { type: 'image/svg+xml' }))
    await submitEmpty()
    await checkDisguised(values)
  }
  await dialog().getByRole('button').first().click()
  // A closed dialog is in the document until it has faded out.
  await expect.element(dialog()).not.toBeInTheDocument()
  await screen.getByRole('tab', { name: t('bankingTab') }).click()
  await button(t('updateBankingButton')).click()
  for (const field of dialog().getByRole('textbox').all()) await field.fill('')
  await submitEmpty()
  await checkDisguised(values)
})

test('every text of a new key is translated', async () => {
  stubFetch({ ...replies, 'GET /v1/account': { body: { ...account, status: 'approved' } } })
  await openDisguised(<KeyTab application={application} />)
  await button(t('regenerateButton')).click()
  await expect.element(dialog().getByRole('listitem').first()).toBeVisible()
  await checkDisguised(values)
})

test.each([375, 752, 1440])(
  'every text of an endpoint and its deliveries is translated: %d px',
  async (width) => {
    await page.viewport(width, 720)
    stubFetch(replies)
    const screen = await openDisguised(<WebhooksTab application={application} />)
    await expect.element(screen.getByText(off.url)).toBeVisible()
    await checkDisguised(values)
    await screen.getByText(webhook.url).click()
    await expect.element(screen.getByRole('table', { name: t('deliveries') })).toBeVisible()
    await checkDisguised(values)
    await screen.getByRole('button', { name: delivery.type }).click()
    for (const each of document.querySelectorAll('details')) each.open = true
    await expect.element(page.getByText(t('answerTimedOut'))).toBeVisible()
    for (const each of document.querySelectorAll('details')) each.open = true
    await checkDisguised(values)
  },
)

test('every text of an endpoint that is off, and of its dialogs, is translated', async () => {
  stubFetch(replies)
  const screen = await openDisguised(<WebhooksTab application={application} />)
  await screen.getByText(off.url).click()
  await expect.element(screen.getByText(t('offAbout'))).toBeVisible()
  for (const name of [t('rotateSecretButton'), t('delete'), t('edit')]) {
    await button(name).click()
    await expect.element(dialog()).toBeVisible()
    await checkDisguised(values)
    await dialog().getByRole('button').first().click()
  }
})

test('every text of the first endpoint and its secret is translated', async () => {
  const list = `GET ${ofApplication}/webhooks`
  const created = { status: 201, body: { ...webhook, secret: 'whsec_1' } }
  stubFetch({ ...replies, [list]: { body: { webhooks: [] } }, [`POST ${ofApplication}/webhooks`]: created })
  await openDisguised(<WebhooksTab application={application} />)
  await expect.element(page.getByText(t('noEndpoints'))).toBeVisible()
  await checkDisguised(values)
  await button(t('addEndpointButton')).click()
  await submitEmpty()
  await checkDisguised([...values, webhook.url])
  await dialog().getByRole('textbox').fill(webhook.url)
  document.querySelector<HTMLFormElement>('dialog[open] form')?.requestSubmit()
  await expect.element(page.getByText('whsec_1')).toBeVisible()
  await checkDisguised([...values, 'whsec_1'])
})
