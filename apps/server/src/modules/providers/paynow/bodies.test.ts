import { expect, test } from 'vitest'
import type { ChargeRequest } from '../connector.ts'
import { chargeRequest } from '../fixtures.ts'
import { chargeCall, traceCall } from './bodies.ts'
import { configFor, usd } from './fixtures.ts'
import type { PaynowConfig } from './settings.ts'
import { hasValidHash, readMessage } from './wire.ts'

const sent = (change: Partial<ChargeRequest>, config: Partial<PaynowConfig> = {}) => {
  const request = chargeRequest({ msisdn: '263711000001', ...change })
  const { path, text } = chargeCall(configFor('https://paynow.example', config), usd, request)
  const message = readMessage(text)
  if (message === null) throw new Error('the body of a charge is a message')
  expect(hasValidHash(message, usd.key)).toBe(true)
  return { path, fields: Object.fromEntries(message.fields), names: message.fields.map(([name]) => name) }
}

test('a wallet gets its number in local form, and the key of the charge as reference and trace', () => {
  const { path, fields, names } = sent({ method: 'onemoney', description: 'Order <1001>' })
  expect(path).toBe('/interface/remotetransaction')
  expect(fields).toMatchObject({
    id: '1201',
    reference: 'key1',
    merchanttrace: 'key1',
    amount: '12.50',
    additionalinfo: 'Order 1001',
    phone: '0711000001',
    method: 'onemoney',
    status: 'Message',
  })
  expect(names.at(-1)).toBe('hash')
})

test('InnBucks and cards get no number, and cards the page of Paynow', () => {
  expect(sent({ method: 'innbucks' }).names).not.toContain('phone')
  const { path, names } = sent({ method: 'visa' })
  expect(path).toBe('/interface/initiatetransaction')
  expect(names).not.toContain('method')
  expect(names).toContain('merchanttrace')
})

test('the payer’s address is used, and the merchant’s without one and in test mode', () => {
  const email = 'payer@example.com'
  const mailOf = (...args: Parameters<typeof sent>) => sent(...args).fields.authemail
  expect(mailOf({ email }, { testMode: false })).toBe(email)
  expect(mailOf({ email: null }, { testMode: false })).toBe('merchant@muripo.example')
  expect(mailOf({ email }, { testMode: true })).toBe('merchant@muripo.example')
})

test('a trace names the charge by its key', () => {
  const { path, text } = traceCall(usd, 'key1')
  expect(path).toBe('/interface/trace')
  expect(readMessage(text)?.get('merchanttrace')).toBe('key1')
})
