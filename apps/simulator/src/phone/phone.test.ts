import { describe, expect, test } from 'vitest'
import { begin, charge, query } from '../testing.ts'

describe('the phone', () => {
  test('lists the waiting prompts, their fields and messages; names are escaped', async () => {
    const simulator = begin()
    expect((await simulator.app.inject('/phone')).body).toContain('No phone is being asked')
    await charge(simulator)
    expect((await simulator.app.inject('/phone')).body).toContain('077 100 0001')
    const page = (await simulator.app.inject('/phone?number=%2B263771000001')).body
    expect(page).toContain('Pay USD 12.50 to Shop &amp; &lt;Sons&gt;? Enter your EcoCash PIN')
    expect(page).not.toContain('http-equiv')

    const form = await simulator.app.inject({
      method: 'POST',
      url: '/phone/prompts/key1',
      payload: 'pin=0000',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([form.statusCode, form.headers.location]).toEqual([303, '/phone?number=263771000001'])
    const after = (await simulator.app.inject('/phone?number=263771000001')).body
    expect(after).toMatch(/You paid USD 12\.50 to Shop &amp; &lt;Sons&gt;\. Reference MP/)
    expect(after).toContain('http-equiv="refresh"')
  })

  test('a declining form needs no PIN, a wrong form shows the reason', async () => {
    const simulator = begin()
    await charge(simulator)
    const send = (payload: string) =>
      simulator.app.inject({
        method: 'POST',
        url: '/phone/prompts/key1',
        payload,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await send('pin=12')).body).toContain('The PIN has four digits')
    expect((await send('pin=&decline=true')).statusCode).toBe(303)
    expect((await query(simulator)).json().transactionOperationStatus).toBe('FAILED')
  })

  test('as JSON', async () => {
    const simulator = begin()
    await charge(simulator)
    const { prompts } = (await simulator.app.inject('/phone/prompts?number=0771000001')).json()
    expect(prompts).toMatchObject([
      { correlator: 'key1', number: '263771000001', amount: 'USD 12.50', merchantName: 'Shop & <Sons>' },
    ])
    expect((await simulator.app.inject('/phone/prompts?number=12')).statusCode).toBe(422)
  })
})
