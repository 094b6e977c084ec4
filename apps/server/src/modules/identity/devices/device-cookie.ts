import { parseCookie, stringifySetCookie } from 'cookie'
import type { Config } from '../../../platform/config.ts'
import { hmac } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { retentionMs } from '../../../platform/retention.ts'

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
