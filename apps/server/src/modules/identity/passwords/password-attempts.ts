import type { PersonId } from '@muripo/contract/ids'
import { reasonOf } from '@muripo/locales/errors'
import { hmac } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { invalidFieldFor } from '../../../platform/errors.ts'
import { networksOf } from '../../../platform/http/network.ts'
import { tooSoon } from '../../../platform/limits/admit.ts'
import { recognisedDevice, type Visitor } from '../devices/visitor.ts'
import { type Account, findAccount } from '../persons/store-persons.ts'
import { recordRefusedAttempt } from '../refused-attempts.ts'
import { accountLockout, addressLockout, type RateLimitSubject, subjectName } from '../throttles.ts'
import { checkPassword } from './hashing.ts'
import { claimAttempt, clearFailures, type LockoutKey, releaseAttempt } from './store-lockouts.ts'

interface AttemptedAccount {
  /** In the canonical spelling of the database. */
  readonly email: string
  /** Null when no account has the email. */
  readonly passwordHash: string | null
  readonly limitSubject: RateLimitSubject
}

/** Checks a password. Every check of the product goes through here, so that all attempts at an account are counted together. */
export async function attemptPassword(
  ctx: Ctx,
  { email, passwordHash, limitSubject }: AttemptedAccount,
  password: string,
  address: string,
): Promise<boolean> {
  const attempt = await claimPasswordAttempt(ctx, email, limitSubject, address)
  const isRight = await checkPassword(ctx, passwordHash, password).catch(async (error: unknown) => {
    await attempt.release()
    throw error
  })
  if (isRight) await attempt.succeed()
  return isRight
}

/** Checks the password of a signed-in merchant again: a stolen token does not reveal it. */
export async function confirmPassword(
  ctx: Ctx,
  { personId, canonicalEmail: email, passwordHash }: Account,
  password: string,
  visitor: Visitor,
): Promise<boolean> {
  const limitSubject = await recognisedDevice(ctx.db.kysely, personId, visitor)
  const isRight = await attemptPassword(ctx, { email, passwordHash, limitSubject }, password, visitor.address)
  if (!isRight)
    await recordRefusedAttempt(ctx, visitor, { action: 'account.password_refused', personId, subject: null })
  return isRight
}

/**
 * Checks the password that a change of the account requires, in the field `password`.
 * @throws AppError validation_failed, rate_limited
 */
export async function requirePassword(
  ctx: Ctx,
  personId: PersonId,
  password: string,
  visitor: Visitor,
): Promise<Account> {
  const account = await findAccount(ctx.db.kysely, personId)
  if (!(await confirmPassword(ctx, account, password, visitor)))
    throw invalidFieldFor('password', reasonOf('passwordNotCorrect'))
  return account
}

/** A password set with a mailed code or link clears the failures of unrecognised devices. */
export const clearUnrecognisedFailures = (ctx: Ctx, email: string): Promise<void> =>
  clearFailures(ctx.db.kysely, accountKey(ctx, email, null))

interface ClaimedAttempt {
  /** The password was not checked. */
  release(): Promise<void>
  /** The password was correct. */
  succeed(): Promise<void>
}

/**
 * Claims a password attempt. It counts as failed until it succeeds or is released. The key is the typed email, so that an email without
 * an account is slowed like one with an account; a recognised device is slowed by its own failures alone.
 */
async function claimPasswordAttempt(
  ctx: Ctx,
  email: string,
  limitSubject: RateLimitSubject,
  address: string,
): Promise<ClaimedAttempt> {
  const q = ctx.db.kysely
  const account = { key: accountKey(ctx, email, limitSubject), policy: accountLockout }
  const networks = limitSubject === null ? networkKeys(ctx, address) : []
  const freeAt = await claimAttempt(q, [account, ...networks], ctx.clock.now())
  if (freeAt !== null) throw tooSoon(freeAt, ctx.clock.now(), 'you try again')

  const keysOf = (lockouts: readonly LockoutKey[]) => lockouts.map(({ key }) => key)
  return {
    release: () =>
      releaseAttempt(q, { cleared: [], released: keysOf([account, ...networks]) }, ctx.clock.now()),
    // The networks keep their other failures: a correct password for one's own account must not clear failures at others' accounts.
    succeed: () => releaseAttempt(q, { cleared: [account.key], released: keysOf(networks) }, ctx.clock.now()),
  }
}

const accountKey = (ctx: Ctx, email: string, limitSubject: RateLimitSubject): Buffer =>
  hmac(ctx.keys.limitKey, `password of ${email} by ${subjectName(limitSubject)}`)

const networkKeys = (ctx: Ctx, address: string): LockoutKey[] =>
  networksOf(address).map(({ name, share }) => ({
    key: hmac(ctx.keys.limitKey, `password by address ${name}`),
    policy: addressLockout(ctx, share),
  }))
