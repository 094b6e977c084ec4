import { MerchantId, SessionId } from '@muripo/contract/ids'
import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { plusMs } from '../../platform/clock.ts'
import { hmac } from '../../platform/crypto/keys.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { parseId } from '../../platform/ids.ts'

/** However often its tokens are refreshed, a session does not outlive this. */
export const SESSION_LIFE_MS = 12 * 60 * 60 * 1000
const ACCESS_LIFE_MS = 10 * 60 * 1000
const CLOCK_SKEW_SECONDS = 30
const ALGORITHM = 'HS256'
const AUDIENCE = 'muripo-dashboard'

/** The media type in a token's header is what keeps one kind from passing for the other. */
type TokenType = 'at+jwt' | 'rt+jwt'

export interface TokenSubject {
  readonly merchantId: MerchantId
  readonly sessionId: SessionId
}

interface ReadToken extends TokenSubject {
  readonly jti: string
  /** From here on it is refused. */
  readonly refusedAt: Date
}

interface TokenLife {
  readonly jti: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}

export function signAccessToken(ctx: Ctx, subject: TokenSubject, sessionExpiresAt: Date): Promise<string> {
  const issuedAt = ctx.clock.now()
  const ownEnd = plusMs(issuedAt, ACCESS_LIFE_MS)
  const expiresAt = ownEnd < sessionExpiresAt ? ownEnd : sessionExpiresAt
  return sign(ctx, 'at+jwt', subject, { jti: ctx.ids.next({ prefix: 'atk' }), issuedAt, expiresAt })
}

/** The same arguments give the same characters: this is how a successor is handed out a second time without being stored. */
export const signRefreshToken = (ctx: Ctx, subject: TokenSubject, life: TokenLife): Promise<string> =>
  sign(ctx, 'rt+jwt', subject, life)

export const readAccessToken = (ctx: Ctx, token: string) => read(ctx, 'at+jwt', token)
/** Also one that has run out, for as long as a session may last. */
export const readAnyAccessToken = (ctx: Ctx, token: string) =>
  read(ctx, 'at+jwt', token, SESSION_LIFE_MS / 1000)
export const readRefreshToken = (ctx: Ctx, token: string) => read(ctx, 'rt+jwt', token)

function sign(ctx: Ctx, typ: TokenType, subject: TokenSubject, life: TokenLife): Promise<string> {
  const claims = {
    id: subject.merchantId,
    sid: subject.sessionId,
    jti: life.jti,
    iat: seconds(life.issuedAt),
    exp: seconds(life.expiresAt),
    iss: ctx.config.publicUrl,
    aud: AUDIENCE,
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ, kid: keyId(ctx) })
    .sign(ctx.keys.sessionSigning)
}

async function read(
  ctx: Ctx,
  typ: TokenType,
  token: string,
  toleranceSeconds = CLOCK_SKEW_SECONDS,
): Promise<ReadToken | null> {
  const verified = await jwtVerify(token, ctx.keys.sessionSigning, {
    algorithms: [ALGORITHM],
    typ,
    issuer: ctx.config.publicUrl,
    audience: AUDIENCE,
    currentDate: ctx.clock.now(),
    clockTolerance: toleranceSeconds,
    requiredClaims: ['id', 'sid', 'jti', 'iat', 'exp'],
  }).catch(() => null)
  return verified?.protectedHeader.kid === keyId(ctx) ? tokenIn(verified.payload) : null
}

function tokenIn({ id, sid, jti, exp }: JWTPayload): ReadToken | null {
  const merchantId = parseId(MerchantId, String(id))
  const sessionId = parseId(SessionId, String(sid))
  if (!merchantId || !sessionId || !jti || exp === undefined) return null
  return { merchantId, sessionId, jti, refusedAt: new Date((exp + CLOCK_SKEW_SECONDS) * 1000) }
}

const keyId = (ctx: Ctx): string => hmac(ctx.keys.sessionSigning, 'key id').toString('base64url').slice(0, 8)
const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)
