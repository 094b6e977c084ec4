import type { Locale } from '@muripo/contract/enums'
import type { PersonId } from '@muripo/contract/ids'
import { acceptedLocale, localeIn, READER_COOKIE } from '@muripo/locales/languages'
import Bowser from 'bowser'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../../platform/config.ts'
import { hmac } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { coarse } from '../../../platform/http/network.ts'
import { retentionMs } from '../../../platform/jobs/retention.ts'
import { momentText, type Occasion } from '../../../platform/mail/email-content.ts'
import { isDeviceOf, isKnownDevice } from './store-devices.ts'

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

/** A browser with a secret in a cookie. The secret grants nothing: it only distinguishes its browser from unrecognised ones. */
export interface Device {
  readonly token: string
  readonly hash: Buffer
}

const TOKEN_BYTES = 32
/** The longest life that browsers allow for a cookie; each sign-in renews it. */
export const DEVICE_LIFE_SECONDS = retentionMs('devices') / 1000

// Browsers refuse a name with this prefix unless the cookie came over TLS from this very host.
const nameIn = (config: Config): string =>
  config.mode === 'production' ? '__Host-muripo-device' : 'muripo-device'

export const newDevice = (ctx: Ctx): Device => device(ctx, ctx.ids.bytes(TOKEN_BYTES).toString('base64url'))

export function deviceOf(ctx: Ctx, cookies: string | undefined): Device | null {
  const token = parseCookie(cookies ?? '')[nameIn(ctx.config)]
  return token !== undefined && /^[A-Za-z0-9_-]{43}$/.test(token) ? device(ctx, token) : null
}

export const deviceCookie = (config: Config, { token }: Device): string =>
  stringifySetCookie({
    name: nameIn(config),
    value: token,
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: config.mode === 'production',
    maxAge: DEVICE_LIFE_SECONDS,
  })

export const deviceHeaders = (config: Config, device: Device): { 'set-cookie': string } => ({
  'set-cookie': deviceCookie(config, device),
})

const device = (ctx: Ctx, token: string): Device => ({ token, hash: hmac(ctx.keys.deviceHash, token) })

/** The device of the browser if the gateway issued its secret; else a new one, because a caller who chose a secret knows it. */
export const issuedDevice = async (ctx: Ctx, q: Queryable, { device }: Visitor): Promise<Device> =>
  device !== null && (await isKnownDevice(q, device.hash)) ? device : newDevice(ctx)

/** The hash of the visitor's device if the account recognises it; null for an unrecognised device. */
export async function recognisedDevice(
  q: Queryable,
  personId: PersonId,
  { device }: Visitor,
): Promise<Buffer | null> {
  const hash = device?.hash ?? null
  return (await isDeviceOf(q, personId, hash)) ? hash : null
}
