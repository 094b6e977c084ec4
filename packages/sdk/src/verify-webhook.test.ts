import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from './index.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const body = '{"id":"evt_1","type":"payment.completed","sequence":1,"data":{"name":"Röyksopp"}}'
const now = new Date('2026-11-20T09:30:00.000Z')
const seconds = now.getTime() / 1000

const sign = (by: string, at: string | number = seconds, what = body) =>
  `v1,${createHmac('sha256', Buffer.from(by.slice(6), 'base64'))
    .update(`evt_1.${at}.${what}`)
    .digest('base64')}`
const headers = (change: Record<string, string | undefined> = {}) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(seconds),
  'webhook-signature': sign(secret),
  ...change,
})

test('the event of a valid signature is returned, from every kind of headers and body', async () => {
  const event = JSON.parse(body)
  expect(await verifyWebhook(body, headers(), secret, now)).toEqual(event)
  expect(await verifyWebhook(Buffer.from(body), headers(), secret, now)).toEqual(event)
  expect(await verifyWebhook(body, new Headers(headers() as Record<string, string>), secret, now)).toEqual(
    event,
  )
})

test('during a rotation, one of several signatures or secrets is enough', async () => {
  const both = headers({ 'webhook-signature': `${sign(other)} v1a,x ${sign(secret)}` })
  expect(await verifyWebhook(body, both, secret, now)).toMatchObject({ id: 'evt_1' })
  expect(await verifyWebhook(body, headers(), [other, secret], now)).toMatchObject({ id: 'evt_1' })
})

test.each([
  ['another body', body.replace('Röyksopp', 'somebody'), headers()],
  ['another secret', body, headers({ 'webhook-signature': sign(other) })],
  ['another id', body, headers({ 'webhook-id': 'evt_2' })],
  [
    'an old timestamp',
    body,
    headers({ 'webhook-timestamp': String(seconds - 301), 'webhook-signature': sign(secret, seconds - 301) }),
  ],
  [
    'a timestamp in the future',
    body,
    headers({ 'webhook-timestamp': String(seconds + 301), 'webhook-signature': sign(secret, seconds + 301) }),
  ],
  [
    'an invalid timestamp',
    body,
    headers({ 'webhook-timestamp': '1e9', 'webhook-signature': sign(secret, '1e9') }),
  ],
  ['no id', body, headers({ 'webhook-id': undefined })],
  ['no timestamp', body, headers({ 'webhook-timestamp': '' })],
  ['no signature', body, headers({ 'webhook-signature': undefined })],
  [
    'a signature of another version',
    body,
    headers({ 'webhook-signature': sign(secret).replace('v1,', 'v2,') }),
  ],
  ['a signature that is no base64', body, headers({ 'webhook-signature': 'v1,%%%' })],
  ['half a signature', body, headers({ 'webhook-signature': sign(secret).slice(0, 20) })],
])('a webhook with %s is refused', async (_what, text, sent) => {
  await expect(verifyWebhook(text, sent, secret, now)).rejects.toBeInstanceOf(WebhookVerificationError)
})

test('an invalid secret is an error of the caller', async () => {
  await expect(verifyWebhook(body, headers(), '', now)).rejects.toBeInstanceOf(TypeError)
})
