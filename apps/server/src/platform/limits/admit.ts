import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../ctx.ts'
import { networkOf } from '../http/network.ts'
import { type Limit, type Standing, take } from './limits.ts'
import { limitHeaders, refuseSpent } from './refusal.ts'

/** Lets a call in or throws. It runs before anything of the call is read. */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Limits what one address may ask for. `apart` names who is counted on their own when the address has nothing left, so that they do
 * not pay for strangers that they share it with.
 */
export function admitPerAddress(
  ctx: Ctx,
  limits: readonly Limit[],
  apart: (request: FastifyRequest) => Promise<string | null> = async () => null,
): Admit {
  const scaled = limits.map((limit) => perAddress(ctx, limit))
  const takeFor = (by: string): Promise<readonly Standing[]> =>
    take(
      ctx,
      ctx.db.kysely,
      scaled.map((limit) => ({ limit, by })),
    )

  return async (request, reply) => {
    const first = await takeFor(addressSubject(request.ip))
    const other = first.some(({ refused }) => refused) ? await apart(request) : null
    const standings = other === null ? first : await takeFor(other)
    const now = ctx.clock.now()
    reply.headers(limitHeaders(standings, now))
    refuseSpent(standings, now)
  }
}

export const addressSubject = (address: string): string => `address ${networkOf(address)}`

/** In development everybody comes from one address. */
export const perAddress = (ctx: Ctx, limit: Limit): Limit => ({
  ...limit,
  quota: limit.quota * ctx.config.rateLimitFactor,
})
