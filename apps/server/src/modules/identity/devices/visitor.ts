import type { Locale } from '@muripo/contract/enums'
import { acceptedLocale, localeIn, READER_COOKIE } from '@muripo/locales/languages'
import { parseCookie } from 'cookie'
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
  /** The language of the page that sent the request. */
  readonly locale: Locale
}

export const visitorOf = (ctx: Ctx, request: FastifyRequest): Visitor => ({
  address: request.ip,
  requestId: request.id,
  userAgent: request.headers['user-agent'] ?? '',
  device: deviceOf(ctx, request.headers.cookie),
  locale: localeOf(request),
})

const localeOf = ({ headers }: FastifyRequest): Locale =>
  localeIn(parseCookie(headers.cookie ?? '')[READER_COOKIE]) ??
  acceptedLocale(headers['accept-language'] ?? null) ??
  'en'
