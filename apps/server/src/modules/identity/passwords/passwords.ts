import type { Ctx } from '../../../platform/ctx.ts'
import { createGate } from './gate.ts'
import { hash, verify } from './hashing.ts'
import { decoyHash, decoysBeside, isMadeAt } from './password-cost.ts'

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

/** What is hashed: the same characters, whichever keyboard wrote them (NFKC, as NIST SP 800-63B asks). Nothing else is changed. */
const typed = (password: string): string => password.normalize('NFKC')

export function hashPassword(ctx: Ctx, password: string): Promise<string> {
  const { memoryKib: memoryCost, passes: timeCost } = ctx.config.passwords
  const cost = { memoryCost, timeCost, parallelism: 1 }
  return pass(ctx, () => hash(typed(password), ctx.keys.passwordPepper, cost, ctx.config.passwords.atOnce))
}

/**
 * Whether this is the password; null stands for the hash of an account that there is not. A no takes the same time whatever it is said
 * of, so that time does not tell who has an account.
 */
export const checkPassword = (ctx: Ctx, passwordHash: string | null, password: string): Promise<boolean> =>
  pass(ctx, async () => {
    const check = (against: string) =>
      verify(against, typed(password), ctx.keys.passwordPepper, ctx.config.passwords.atOnce)
    const against = passwordHash ?? decoyHash(ctx.config.passwords)
    if (await check(against)) return true
    for (const decoy of await decoysBeside(ctx, against)) await check(decoy)
    return false
  })

/** A new hash of a password that was right, when the cost was changed since the old one was made. */
export const rehashed = async (ctx: Ctx, passwordHash: string, password: string): Promise<string | null> =>
  isMadeAt(passwordHash, ctx.config.passwords) ? null : hashPassword(ctx, password)
