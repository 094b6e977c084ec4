import type { Device } from '../src/modules/identity/devices/visitor.ts'
import { type MadeMerchant, makeDevice, makeMerchant } from '../src/modules/identity/factory.ts'
import { identityServer } from './identity-server.ts'

const HOUR_MS = 3_600_000

export interface From {
  readonly address?: string
  readonly device?: Device | undefined
}

/** The identity routes with the limits of production, for tests of attackers. */
export async function attackedServer() {
  const { ctx, app } = await identityServer({ RATE_LIMITS: '1' })
  let count = 0

  /** A new address for each call, so that only the limits of the account apply. */
  const anAddress = () => {
    count += 1
    return `198.${Math.floor(count / 62_500)}.${Math.floor(count / 250) % 250}.${count % 250}`
  }

  async function call(path: string, payload: object, { address = anAddress(), device }: From = {}) {
    const response = await app.inject({
      method: 'POST',
      url: `/v1/auth${path}`,
      remoteAddress: address,
      headers: { 'x-request-id': 'same', ...(device ? { cookie: `muripo-device=${device.token}` } : {}) },
      payload,
    })
    return {
      status: response.statusCode,
      wait: Number(response.headers['retry-after'] ?? 0),
      body: response.json(),
    }
  }

  /** An account without a failed attempt for two days, and a device of its owner. */
  async function makeVictim(): Promise<{ merchant: MadeMerchant; owners: Device }> {
    const merchant = await makeMerchant(ctx)
    const owners = await makeDevice(ctx, merchant.merchantId)
    ctx.clock.advance(48 * HOUR_MS)
    return { merchant, owners }
  }

  return { ctx, app, anAddress, call, makeVictim }
}
