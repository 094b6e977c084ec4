import { timingSafeEqual } from 'node:crypto'
import type { OtpId } from '@muripo/contract/ids'
import { hmac } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { throttles } from '../throttles.ts'

export const CODE_LIFE_MS = throttles.codeAttempts.windowMs
/** The link beside a reset code cannot be guessed, so it may live longer. */
export const LINK_LIFE_MS = 60 * 60 * 1000
const LINK_BYTES = 32
export type Purpose = 'signin' | 'password_reset'

export const attemptsAllowed = {
  signin: throttles.codeAttempts.quota,
  password_reset: throttles.resetCodeAttempts.quota,
} as const satisfies Record<Purpose, number>

/** A search of a million codes is fast, so the stored hash has a key, and it is bound to id and purpose. */
export const hashCode = (ctx: Ctx, id: OtpId, purpose: Purpose, code: string): Buffer =>
  hmac(ctx.keys.otpHash, `${id}:${purpose}:${code}`)

export const isCode = (ctx: Ctx, id: OtpId, purpose: Purpose, code: string, codeHash: Buffer): boolean =>
  timingSafeEqual(hashCode(ctx, id, purpose, code), codeHash)

export const newLinkToken = (ctx: Ctx): string => ctx.ids.bytes(LINK_BYTES).toString('base64url')

export const hashLink = (ctx: Ctx, token: string): Buffer =>
  hmac(ctx.keys.otpHash, `password_reset link:${token}`)
