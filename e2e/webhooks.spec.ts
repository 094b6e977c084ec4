import { createHmac } from 'node:crypto'
import { WEBHOOKS_MAX } from '@muripo/contract/constants'
import { eventTypes } from '@muripo/contract/webhook-enums'
import { callOk } from '@muripo/rig/call'
import type { Delivery } from '@muripo/rig/receiver'
import type { BrowserContext, Page } from '@playwright/test'
import { expect, type Gateway, test } from './fixtures.ts'
import { dialogNamed, focusIsInDialog, OFFLINE, OUR_ERROR } from './lib/applications.ts'
import { checkLayout, checkPage, checkWidths } from './lib/check-page.ts'
import { withoutTable } from './lib/database.ts'
import { button, expectToast, holdRequests, toast } from './lib/page.ts'
import { openWebhookReceiver, type WebhookReceiver } from './lib/webhook-receiver.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

let receiver: WebhookReceiver
test.beforeEach(async () => {
  receiver = await openWebhookReceiver()
})
test.afterEach(() => receiver.close())

const pageOf = (id: string) => `/app/applications/manage/${id}`
const openTab = (page: Page) => page.getByRole('tab', { name: 'Webhooks', exact: true }).click()
const rows = (page: Page, name: string) =>
  page
    .getByRole('table', { name, exact: true })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

/** The signature of https://www.standardwebhooks.com. */
function isSigned({ headers, body }: Delivery, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(signature)
}

test('a merchant adds an endpoint, sees requests and responses, resends an event, and deletes the endpoint', async ({
  page,
  context,
  gateway,
  seller: { application },
  openDashboard,
  consoleErrors,
}) => {
  consoleErrors.ignore(/status of (409|422|500)|net::ERR_INTERNET_DISCONNECTED/)
  await test.step('opens the tab', async () => {
    const release = await holdRequests(page, `**/applications/${application._id}/webhooks`)
    await openDashboard(pageOf(application._id))
    await openTab(page)
    await expect(page.getByText('Loading endpoints...')).toBeVisible()
    await checkWidths(page, 'webhooks-loading', checkLayout)
    await release()
    await expect(page.getByText('No webhook endpoints yet')).toBeVisible()
    await checkWidths(page, 'webhooks-none')
  })
  await test.step('adds an endpoint', () => addEndpoint(page, context))
  const secret = await test.step('copies its secret', () => copySecret(page))
  await test.step('sends a test event', () => sendTestEvent(page, secret))
  await test.step('resends an event that was refused', () => resendRefused(page))
  await test.step('chooses other events', () => chooseEvents(page))
  await test.step('rotates the secret', () => rotateSecret(page, secret))
  await test.step('turns the endpoint off and on', () => turnOffAndOn(page, gateway))
  await test.step('deletes the endpoint', () => deleteEndpoint(page))
})

async function addEndpoint(page: Page, context: BrowserContext): Promise<void> {
  const form = dialogNamed(page, 'Add Endpoint')
  const url = form.getByLabel('Endpoint URL', { exact: true })
  const save = form.getByRole('button', { name: 'Add Endpoint' })
  await button(page, 'Add Endpoint').focus()
  await page.keyboard.press('Enter')
  await expect(url).toBeFocused()
  await save.click()
  await expect(url).toHaveAccessibleDescription('Endpoint URL is required')
  await expect(url).toBeFocused()
  await url.fill('http://someone:secret@127.0.0.1/')
  await save.click()
  await expect(url).toHaveAccessibleDescription('Must not contain a user name or a password')
  await checkWidths(page, 'webhooks-form')
  await url.fill(receiver.url)
  await context.setOffline(true)
  await save.click()
  await expectToast(page, OFFLINE)
  await context.setOffline(false)
  await save.click()
}

const secretDialog = (page: Page) => dialogNamed(page, 'Signing Secret')
const firstDelivery = (page: Page) => rows(page, 'Deliveries').first()

async function copySecret(page: Page): Promise<string> {
  const secret = secretDialog(page)
  await expect(secret).toContainText('It is shown only once.')
  expect(await focusIsInDialog(page)).toBe(true)
  await checkWidths(page, 'webhooks-secret', checkPage, checkLayout)
  await secret.getByRole('button', { name: 'Copy' }).click()
  await expect(secret.getByText('Copied!')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  await secret.getByRole('button', { name: 'I have stored it' }).click()
  await expect(page.getByRole('heading', { name: receiver.url })).toBeVisible()
  await expect(page.getByText('Nothing was sent yet')).toBeVisible()
  // Fading elements have no contrast.
  await expect(toast(page, OFFLINE)).toHaveCount(0)
  await checkWidths(page, 'webhooks-endpoint', checkPage, checkLayout)
  return copied
}

async function sendTestEvent(page: Page, secret: string): Promise<void> {
  await button(page, 'Send Test Event').click()
  await expectToast(page, 'Test event sent')
  const first = firstDelivery(page)
  await expect(first).toContainText('webhook.test')
  await expect(first).toContainText('HTTP 200')
  await expect(first).toContainText('Delivered')
  expect(receiver.delivered).toHaveLength(1)
  expect(isSigned(receiver.delivered[0] as Delivery, secret)).toBe(true)
}

async function resendRefused(page: Page): Promise<void> {
  const first = firstDelivery(page)
  // The gateway's second attempt, five seconds later, would collapse the first one.
  receiver.answer = { status: 503, body: 'closed for lunch', headers: { 'retry-after': '3600' } }
  await button(page, 'Send Test Event').click()
  await expect(rows(page, 'Deliveries')).toHaveCount(2)
  await expect(first).toContainText('HTTP 503')
  await expect(first).toContainText('Pending')
  await first.getByRole('button').click()
  const delivery = dialogNamed(page, 'Delivery')
  await expect(delivery.getByRole('region', { name: 'Response of attempt 1' })).toContainText(
    'closed for lunch',
  )
  await expect(delivery.getByRole('region', { name: 'Request body' })).toContainText('"type": "webhook.test"')
  await expect(delivery.getByRole('region', { name: 'Request headers of attempt 1' })).toContainText(
    'webhook-signature',
  )
  await expect(toast(page, 'Test event sent')).toHaveCount(0)
  await checkWidths(page, 'webhooks-delivery')
  receiver.answer = { status: 200, body: 'open again' }
  await delivery.getByRole('button', { name: 'Resend' }).click()
  await expect(delivery.getByRole('region', { name: 'Response of attempt 2' })).toContainText('open again')
  await page.keyboard.press('Escape')
  await expect(first.getByRole('button')).toBeFocused()
  await expect(first).toContainText('Delivered')
  expect(new Set(receiver.delivered.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
}

async function chooseEvents(page: Page): Promise<void> {
  await button(page, 'Edit').click()
  const edit = dialogNamed(page, 'Edit Endpoint')
  await expect(edit.getByRole('checkbox')).toHaveCount(eventTypes.length)
  for (const box of await edit.getByRole('checkbox').all()) await box.uncheck()
  await edit.getByRole('button', { name: 'Save Endpoint' }).click()
  await expect(edit).toContainText('Please choose at least one event')
  await edit.getByRole('checkbox', { name: 'refund.failed' }).check()
  await edit.getByRole('button', { name: 'Save Endpoint' }).click()
  await expectToast(page, 'Endpoint saved')
  await expect(page.getByRole('definition').getByText('refund.failed', { exact: true })).toBeVisible()
}

async function rotateSecret(page: Page, previous: string): Promise<void> {
  const secret = secretDialog(page)
  await button(page, 'Rotate Secret').click()
  const rotate = dialogNamed(page, 'Rotate Secret')
  await expect(rotate).toBeVisible()
  await checkWidths(page, 'webhooks-rotate', checkPage, checkLayout)
  await rotate.getByRole('button', { name: 'Rotate Secret' }).click()
  const fresh = (await secret.locator('code').textContent()) ?? ''
  expect(fresh).not.toBe(previous)
  await secret.getByRole('button', { name: 'I have stored it' }).click()
  await expect(page.getByText('Previous secret signs until')).toBeVisible()
  await button(page, 'Send Test Event').click()
  await expect(rows(page, 'Deliveries')).toHaveCount(3)
  await expect(firstDelivery(page)).toContainText('Delivered')
  const last = receiver.delivered.at(-1) as Delivery
  expect([isSigned(last, previous), isSigned(last, fresh)]).toEqual([true, true])
}

async function turnOffAndOn(page: Page, gateway: Gateway): Promise<void> {
  await button(page, 'Turn Off').click()
  await expectToast(page, 'Endpoint turned off')
  await withoutTable(gateway.dataDir, 'webhook_secrets', async () => {
    await page.reload()
    await openTab(page)
    await expect(page.getByRole('alert')).toContainText(OUR_ERROR)
    await checkWidths(page, 'webhooks-broken', checkPage, checkLayout)
  })
  await button(page, 'Try Again').click()
  await expect(rows(page, 'Webhook endpoints')).toHaveCount(1)
  await checkWidths(page, 'webhooks-list')
  await rows(page, 'Webhook endpoints').first().getByRole('button').click()
  await expect(page.getByText('Off', { exact: true })).toHaveAttribute('data-tone', 'grey')
  await expect(button(page, 'Send Test Event')).toBeDisabled()
  await expect(rows(page, 'Deliveries')).toHaveCount(3)
  await checkWidths(page, 'webhooks-off')
  await button(page, 'Turn On').click()
  await expectToast(page, 'Endpoint turned on')
  await expect(button(page, 'Send Test Event')).toBeEnabled()
  await button(page, 'All endpoints').click()
  await rows(page, 'Webhook endpoints').first().getByRole('button').click()
  await expect(button(page, 'All endpoints')).toBeFocused()
}

async function deleteEndpoint(page: Page): Promise<void> {
  await button(page, 'Delete').click()
  const confirmation = dialogNamed(page, 'Delete Endpoint')
  await expect(confirmation).toContainText('This action cannot be undone.')
  await checkWidths(page, 'webhooks-delete', checkPage, checkLayout)
  await confirmation.getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Endpoint deleted')
  await expect(page.getByText('No webhook endpoints yet')).toBeVisible()
}

test('an application at its limit of endpoints shows the limit, and long addresses do not hide other parts', async ({
  page,
  gateway,
  merchant,
  seller: { application },
  openDashboard,
}) => {
  for (let count = 0; count < WEBHOOKS_MAX; count += 1) {
    const url = `${receiver.url}?endpoint=${'of-the-shop-in-harare-'.repeat(count)}`
    await callOk('POST', `${gateway.url}/v1/applications/${application._id}/webhooks`, {
      bearer: merchant.tokens.authToken,
      body: { url, events: ['payment.completed'] },
    })
  }
  await page.setViewportSize({ width: 375, height: 740 })
  await openDashboard(pageOf(application._id))
  await openTab(page)
  await expect(rows(page, 'Webhook endpoints')).toHaveCount(WEBHOOKS_MAX)
  await expect(page.getByText(`An application can have ${WEBHOOKS_MAX} endpoints`)).toBeVisible()
  await expect(button(page, 'Add Endpoint')).toBeDisabled()
  for (const row of await rows(page, 'Webhook endpoints').all()) {
    expect((await row.boundingBox())?.height).toBeLessThan(160)
  }
  await checkPage(page, 'webhooks-375-full')
})

test('the endpoint of an application receives the event of a cancelled payment within a second', async ({
  seller: { application, pay, cancel },
  gateway,
}) => {
  const made = await fetch(`${gateway.url}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${application.applicationKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiver.url, events: ['payment.failed'] }),
  })
  const { secret } = (await made.json()) as { secret: string }
  const payment = await pay()
  await cancel(payment)
  await expect.poll(() => receiver.delivered.length).toBe(1)
  const [delivered] = receiver.delivered as [Delivery]
  expect(isSigned(delivered, secret)).toBe(true)
  expect(JSON.parse(delivered.body)).toMatchObject({
    type: 'payment.failed',
    sequence: 1,
    data: { id: payment.id, status: 'failed', status_reason: 'cancelled' },
  })
})
