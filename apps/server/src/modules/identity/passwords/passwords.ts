import type { PasswordCost } from '../../../platform/config.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Database } from '../../../platform/db/database.ts'
import { passwordHashKinds } from '../accounts/store-accounts.ts'
import { createGate } from './gate.ts'
import { hash, verify } from './hashing.ts'

// Each hash holds its memory and a thread, and anybody may ask for one.
const WAITING = 50
// A thread that is done finds its next password there, and need not wait for the one that hands them out.
const AT_EACH_THREAD = 2
const gates = new Map<number, ReturnType<typeof createGate>>()
function pass<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  const { atOnce } = ctx.config.passwords
  const gate =
    gates.get(atOnce) ??
    createGate({ atOnce: AT_EACH_THREAD * atOnce, waiting: WAITING - (AT_EACH_THREAD - 1) * atOnce })
  gates.set(atOnce, gate)
  return gate(work)
}

/** Keyboards encode one character in several ways; NFKC maps them to one, as NIST SP 800-63B asks. Nothing else is changed. */
const normalised = (password: string): string => password.normalize('NFKC')

export function hashPassword(ctx: Ctx, password: string): Promise<string> {
  const { memoryKib: memoryCost, passes: timeCost } = ctx.config.passwords
  const cost = { memoryCost, timeCost, parallelism: 1 }
  return pass(ctx, () =>
    hash(normalised(password), ctx.keys.passwordPepper, cost, ctx.config.passwords.atOnce),
  )
}

/**
 * Compares a password with a hash; null is the hash of an account that does not exist. A mismatch takes the same time for every account
 * and for none, so that the time does not reveal which accounts exist.
 */
export const checkPassword = (ctx: Ctx, passwordHash: string | null, password: string): Promise<boolean> =>
  pass(ctx, async () => {
    const check = (against: string) =>
      verify(against, normalised(password), ctx.keys.passwordPepper, ctx.config.passwords.atOnce)
    const against = passwordHash ?? decoyOf(kindOf(ctx.config.passwords))
    if (await check(against)) return true
    for (const decoy of await decoysBeside(ctx, against)) await check(decoy)
    return false
  })

/** A new hash of a correct password, when the configured cost differs from the cost of its present hash; else null. */
export const rehashIfOutdated = async (
  ctx: Ctx,
  passwordHash: string,
  password: string,
): Promise<string | null> =>
  passwordHash.startsWith(`${kindOf(ctx.config.passwords)}$`) ? null : hashPassword(ctx, password)

/** The part of a hash that holds algorithm and cost. */
const kindOf = ({ memoryKib, passes }: PasswordCost): string =>
  `$argon2id$v=19$m=${memoryKib},t=${passes},p=1`

const zeros = (bytes: number): string => Buffer.alloc(bytes).toString('base64').replace(/=+$/, '')

/** A hash that no password has. */
const decoyOf = (kind: string): string => `${kind}$${zeros(16)}$${zeros(32)}`

const cachedKinds = new WeakMap<Database, Promise<Set<string>>>()

/**
 * A decoy for each kind of hash among the accounts, except the kind of this hash. Each mismatch is followed by a check of these, so that
 * all mismatches take the same time while accounts have hashes of different cost.
 */
async function decoysBeside(ctx: Ctx, passwordHash: string): Promise<string[]> {
  const loading = cachedKinds.get(ctx.db) ?? passwordHashKinds(ctx.db.kysely).then((kinds) => new Set(kinds))
  cachedKinds.set(ctx.db, loading)
  loading.catch(() => cachedKinds.delete(ctx.db))
  const kinds = await loading
  const own = passwordHash.split('$', 4).join('$')
  kinds.add(own)
  return [...new Set([...kinds, kindOf(ctx.config.passwords)])].filter((kind) => kind !== own).map(decoyOf)
}
