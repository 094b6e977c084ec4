import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../platform/ctx.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { type Admit, addressUses, admitPerAddress } from '../../platform/limits/admit.ts'
import { restoreQuota, takeAll, type Use } from '../../platform/limits/limits.ts'
import { refuseSpent } from '../../platform/limits/refusal.ts'
import { deviceOf } from './devices/device-cookie.ts'
import { isKnownDevice } from './devices/store-devices.ts'
import { occasionOf, type Throttle } from './throttles.ts'

/**
 * Counts a call of an address before the call is read. A recognised device has a quota of its own when its address has none left, except
 * at calls that are counted for networks: anybody can make recognised devices.
 */
export const admitByThrottle = (ctx: Ctx, ...throttles: readonly Throttle[]): Admit =>
  admitPerAddress(
    ctx,
    throttles,
    throttles.some(({ subject }) => subject === 'network')
      ? { ipv4Networks: true }
      : { apart: (request) => recognisedDevice(ctx, request) },
  )

async function recognisedDevice(ctx: Ctx, request: FastifyRequest): Promise<string | null> {
  const device = deviceOf(ctx, request.headers.cookie)
  const isKnown = device !== null && (await isKnownDevice(ctx.db.kysely, device.hash))
  return isKnown ? `device ${device.hash.toString('hex')}` : null
}

/**
 * Counts a use of an account or a session.
 * @throws AppError rate_limited
 */
export const enforceThrottle = (ctx: Ctx, throttle: Throttle, by: string): Promise<CountedUse> =>
  countUses(ctx, ctx.db.kysely, throttle, [{ limit: throttle, by }])

/**
 * Counts a use of an address and of the networks around it.
 * @throws AppError rate_limited
 */
export const enforceAddressThrottle = (
  ctx: Ctx,
  q: Queryable,
  throttle: Throttle,
  address: string,
): Promise<CountedUse> => countUses(ctx, q, throttle, addressUses(ctx, throttle, address))

export interface CountedUse {
  /** Restores the quota that the use has taken. */
  release(): Promise<void>
}

/** Counts all uses of one attempt, or none when one of them is refused. */
export async function countUses(
  ctx: Ctx,
  q: Queryable,
  throttle: Pick<Throttle, 'refusal'>,
  uses: readonly Use[],
): Promise<CountedUse> {
  refuseSpent(await takeAll(ctx, q, uses), ctx.clock.now(), occasionOf(throttle))
  return { release: () => restoreQuota(ctx, ctx.db.kysely, uses) }
}
