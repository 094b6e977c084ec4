import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../platform/ctx.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { bearerOf } from '../../platform/http/bearer.ts'
import type { Authenticate } from '../../platform/http/route.ts'
import { isWellFormed } from './key.ts'
import type { KeyCache } from './key-cache.ts'
import { lookupOf } from './sealed-key.ts'
import { findKeyOwner, isInForce, isKeyInForce, type KeyOwner } from './store-keys.ts'

/** The caller of the public surface, by its application key. */
export function applicationKeyAuth(ctx: Ctx, cache: KeyCache): Authenticate<KeyOwner> {
  const authenticate = async (request: FastifyRequest): Promise<KeyOwner> => {
    const key = bearerOf(request)
    if (key === null) throw unknownKey()
    // A key that is remembered was well-formed when it was found.
    const owner = await cache.ownerOf(key, async () =>
      isWellFormed(key) ? findKeyOwner(ctx.db.kysely, lookupOf(ctx.keys, key), ctx.config.keyMode) : null,
    )
    if (owner === null) throw unknownKey(liveElsewhere(ctx, key))
    if (!owner.active) throw new AppError('application_inactive')
    return owner
  }
  const confirm = (caller: KeyOwner, tx: Queryable = ctx.db.kysely) => confirmKey(tx, caller)
  return Object.assign(authenticate, { confirm })
}

/** @throws AppError invalid_key, application_inactive: the key was replaced or its application stopped since the caller was let in */
export async function confirmKey(db: Queryable, caller: KeyOwner): Promise<void> {
  if (!(await isInForce(db, caller))) throw await refusalOf(db, caller)
}

/** Why a caller that was let in may not act after all: its key has been replaced since, or its application stopped. */
export async function refusalOf(db: Queryable, caller: KeyOwner): Promise<AppError> {
  const stillItsKey = await isKeyInForce(db, caller)
  return stillItsKey ? new AppError('application_inactive') : unknownKey()
}

const unknownKey = (detail: { detail?: string } = {}): AppError =>
  new AppError('invalid_key', { ...detail, headers: { 'www-authenticate': 'Bearer realm="muripo"' } })

const liveElsewhere = ({ config }: Ctx, key: string): { detail?: string } =>
  config.keyMode === 'test' && key.startsWith('mk_live_')
    ? { detail: 'Live keys do not work here: this gateway is for tests. Use a key that starts with mk_test_' }
    : {}
