import { deliveryErrors, eventTypes } from '@muripo/contract/webhook-enums'
import { compiledTexts } from '@muripo/locales/catalogues'
import { translatorOf } from '@muripo/locales/translator'
import { expect, test } from 'vitest'
import { answerText, eventsText, readable, urlError } from './text.ts'

const t = translatorOf(await compiledTexts('webhooks', 'en'))

test('all events have one text, and some are listed by their names', () => {
  expect(eventsText(eventTypes, t)).toBe('All events')
  expect(eventsText(['payment.failed', 'refund.failed'], t)).toBe('payment.failed, refund.failed')
})

test('the text of a response is its status, and the text without a response is the reason', () => {
  expect(answerText({ responseStatus: 204, error: null }, t)).toBe('HTTP 204')
  expect(answerText({ responseStatus: 302, error: 'refused' }, t)).toBe('HTTP 302')
  expect(answerText({ responseStatus: null, error: null }, t)).toBe('Not sent yet')
  for (const error of deliveryErrors) {
    expect(answerText({ responseStatus: null, error }, t)).toMatch(/^[A-Z]/)
  }
})

test.each([
  ['', 'Endpoint URL is required'],
  ['  ', 'Endpoint URL is required'],
  ['shop.example.com', 'Must be an https address'],
  ['ftp://shop.example.com', 'Must be an https address'],
  [' https://shop.example.com/hooks ', null],
  ['http://localhost:4000', null],
])('the address %j', (typed, error) => expect(urlError(typed, t)).toBe(error))

test('JSON is formatted, and other text stays unchanged', () => {
  expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(readable('<html>')).toBe('<html>')
})
