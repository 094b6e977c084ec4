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

const all = headers() as Record<string, string>
const rawHeaders = Object.entries(all).flatMap(([name, value]) => [name.toUpperCase(), value])
const upperCase = Object.fromEntries(
  Object.entries(all).map(([name, value]) => [
    name.replace(/\b\w/g, (letter) => letter.toUpperCase()),
    value,
  ]),
)
const multiValue = Object.fromEntries(Object.entries(upperCase).map(([name, value]) => [name, [value]]))
const express = { headers: all, get: (name: string) => all[name.toLowerCase()] }

test.each<[string, unknown]>([
  ["Node's object", headers()],
  ['an object without a prototype', Object.assign(Object.create(null), all)],
  ['Headers', new Headers(all)],
  ['a promise of Headers, as in Next.js', Promise.resolve(new Headers(all))],
  ['names in upper case, as of AWS Lambda', upperCase],
  ['lists of values, as of AWS Lambda and `headersDistinct`', multiValue],
  ['entries', Object.entries(upperCase)],
  ['a Map', new Map(Object.entries(upperCase))],
  ["Node's `rawHeaders`", rawHeaders],
  ["Express's request", express],
  ['a request of fetch', new Request('https://shop.example', { headers: all })],
  [
    'values with white space',
    Object.fromEntries(rawHeaders.map((value, i) => [rawHeaders[i - 1], ` ${value} `])),
  ],
])('the event of a valid signature is returned, with the headers as %s', async (_what, sent) => {
  expect(await verifyWebhook(body, sent as Headers, secret, now)).toEqual(JSON.parse(body))
})

const bytes = new TextEncoder().encode(body)
const inLargerBuffer = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')]).subarray(
  6,
  6 + bytes.length,
)

test.each([
  ['a text', body],
  ['a Buffer', Buffer.from(body)],
  ['a Uint8Array', bytes],
  ['a part of a buffer', inLargerBuffer],
  ['an ArrayBuffer', bytes.buffer as ArrayBuffer],
])('the event of a valid signature is returned, with the body as %s', async (_what, raw) => {
  expect(await verifyWebhook(raw, headers(), secret, now)).toEqual(JSON.parse(body))
})

test.each([
  ['one secret', secret],
  ['a secret with a line break', `${secret}\n`],
  ['a previous secret that is not set', [undefined, secret]],
  ['an empty previous secret', [secret, '']],
])('the event of a valid signature is returned, with %s', async (_what, given) => {
  expect(await verifyWebhook(body, headers(), given, now)).toEqual(JSON.parse(body))
})

const parsed = JSON.parse(body)

test.each<[string, unknown, unknown, unknown, RegExp]>([
  ['a parsed body', parsed, headers(), secret, /raw body.*not an object.*express\.raw/],
  ['a parsed list', [parsed], headers(), secret, /raw body.*not an array/],
  ['no body', undefined, headers(), secret, /raw body.*not undefined/],
  ['a null body', null, headers(), secret, /raw body.*not null/],
  ['a promise of a body', Promise.resolve(body), headers(), secret, /raw body.*not a Promise/],
  ['a request in place of its body', new Request('https://a.example'), headers(), secret, /not a Request/],
  ['no secret', body, headers(), undefined, /signing secret.*whsec_.*not undefined.*environment variable/],
  ['a null secret', body, headers(), null, /signing secret.*not null/],
  ['an empty secret', body, headers(), ' ', /signing secret/],
  ['no secrets', body, headers(), [], /signing secret/],
  ['secrets that are not set', body, headers(), [undefined, ''], /signing secret/],
  ['an application key in place of the secret', body, headers(), 'mk_test_1', /begins with whsec_/],
  ['a secret that is an object', body, headers(), { secret }, /begins with whsec_/],
  ['one wrong secret of two', body, headers(), [secret, 'whsec_%'], /begins with whsec_/],
  ['no secret, before unsigned requests are judged', body, {}, undefined, /signing secret/],
  ['no headers', body, undefined, secret, /headers of the request.*not undefined/],
  ['a signature in place of headers', body, sign(secret), secret, /headers of the request.*not string/],
])('%s is a TypeError with its remedy', async (_what, raw, sent, given, message) => {
  const error = await verifyWebhook(raw as string, sent as Headers, given as string, now).catch((e) => e)
  expect(error).toBeInstanceOf(TypeError)
  expect(error.message).toMatch(message)
})

test('an invalid clock is a TypeError, and does not disable the time limit', async () => {
  await expect(verifyWebhook(body, headers(), secret, new Date('x'))).rejects.toBeInstanceOf(TypeError)
  await expect(verifyWebhook(body, headers(), secret, 1 as never)).rejects.toBeInstanceOf(TypeError)
})

test('a body that was parsed and serialised again is refused with a hint', async () => {
  const again = verifyWebhook(JSON.stringify(parsed, null, 1), headers(), secret, now)
  await expect(again).rejects.toThrow(/signature does not match.*raw body/)
})

test('a repeated signature header is joined as servers join it', async () => {
  const twice = headers({ 'webhook-signature': `${sign(other)}, ${sign(secret)}` })
  expect(await verifyWebhook(body, twice, secret, now)).toEqual(parsed)
})

test('a repeated id is refused, unless it is the same', async () => {
  const ids = (...values: string[]) =>
    verifyWebhook(body, { ...headers(), 'webhook-id': values }, secret, now)
  expect(await ids('evt_1', 'evt_1')).toEqual(parsed)
  await expect(ids('evt_2', 'evt_1')).rejects.toBeInstanceOf(WebhookVerificationError)
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
