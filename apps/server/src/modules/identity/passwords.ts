import { hash, verify } from '@node-rs/argon2'
import type { Ctx } from '../../platform/ctx.ts'
import { createGate } from './gate.ts'

const cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }

// Each hash holds 46 MiB and a thread, and anybody may ask for one.
const gate = createGate({ atOnce: 2, waiting: 50 })

const zeros = (bytes: number): string => Buffer.alloc(bytes).toString('base64').replace(/=+$/, '')

/** A hash that no password has. Checking against it takes the time of a real check, so time does not tell who has an account. */
export const decoyHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${zeros(16)}$${zeros(32)}`

export const hashPassword = (ctx: Ctx, password: string): Promise<string> =>
  gate(() => hash(password, { ...cost, secret: ctx.keys.passwordPepper }))

export const verifyPassword = (ctx: Ctx, passwordHash: string, password: string): Promise<boolean> =>
  gate(() => verify(passwordHash, password, { secret: ctx.keys.passwordPepper }))
