import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../../platform/ctx.ts'
import { type Device, deviceOf } from './device-cookie.ts'

/** The caller of a request without a session, as far as it is known. */
export interface Visitor {
  readonly address: string
  readonly requestId: string
  /** The name that the browser gives; a caller can write anything into it. */
  readonly userAgent: string
  /** Null before the first sign-in. Only the database shows whether an account recognises the device. */
  readonly device: Device | null
}

export const visitorOf = (ctx: Ctx, request: FastifyRequest): Visitor => ({
  address: request.ip,
  requestId: request.id,
  userAgent: request.headers['user-agent'] ?? '',
  device: deviceOf(ctx, request.headers.cookie),
})
