import type { Ctx } from '../../../platform/ctx.ts'
import type { Party } from '../party.ts'
import { claimPasswordTry } from './password-tries.ts'
import { checkPassword } from './passwords.ts'

interface Asked {
  /** In the database's own spelling. */
  readonly email: string
  /** Null when nobody has the account. */
  readonly passwordHash: string | null
  readonly party: Party
}

/** Whether it is the password. Wherever it is asked for, tries at one account are counted together and slowed down. */
export async function tryPassword(
  ctx: Ctx,
  { email, passwordHash, party }: Asked,
  password: string,
  address: string,
): Promise<boolean> {
  const claim = await claimPasswordTry(ctx, email, party, address)
  const isRight = await checkPassword(ctx, passwordHash, password).catch(async (error: unknown) => {
    await claim.takeBack()
    throw error
  })
  if (isRight) await claim.succeed()
  return isRight
}
