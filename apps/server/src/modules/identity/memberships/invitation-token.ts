import { hmac } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'

const TOKEN_BYTES = 32

export const newInvitationToken = (ctx: Ctx): string => ctx.ids.bytes(TOKEN_BYTES).toString('base64url')

export const hashInvitation = (ctx: Ctx, token: string): Buffer =>
  hmac(ctx.keys.otpHash, `invitation:${token}`)
