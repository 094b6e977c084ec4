import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../platform/ctx.ts'
import { type Admit, admitPerAddress } from '../../platform/limits/admit.ts'
import type { Limit } from '../../platform/limits/limits.ts'
import { deviceOf } from './devices/device-cookie.ts'
import { isKnownDevice } from './devices/store-devices.ts'
import type { LockoutPolicy } from './passwords/store-lockouts.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

const limit = (name: string, quota: number, windowMs: number): Limit => ({ name, quota, windowMs })

/** The same for everybody, and read by each page that signs in or up. */
export const configReads = limit('config', 600, MINUTE_MS)

/** What one address may call. */
const calls = {
  signUp: [limit('sign-up', 5, HOUR_MS)],
  upload: [limit('upload', 5, HOUR_MS), limit('upload-day', 20, DAY_MS)],
  signIn: [limit('sign-in', 20, MINUTE_MS)],
  verifyCode: [limit('verify-code', 20, MINUTE_MS)],
  askForPasskey: [limit('ask-for-passkey', 20, MINUTE_MS)],
  verifyPasskey: [limit('verify-passkey', 20, MINUTE_MS)],
  resendCode: [limit('resend-code', 20, MINUTE_MS)],
  forgotPassword: [limit('forgot-password', 10, HOUR_MS)],
  setNewPassword: [limit('set-password', 20, MINUTE_MS)],
  refresh: [limit('refresh', 120, MINUTE_MS)],
  signOut: [limit('sign-out', 60, MINUTE_MS)],
} as const satisfies Record<string, readonly Limit[]>

/** Calls that leave an account or a document behind. Anybody can make known devices, so a device adds no quota to these. */
const keeping: readonly (keyof typeof calls)[] = ['signUp', 'upload']

/** Who shares an address with a crowd, and has signed in before, is not kept out by the crowd. */
export const admit = (ctx: Ctx, call: keyof typeof calls): Admit =>
  admitPerAddress(
    ctx,
    calls[call],
    keeping.includes(call) ? { ipv4Networks: true } : { apart: (request) => knownDevice(ctx, request) },
  )

async function knownDevice(ctx: Ctx, request: FastifyRequest): Promise<string | null> {
  const device = deviceOf(ctx, request.headers.cookie)
  const isKnown = device !== null && (await isKnownDevice(ctx.db.kysely, device.hash))
  return isKnown ? `device ${device.hash.toString('hex')}` : null
}

/** Wrong passwords for one account, from one known device or from all strangers together. */
export const accountLockout: LockoutPolicy = {
  freeFailures: 2,
  lockedAt: 10,
  maxWaitMs: 30 * MINUTE_MS,
  resetAfterMs: DAY_MS,
}

/**
 * Wrong passwords of strangers from one address, which may be a whole town's: it is slowed, and never shut for long.
 * @param share how many times the patience with one address a network of several has
 */
export function addressLockout(ctx: Ctx, share = 1): LockoutPolicy {
  const freeFailures = 3 * share * ctx.config.rateLimitFactor - 1
  return { freeFailures, lockedAt: freeFailures + 7, maxWaitMs: MINUTE_MS, resetAfterMs: 15 * MINUTE_MS }
}

/** Codes that nobody used, of one account and one device or all strangers. */
export const unusedCodes = {
  signin: { anHour: 10, aDay: 20 },
  password_reset: { anHour: 5, aDay: 10 },
} as const

export const RESENDS_AN_HOUR = 5
export const RESEND_PAUSE_MS = 20 * SECOND_MS

/** Wrong codes over all codes of one account, from one known device or from all strangers together. */
export const wrongCodes = {
  signin: [limit('wrong-codes', 10, HOUR_MS), limit('wrong-codes-day', 50, DAY_MS)],
  password_reset: [limit('wrong-reset-codes', 9, DAY_MS)],
} as const satisfies Record<string, readonly Limit[]>

/** What strangers may do from one address, over all accounts. */
export const codesByAddress = limit('codes-by-address', 20, HOUR_MS)
export const wrongCodesByAddress = limit('wrong-codes-by-address', 30, HOUR_MS)

/** What one account may change of itself, by whichever session. */
export const passwordChanges = limit('change-password', 10, HOUR_MS)
export const accountChanges = limit('change-account', 60, HOUR_MS)
export const passkeyChanges = limit('change-passkeys', 60, HOUR_MS)

/** Refreshing one session. */
export const refreshes = limit('refresh-session', 120, HOUR_MS)
