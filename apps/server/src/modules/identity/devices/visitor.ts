import type { Locale } from '@muripo/contract/enums'
import { acceptedLocale, localeIn, READER_COOKIE } from '@muripo/locales/languages'
import Bowser from 'bowser'
import { parseCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../../platform/ctx.ts'
import { coarse } from '../../../platform/http/network.ts'
import { momentText, type Occasion } from '../../../platform/mail/email-content.ts'
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

const MAX_LENGTH = 512

/** "Chrome on Windows". The text of the browser never reaches a mail, because a caller can write anything into it. */
export function browserName(userAgent: string): string {
  if (userAgent === '') return 'an unknown browser'
  const { browser, os } = Bowser.parse(userAgent.slice(0, MAX_LENGTH))
  const name = known(browser.name) ?? 'an unknown browser'
  const system = known(os.name)
  return system === null ? name : `${name} on ${system}`
}

// Bowser takes an unknown name from the text itself.
const names = new Set([...Object.values(Bowser.BROWSER_MAP), ...Object.values(Bowser.OS_MAP)])
const known = (name: string | undefined): string | null =>
  name !== undefined && names.has(name) ? name : null

/** The origin of a request, as mails describe it. */
export const occasion = (
  { userAgent, address }: Pick<Visitor, 'userAgent' | 'address'>,
  at: Date,
  timeZone: string,
  locale: Locale | null = null,
): Occasion => ({
  when: momentText(at, timeZone, locale),
  device: browserName(userAgent),
  network: coarse(address),
})
