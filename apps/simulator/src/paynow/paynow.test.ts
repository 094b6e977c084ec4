import { describe, expect, test } from 'vitest'
import { begin, next } from '../testing.ts'
import { hashOf, readForm, write } from './form.ts'

const key = '3e9fed89-60e1-4ce5-ab6e-6b1eb2d4f977'
type Running = ReturnType<typeof begin>

const order = (change: Record<string, string> = {}): [string, string][] =>
  Object.entries({
    id: '1201',
    reference: 'key1',
    amount: '12.50',
    additionalinfo: 'Order 1',
    returnurl: 'http://127.0.0.1:9/return',
    resulturl: 'http://127.0.0.1:9/callback',
    authemail: 'merchant@muripo.example',
    phone: '0711000001',
    method: 'onemoney',
    merchanttrace: 'key1',
    status: 'Message',
    ...change,
  })

async function send(
  { app }: Running,
  url: string,
  fields: [string, string][] = [],
  hash = hashOf(fields, key),
) {
  const reply = await app.inject({
    method: 'POST',
    url: `/paynow${url}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: write(fields.length === 0 ? [] : [...fields, ['hash', hash]]),
  })
  expect(reply.statusCode).toBe(200)
  const answered = readForm(reply.body)
  const values = Object.fromEntries(answered.map(([name, value]) => [name.toLowerCase(), value]))
  return { ...values, isSigned: values.hash === hashOf(answered, key), text: reply.body } as Record<
    string,
    unknown
  >
}
const express = (simulator: Running, change?: Record<string, string>) =>
  send(simulator, '/interface/remotetransaction', order(change))
const pathOf = (url: unknown) => {
  const { pathname, search } = new URL(String(url))
  return pathname.replace('/paynow', '') + search
}

describe('the simulated Paynow', () => {
  test('pushes to a phone, and reports the payment in the form of its own', async () => {
    const simulator = begin()
    const started = await express(simulator)
    expect(started).toMatchObject({ status: 'Ok', paynowreference: '70001', isSigned: true })
    expect(started.text).toContain('pollurl=http%3a%2f%2f')
    expect(await send(simulator, pathOf(started.pollurl))).toMatchObject({ status: 'Sent', isSigned: true })
    const page = (await simulator.app.inject('/phone?number=0711000001')).body
    expect(page).toContain('Enter your OneMoney PIN')
    await simulator.app.inject({ method: 'POST', url: '/phone/prompts/key1', payload: { pin: '0000' } })
    expect(await send(simulator, pathOf(started.pollurl))).toMatchObject({
      status: 'Paid',
      reference: 'key1',
      amount: '12.50',
      isSigned: true,
    })
  })

  test.each([
    ['0771111111', 'Paid'],
    ['0712222222', 'Paid'],
    ['0773333333', 'Cancelled'],
  ])('%s decides automatically: %s', async (phone, status) => {
    const simulator = begin({ SIMULATOR_SPEED: '1000' })
    const { pollurl } = await express(simulator, { phone })
    await expect.poll(() => send(simulator, pathOf(pollurl))).toMatchObject({ status })
  })

  test('0774444444 is refused under HTTP 200, and leaves no transaction', async () => {
    const simulator = begin()
    expect((await express(simulator, { phone: '0774444444' })).text).toBe(
      'status=Error&error=Insufficient+balance',
    )
    const trace = await send(simulator, '/interface/trace', [
      ['id', '1201'],
      ['merchanttrace', 'key1'],
      ['status', 'Message'],
    ])
    expect(trace).toMatchObject({ status: 'NotFound' })
  })

  test('answers every call in the names of fields that the official client reads, and in capitals on request', async () => {
    const simulator = begin()
    // The client reads the form's fields `status`, `error`, `browserurl` and `pollurl` as they are written.
    const namesIn = (text: unknown) => [...new URLSearchParams(String(text)).keys()]
    const card = order().filter(([name]) => name !== 'phone' && name !== 'method')
    const page = await send(simulator, '/interface/initiatetransaction', card)
    expect(namesIn(page.text)).toEqual(['status', 'browserurl', 'pollurl', 'paynowreference', 'hash'])
    const refused = await express(simulator, { id: '9' })
    expect(namesIn(refused.text)).toEqual(['status', 'error'])
    expect(namesIn((await send(simulator, pathOf(page.pollurl))).text)).toEqual(
      expect.arrayContaining(['reference', 'status', 'hash']),
    )
    await simulator.app.inject({
      method: 'POST',
      url: '/control/next',
      payload: { behaviour: { paynow: { names: 'capitals' } } },
    })
    const capitals = await send(
      simulator,
      '/interface/initiatetransaction',
      order({ merchanttrace: 'key2', reference: 'key2' }).filter(
        ([name]) => name !== 'phone' && name !== 'method',
      ),
    )
    expect(namesIn(capitals.text)).toEqual(['Status', 'BrowserUrl', 'PollUrl', 'PaynowReference', 'Hash'])
  })

  test.each([
    ['an unknown integration', { id: '9' }, 'Invalid id.'],
    ['no amount', { amount: '0' }, 'Invalid amount field'],
    ['no email address', { authemail: '' }, 'Missing authemail field'],
    ['a method of no wallet', { method: 'cash' }, 'Invalid method field'],
    ['a number of no network', { phone: '12' }, 'Invalid phone field'],
  ])('refuses %s', async (_name, change, error) => {
    expect(await express(begin(), change as Record<string, string>)).toMatchObject({ status: 'Error', error })
  })

  test('refuses a wrong hash, and a trace that was used', async () => {
    const simulator = begin()
    const wrong = await send(simulator, '/interface/remotetransaction', order(), 'A'.repeat(128))
    expect(wrong).toMatchObject({ status: 'Error', error: expect.stringContaining('Invalid Hash') })
    await express(simulator)
    expect(await express(simulator)).toMatchObject({ status: 'Error', error: 'Duplicate merchanttrace' })
  })

  test('leads to a page for cards, at which the payer decides', async () => {
    const simulator = begin()
    const fields = order().filter(([name]) => name !== 'phone' && name !== 'method')
    const started = await send(simulator, '/interface/initiatetransaction', fields)
    expect(started.text).toMatch(/^status=Ok&browserurl=/)
    const url = `/paynow${pathOf(started.browserurl)}`
    expect((await simulator.app.inject(url)).body).toContain('Pay USD 12.50')
    const paid = await simulator.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'verdict=success',
    })
    expect([paid.statusCode, paid.headers.location]).toEqual([303, 'http://127.0.0.1:9/return'])
    expect(await send(simulator, pathOf(started.pollurl))).toMatchObject({ status: 'Awaiting Delivery' })
    expect((await simulator.app.inject(url)).body).toContain('has ended')
  })

  test('misbehaves as ordered: another status, a wrong hash, another address, an error', async () => {
    const simulator = begin()
    await next(simulator, { behaviour: { paynow: { hash: 'wrong', pollUrl: 'https://elsewhere.example/' } } })
    expect(await express(simulator)).toMatchObject({ isSigned: false, pollurl: 'https://elsewhere.example/' })
    await next(simulator, { behaviour: { paynow: { status: 'Disputed' } } })
    const { pollurl } = await express(simulator, { merchanttrace: 'key2' })
    expect(await send(simulator, pathOf(pollurl))).toMatchObject({ status: 'Disputed', isSigned: true })
    await next(simulator, { correlator: 'key2', behaviour: { paynow: { error: 'Try again' } } })
    expect(await send(simulator, pathOf(pollurl))).toMatchObject({ status: 'Error', error: 'Try again' })
  })
})
