import { MerchantId, SessionId } from '@muripo/contract/ids'
import { type JWTPayload, type JWTVerifyResult, jwtVerify, SignJWT } from 'jose'
import { plusMs } from '../../../platform/clock.ts'
import { hmac } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { parseId } from '../../../platform/ids.ts'

/** However often its tokens are refreshed, a session does not outlive this. */
export const SESSION_LIFE_MS = 12 * 60 * 60 * 1000
const ACCESS_LIFE_MS = 10 * 60 * 1000
const CLOCK_SKEW_SECONDS = 30
const WEEK_MS = 7 * 24 * 60 * 60 * 1000
const ALGORITHM = 'HS256'
const AUDIENCE = 'muripo-dashboard'

/** The media type in the header of a token distinguishes the two kinds. */
type TokenType = 'at+jwt' | 'rt+jwt'

const longestLifeMs = { 'at+jwt': ACCESS_LIFE_MS, 'rt+jwt': SESSION_LIFE_MS } as const satisfies Record<
  TokenType,
  number
>

export interface TokenSubject {
  readonly merchantId: MerchantId
  readonly sessionId: SessionId
}

interface ReadToken extends TokenSubject {
  readonly jti: string
  /** The time from which it is refused. */
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

/** Deterministic, so that a successor can be issued a second time without being stored. */
export const signRefreshToken = (ctx: Ctx, subject: TokenSubject, life: TokenLife): Promise<string> =>
  sign(ctx, 'rt+jwt', subject, life)

export const readAccessToken = (ctx: Ctx, token: string) => read(ctx, 'at+jwt', token)
/** Accepts an expired token too, for as long as a session can last. */
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
  const week = weekOf(life.issuedAt)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ, kid: String(week) })
    .sign(signingKey(ctx, week))
}

async function read(
  ctx: Ctx,
  typ: TokenType,
  token: string,
  toleranceSeconds = CLOCK_SKEW_SECONDS,
): Promise<ReadToken | null> {
  const now = ctx.clock.now()
  const verified = await jwtVerify(token, ({ kid }) => signingKey(ctx, liveWeek(kid, now)), {
    algorithms: [ALGORITHM],
    typ,
    issuer: ctx.config.publicUrl,
    audience: AUDIENCE,
    currentDate: now,
    clockTolerance: toleranceSeconds,
    requiredClaims: ['id', 'sid', 'jti', 'iat', 'exp'],
  }).catch(() => null)
  if (verified === null || !isOfItsWeek(verified, typ, now)) return null
  return tokenIn(verified.payload)
}

/**
 * Each week has its key, derived from the root secret and the number of the week, which the token contains. Keys change automatically and
 * alike in all processes, and no session ends: a token outlives its week by hours, and the key of a week is accepted in the next one.
 */
export const signingKey = (ctx: Ctx, week: number): Buffer => hmac(ctx.keys.sessionSigning, `week ${week}`)
export const weekOf = (at: Date): number => Math.floor(at.getTime() / WEEK_MS)

function liveWeek(kid: string | undefined, now: Date): number {
  const weeks = [plusMs(now, -WEEK_MS), now, plusMs(now, CLOCK_SKEW_SECONDS * 1000)].map(weekOf)
  const week = weeks.find((each) => String(each) === kid)
  if (week === undefined) throw new Error('the key of another week')
  return week
}

/** Confines a leaked key to its week: it is accepted only for tokens of that week, with no more than the life of their type. */
function isOfItsWeek(
  { payload: { iat = 0, exp = 0 }, protectedHeader }: JWTVerifyResult,
  typ: TokenType,
  now: Date,
): boolean {
  const issuedAt = new Date(iat * 1000)
  const isFromNow = issuedAt <= plusMs(now, CLOCK_SKEW_SECONDS * 1000)
  const isOfWeek = protectedHeader.kid === String(weekOf(issuedAt))
  return isFromNow && isOfWeek && (exp - iat) * 1000 <= longestLifeMs[typ]
}

function tokenIn({ id, sid, jti, exp }: JWTPayload): ReadToken | null {
  const merchantId = parseId(MerchantId, String(id))
  const sessionId = parseId(SessionId, String(sid))
  if (!merchantId || !sessionId || !jti || exp === undefined) return null
  return { merchantId, sessionId, jti, refusedAt: new Date((exp + CLOCK_SKEW_SECONDS) * 1000) }
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)
