import { type ConsolePermission, consolePermissionsOf } from '@muripo/contract/console-permissions'
import { LIFE_HOURS } from '@muripo/contract/console-session'
import type { RouteSpec } from '@muripo/contract/route'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../../platform/audit/actor.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { type Authenticate, isRead, specOf } from '../../../platform/http/route.ts'
import { addressSubject, perAddress, refuseSpent } from '../../../platform/limits/admit.ts'
import { createInMemoryLimit, type Limit } from '../../../platform/limits/limits.ts'
import type { Operator } from './store-operators.ts'
import { confirmCaller, findCaller, type OperatorCaller } from './store-sessions.ts'

/** Calls of one operator, over which screens of the console never come. */
const CALLS: Limit = { name: 'console', quota: 600, windowMs: 60_000 }
/** Look-ups of cookies from one address. Beyond them every cookie is unknown. */
const COOKIES: Limit = { name: 'console-cookies', quota: 1200, windowMs: 60_000 }

const isProduction = ({ config }: Pick<Ctx, 'config'>): boolean => config.mode === 'production'

/** A browser accepts the prefix only with Secure, Path=/ and no domain, so that no other host of the domain can set the cookie. */
const cookieName = (ctx: Pick<Ctx, 'config'>): string =>
  isProduction(ctx) ? '__Host-muripo-console' : 'muripo-console'

/** @param token null removes the cookie */
export function consoleCookie(ctx: Pick<Ctx, 'config'>, token: string | null): string {
  const life = token === null ? 0 : LIFE_HOURS * 3600
  const secure = isProduction(ctx) ? '; Secure' : ''
  return `${cookieName(ctx)}=${token ?? ''}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Strict${secure}`
}

const cookiePattern = /^[A-Za-z0-9_-]{43}$/

function tokenOf(ctx: Ctx, { headers }: FastifyRequest): string | null {
  const start = `${cookieName(ctx)}=`
  const cookie = (headers.cookie ?? '').split(';').find((each) => each.trimStart().startsWith(start))
  const token = cookie?.trim().slice(start.length) ?? ''
  return cookiePattern.test(token) ? token : null
}

/** The answer of an address that does not exist. */
const nothing = (): AppError => new AppError('not_found', { detail: 'Nothing has this address' })

/** The caller of a request with the cookie of a session, or null. */
export function callerReader(ctx: Ctx): (request: FastifyRequest) => Promise<OperatorCaller | null> {
  const count = createInMemoryLimit(ctx.clock, perAddress(ctx, COOKIES))
  return async (request) => {
    const token = tokenOf(ctx, request)
    if (token === null || count(addressSubject(request.ip)).refused) return null
    return findCaller(ctx, token)
  }
}

/** Authenticates an operator. Nobody else learns whether an address of the console exists. */
export function consoleAuth(ctx: Ctx): Authenticate<OperatorCaller> {
  const read = callerReader(ctx)
  const count = createInMemoryLimit(ctx.clock, CALLS)
  const authenticate = async (request: FastifyRequest): Promise<OperatorCaller> => {
    const caller = await read(request)
    if (caller === null) throw nothing()
    refuseSpent([count(caller.operator.id)], ctx.clock.now())
    if (!isRead(request)) refuseOtherSites(ctx, request)
    const spec = specOf(request)
    if (spec) requireAccess(caller.operator, spec)
    return caller
  }
  const confirm = async (caller: OperatorCaller, spec: RouteSpec, tx?: Queryable): Promise<void> => {
    const operator = await confirmCaller(tx ?? ctx.db.kysely, caller, tx !== undefined)
    if (operator === null) throw nothing()
    requireAccess(operator, spec)
  }
  return Object.assign(authenticate, { confirm })
}

/** @throws AppError not_permitted, whose detail names the missing permission */
function requireAccess({ role }: Pick<Operator, 'role'>, { access }: RouteSpec): void {
  if (access === 'operator') return
  if (!consolePermissionsOf[role].has(access as ConsolePermission))
    throw new AppError('not_permitted', { detail: `The role ${role} lacks the permission ${access}` })
}

/** Browsers name the site of a page with every write. In development the console has the address of the request. */
function refuseOtherSites(ctx: Ctx, request: FastifyRequest): void {
  const { origin } = request.headers
  const own = [ctx.config.consoleUrl]
  if (!isProduction(ctx)) own.push(`${request.protocol}://${request.host}`)
  if (origin === undefined || !own.includes(origin))
    throw new AppError('malformed_request', { detail: 'The call comes from another site' })
}

export const actorOf = ({ operator, sessionId }: OperatorCaller, request: FastifyRequest): Actor => ({
  kind: 'operator',
  name: operator.email,
  address: request.ip,
  requestId: request.id,
  credential: sessionId,
})
