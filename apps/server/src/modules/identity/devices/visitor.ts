import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../../platform/ctx.ts'
import { type Device, deviceOf } from './device-cookie.ts'

/** Who stands behind a call without a session, as far as it can be told. */
export interface Visitor {
  readonly address: string
  readonly requestId: string
  /** What the browser says of itself: the caller's word. */
  readonly userAgent: string
  /** Null before the first sign-in. Whether it is known to an account is for the database to say. */
  readonly device: Device | null
}

export const visitorOf = (ctx: Ctx, request: FastifyRequest): Visitor => ({
  address: request.ip,
  requestId: request.id,
  userAgent: request.headers['user-agent'] ?? '',
  device: deviceOf(ctx, request.headers.cookie),
})
