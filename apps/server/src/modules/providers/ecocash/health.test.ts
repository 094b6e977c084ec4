import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { controlledTimeouts } from '../../../../test/controlled-timeouts.ts'
import { chargeRequest, firewall, type Gateway, gatewayAnswering, respond } from '../fixtures.ts'
import { PROBE_TIMEOUT_MS } from '../http-transport.ts'
import { configFor } from './fixtures.ts'
import { ecocashConnector } from './index.ts'

const gateways: Gateway[] = []
async function gateway(...answer: Parameters<typeof gatewayAnswering>): Promise<Gateway> {
  const made = await gatewayAnswering(...answer)
  gateways.push(made)
  return made
}
let timeouts: ReturnType<typeof controlledTimeouts>
beforeEach(() => {
  timeouts = controlledTimeouts(PROBE_TIMEOUT_MS)
})
afterEach(async () => {
  for (const made of gateways.splice(0)) await made.close()
})

const healthAt = (url: string) => ecocashConnector(configFor(url)).health?.()

describe('the health of EcoCash', () => {
  test.each([
    [200, 'operational'],
    [401, 'operational'],
    [404, 'operational'],
    [500, 'degraded'],
    [503, 'degraded'],
  ])('an answer of %i means %s', async (status, health) => {
    const { url } = await gateway(respond(status, firewall))
    expect(await healthAt(url)).toBe(health)
  })

  test('no connection means down', async () => {
    const { url, close } = await gatewayAnswering(respond(200, ''))
    await close()
    expect(await healthAt(url)).toBe('down')
  })

  test('no answer in time means down', async () => {
    const { url } = await gateway(() => timeouts.expire(PROBE_TIMEOUT_MS))
    expect(await healthAt(url)).toBe('down')
  })

  test('is read once, with GET and without credentials', async () => {
    const { url, seen } = await gateway(respond(404, ''))
    await healthAt(url)
    expect(seen).toEqual([{ method: 'GET', path: '/payment/v1', authorization: '', body: '' }])
  })

  test('is degraded when it can be reached but its last replies all failed', async () => {
    let status = 500
    const { url } = await gateway((response) => respond(status, firewall)(response))
    const connector = ecocashConnector(configFor(url))
    for (let n = 0; n < 5; n += 1) await connector.charge(chargeRequest()).catch(() => undefined)
    expect(await connector.health?.()).toBe('down')
    status = 404
    expect(await connector.health?.()).toBe('degraded')
  })
})
