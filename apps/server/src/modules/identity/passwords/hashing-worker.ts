import { hashSync, verifySync } from '@node-rs/argon2'

export interface HashTask {
  readonly password: string
  readonly secret: Uint8Array
  readonly cost: { readonly memoryCost: number; readonly timeCost: number; readonly parallelism: number }
}

export interface VerifyTask {
  readonly password: string
  readonly secret: Uint8Array
  readonly passwordHash: string
  /** Hashes that are checked after a mismatch, for the time that they take. */
  readonly decoys: readonly string[]
}

export const hash = ({ password, secret, cost }: HashTask): string => hashSync(password, { ...cost, secret })

export function verify({ password, secret, passwordHash, decoys }: VerifyTask): boolean {
  if (verifySync(passwordHash, password, { secret })) return true
  for (const decoy of decoys) verifySync(decoy, password, { secret })
  return false
}
