import type { PasswordCost } from '../../../platform/config.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Database } from '../../../platform/db/database.ts'
import { passwordHashKinds } from '../accounts/store-accounts.ts'

/** The part of a hash that says how it was made. */
const kindOf = ({ memoryKib, passes }: PasswordCost): string =>
  `$argon2id$v=19$m=${memoryKib},t=${passes},p=1`

const zeros = (bytes: number): string => Buffer.alloc(bytes).toString('base64').replace(/=+$/, '')

/** A hash that no password has. */
const decoyOf = (kind: string): string => `${kind}$${zeros(16)}$${zeros(32)}`
export const decoyHash = (cost: PasswordCost): string => decoyOf(kindOf(cost))

export const isMadeAt = (passwordHash: string, cost: PasswordCost): boolean =>
  passwordHash.startsWith(`${kindOf(cost)}$`)

const known = new WeakMap<Database, Promise<Set<string>>>()

/**
 * A decoy of every kind of hash that some account has, but of the kind of this one. Checking against them after a no, every no takes
 * as long as every other, while hashes of an old cost are about.
 */
export async function decoysBeside(ctx: Ctx, passwordHash: string): Promise<string[]> {
  const asked = known.get(ctx.db) ?? passwordHashKinds(ctx.db.kysely).then((kinds) => new Set(kinds))
  known.set(ctx.db, asked)
  asked.catch(() => known.delete(ctx.db))
  const kinds = await asked
  const own = passwordHash.split('$', 4).join('$')
  kinds.add(own)
  return [...new Set([...kinds, kindOf(ctx.config.passwords)])].filter((kind) => kind !== own).map(decoyOf)
}
