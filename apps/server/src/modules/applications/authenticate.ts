import type { Ctx } from '../../platform/ctx.ts'
import { AppError } from '../../platform/errors.ts'
import { bearerOf } from '../../platform/http/bearer.ts'
import type { Authenticate } from '../../platform/http/route.ts'
import { isWellFormed } from './key.ts'
import type { KeyCache } from './key-cache.ts'
import { lookupOf } from './sealed-key.ts'
import { findKeyOwner, type KeyOwner } from './store.ts'

/** The caller of the public surface, by its application key. */
export function applicationKeyAuth(ctx: Ctx, cache: KeyCache): Authenticate<KeyOwner> {
  return async (request) => {
    const key = bearerOf(request)
    if (key === null || !isWellFormed(key)) throw unknownKey()
    const lookup = lookupOf(ctx.keys, key)
    let owner = cache.get(lookup)
    if (owner === null) {
      owner = await findKeyOwner(ctx.db.kysely, lookup)
      if (owner === null) throw unknownKey()
      cache.set(lookup, owner)
    }
    if (!owner.active) throw new AppError('application_inactive')
    return owner
  }
}

const unknownKey = (): AppError =>
  new AppError('invalid_key', { headers: { 'www-authenticate': 'Bearer realm="muripo"' } })
