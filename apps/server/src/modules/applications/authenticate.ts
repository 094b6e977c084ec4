import { hash } from 'node:crypto'
import type { ApplicationId, MerchantId } from '@muripo/contract/ids'
import type { RouteSpec } from '@muripo/contract/route'
import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../platform/ctx.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { oneDatabase, type PerDatabase } from '../../platform/db/databases.ts'
import { AppError } from '../../platform/errors.ts'
import { type Authenticate, bearerOf, type CallerLimit, isRead, specOf } from '../../platform/http/route.ts'
import { createNetworkLimit, limitHeaders, perAddress, refuseSpent } from '../../platform/limits/admit.ts'
import { createInMemoryLimit } from '../../platform/limits/limits.ts'
import { accountHashIn, isWellFormed, lookupOf } from './key.ts'
import { type KeyCache, recentDigests } from './key-cache.ts'
import { requireGrant } from './key-grant.ts'
import { findKeyOwner, findOwnerOfApplication, type KeyOwner, keyStateOf } from './store-keys.ts'

/** Distinct unknown keys of one address. Each costs a keyed hash and a look-up; a key with a wrong checksum costs neither. */
const wrongKeys = { name: 'wrong keys', quota: 60, windowMs: 60_000 }
const UNKNOWN_FOR_MS = 60_000
const VALID_FOR_MS = 24 * 60 * 60_000

/**
 * The caller of the public surface, by its application key.
 * @param ctxs over each database with rows of accounts
 */
export function applicationKeyAuth(
  ctx: Ctx,
  cache: KeyCache,
  ctxs: PerDatabase<Ctx> = oneDatabase(ctx),
  onUse: (key: KeyOwner, address: string) => void = () => undefined,
): Authenticate<KeyOwner> {
  const wrong = createNetworkLimit(ctx, wrongKeys, { ipv4Networks: true })
  /** A client that retries one unknown key costs no look-up and no quota of its address. */
  const unknown = recentDigests(ctx.clock, UNKNOWN_FOR_MS)
  /** A valid key may share its address with clients that have used up its quota. */
  const valid = recentDigests(ctx.clock, VALID_FOR_MS)
  const lookUps = new Map<string, Promise<KeyOwner | null>>()

  async function lookUp(key: string, address: string): Promise<KeyOwner | null> {
    if (!isWellFormed(key)) return null
    const digest = hash('sha256', key, 'base64')
    if (unknown.has(digest)) return null
    const running = lookUps.get(digest)
    if (running) return running
    // A key counts as wrong until it is found, so that a key beyond the limit costs no look-up.
    const isCounted = !valid.has(digest)
    if (isCounted) refuseSpent(wrong.take(address), ctx.clock.now())
    const started = findOwner(key).finally(() => lookUps.delete(digest))
    lookUps.set(digest, started)
    const owner = await started
    if (owner === null) unknown.add(digest)
    else {
      valid.add(digest)
      if (isCounted) wrong.restore(address)
    }
    return owner
  }

  async function findOwner(key: string): Promise<KeyOwner | null> {
    const lookup = lookupOf(ctx.keys, key)
    const { db } = ctxs.ofHash(accountHashIn(key))
    const owner = await findKeyOwner(db.kysely, lookup, ctx.config.keyMode)
    // A key of an earlier version does not name the database of its account.
    if (owner !== null || db.pool === ctx.db.pool) return owner
    return findKeyOwner(ctx.db.kysely, lookup, ctx.config.keyMode)
  }

  /** @throws AppError of what refuses the call */
  function admit(owner: KeyOwner | null, key: string, request: FastifyRequest): KeyOwner {
    if (owner === null) throw unknownKey(liveElsewhere(ctx, key))
    if (owner.grant !== null) {
      const { expiresAt } = owner.grant
      if (expiresAt !== null && expiresAt <= ctx.clock.now()) throw unknownKey()
      requireGrant(owner.grant, specOf(request)?.access ?? 'anyone', request.ip)
      onUse(owner, request.ip)
    }
    if (!owner.merchantActive && !isRead(request)) throw merchantNotActive()
    if (!owner.active) throw new AppError('application_inactive')
    return owner
  }

  const authenticate = async (request: FastifyRequest): Promise<KeyOwner> => {
    const key = bearerOf(request)
    if (key === null) throw unknownKey({ detail: missingKey(request) })
    let isFound = false
    const find = () => {
      isFound = true
      // A cached key was well-formed when it was found.
      return lookUp(key, request.ip)
    }
    const owner = await cache.ownerOf(key, find)
    try {
      return admit(owner, key, request)
    } catch (error) {
      if (isFound) throw error
    }
    // The change that lets the key in again may be committed before its notification arrives.
    cache.forget(key)
    return admit(await cache.ownerOf(key, find), key, request)
  }
  const confirm = (caller: KeyOwner, _spec: RouteSpec, tx: Queryable = ctx.db.kysely) =>
    confirmKey(tx, caller)
  return Object.assign(authenticate, { confirm })
}

/**
 * Confirms that the key is still active since the caller was authenticated.
 * @throws AppError invalid_key, application_inactive, merchant_not_active
 */
export async function confirmKey(db: Queryable, caller: KeyOwner): Promise<void> {
  const state = await keyStateOf(db, caller)
  if (state !== 'active') throw refusals[state]()
}

/**
 * The refusal of an authenticated caller that may not write any more: its key is replaced, its application stopped, or its merchant
 * suspended.
 */
export async function refusalOf(db: Queryable, caller: KeyOwner): Promise<AppError> {
  const state = await keyStateOf(db, caller)
  return refusals[state === 'active' ? 'application_inactive' : state]()
}

/**
 * The owner of the key with which a session of the merchant writes for one of its applications.
 * @throws AppError not_found, application_inactive, merchant_not_active
 */
export async function ownerForSession(
  { config }: Pick<Ctx, 'config'>,
  db: Queryable,
  merchantId: MerchantId,
  applicationId: ApplicationId,
): Promise<KeyOwner> {
  const found = await findOwnerOfApplication(db, merchantId, applicationId, config.keyMode)
  if (found === null) throw new AppError('not_found', { detail: 'There is no such application' })
  const { owner, hadKey } = found
  if (!hadKey) throw new AppError('merchant_not_active', { detail: NOT_APPROVED })
  if (owner?.merchantActive === false) throw merchantNotActive()
  if (owner === null || !owner.active) throw new AppError('application_inactive')
  return owner
}

const NOT_APPROVED = 'Live payments are possible once your account is approved'

const merchantNotActive = (): AppError =>
  new AppError('merchant_not_active', {
    detail: 'The account of this application is suspended or closed. It can still read',
  })

const WRONG_KEY = 'The application key is not valid: it is mistyped, or another one has replaced it'

/** Proxies remove headers, and some clients send the key in another place. */
function missingKey({ headers: { authorization = '' } }: FastifyRequest): string {
  if (authorization === '')
    return 'The application key is missing: send it in the header Authorization, as "Bearer mk_…"'
  return 'The header Authorization must be "Bearer" and an application key, as "Bearer mk_…"'
}

const unknownKey = ({ detail = WRONG_KEY }: { detail?: string } = {}): AppError =>
  new AppError('invalid_key', { detail, headers: { 'www-authenticate': 'Bearer realm="muripo"' } })

const refusals = {
  invalid_key: () => unknownKey(),
  merchant_not_active: merchantNotActive,
  application_inactive: () => new AppError('application_inactive'),
} as const

const liveElsewhere = ({ config }: Ctx, key: string): { detail?: string } =>
  config.keyMode === 'test' && key.startsWith('mk_live_')
    ? { detail: 'Live keys do not work here: this gateway is for tests. Use a key that starts with mk_test_' }
    : {}

/** A hundred calls a second; a burst may use the calls of ten seconds at once. */
const callsOfKey = { name: 'key', quota: 1000, windowMs: 10_000 }

/** All keys of a merchant together: more applications give a merchant no larger share. Live and test keys are counted apart. */
const callsOfMerchant = { name: 'merchant', quota: 3000, windowMs: 10_000 }

/** Limits of one key and of one merchant, so that the calls of one merchant do not slow down another. */
export function limitPerKey(ctx: Ctx): CallerLimit<KeyOwner> {
  const countUse = createInMemoryLimit(ctx.clock, perAddress(ctx, callsOfKey))
  const countMerchantUse = createInMemoryLimit(ctx.clock, perAddress(ctx, callsOfMerchant))
  return ({ keyId, accountId }, reply) => {
    const ofKey = countUse(keyId)
    // A call that is refused for its key uses up no quota of the merchant.
    const standings = [ofKey, countMerchantUse(accountId, ofKey.refused ? 0 : 1)]
    const now = ctx.clock.now()
    reply.headers(limitHeaders(standings, now))
    refuseSpent(standings, now)
  }
}
