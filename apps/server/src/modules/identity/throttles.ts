import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../platform/ctx.ts'
import type { Queryable } from '../../platform/db/database.ts'
import {
  type Admit,
  addressUses,
  admitPerAddress,
  type Occasion,
  refuseSpent,
} from '../../platform/limits/admit.ts'
import { type Limit, restoreQuota, takeAll, type Use } from '../../platform/limits/limits.ts'
import { isKnownDevice } from './devices/store-devices.ts'
import { deviceOf } from './devices/visitor.ts'
import type { LockoutPolicy } from './passwords/store-lockouts.ts'

const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/**
 * The uses that are counted together.
 * - `address`: of an address; a recognised device has a quota of its own when its address has none left
 * - `network`: of an address and of the IPv4 /24 around it; a recognised device adds no quota
 * - `unrecognised address`: of all unrecognised devices at an address, over all accounts
 * - `device`: of a recognised device at an account, or of all unrecognised devices at an account
 */
type Subject = 'address' | 'network' | 'unrecognised address' | 'account' | 'device' | 'session' | 'code'

/** Where the uses are counted. Counts in memory hold for one process, all others for all processes. */
type Counter = 'rate_limits' | 'one_time_codes' | 'memory'

export interface Throttle extends Limit {
  readonly subject: Subject
  readonly counter: Counter
  readonly protects: string
  /** The end of "Please wait 20 seconds before …", or another answer. */
  readonly refusal: Occasion | 'otp_expired' | 'no email'
}

/** The end of the sentence about a wait. */
export const occasionOf = ({ refusal }: Pick<Throttle, 'refusal'>): Occasion =>
  refusal === 'otp_expired' || refusal === 'no email' ? 'you try again' : refusal

const throttle =
  (counter: Counter, subject: Subject) =>
  (
    name: string,
    quota: number,
    windowMs: number,
    protects: string,
    refusal: Throttle['refusal'] = 'you try again',
  ): Throttle => ({
    name,
    quota,
    windowMs,
    subject,
    counter,
    protects,
    refusal,
  })

const byAddress = throttle('rate_limits', 'address')
const byNetwork = throttle('rate_limits', 'network')
const byUnrecognisedAddress = throttle('rate_limits', 'unrecognised address')
const byAccount = throttle('rate_limits', 'account')
const byDevice = throttle('rate_limits', 'device')
const codesOfDevice = throttle('one_time_codes', 'device')
const attemptsAtCode = throttle('one_time_codes', 'code')
const inMemory = (subject: Subject) => throttle('memory', subject)

const GUESSES = 'codes and passwords from guesses'
const MAILBOX = 'a mailbox from a flood of codes'
const ANOTHER_CODE = 'you ask for another code'
const ENTER_CODE = 'you enter another code'

/** Every throttle of identity. The table in docs/security.md lists the same. */
export const throttles = {
  config: inMemory('address')('config', 600, MINUTE_MS, 'the processor from repeated reads'),
  signUp: byNetwork('sign-up', 5, HOUR_MS, 'the database from accounts in bulk'),
  upload: byNetwork('upload', 5, HOUR_MS, 'the disk from documents in bulk'),
  uploadDay: byNetwork('upload-day', 20, DAY_MS, 'the disk from documents in bulk'),
  signIn: byAddress('sign-in', 20, MINUTE_MS, GUESSES),
  verifyCode: byAddress('verify-code', 20, MINUTE_MS, GUESSES),
  requestPasskey: byAddress('ask-for-passkey', 20, MINUTE_MS, 'the database from challenges in bulk'),
  verifyPasskey: byAddress('verify-passkey', 20, MINUTE_MS, 'the processor from signatures in bulk'),
  resendCode: byAddress('resend-code', 20, MINUTE_MS, MAILBOX),
  forgotPassword: byAddress('forgot-password', 10, HOUR_MS, MAILBOX),
  setNewPassword: byAddress('set-password', 20, MINUTE_MS, GUESSES),
  refresh: byAddress('refresh', 120, MINUTE_MS, 'the database from repeated refreshes'),
  signOut: byAddress('sign-out', 60, MINUTE_MS, 'the database from repeated calls'),

  codesByAddress: byUnrecognisedAddress(
    'codes-by-address',
    20,
    HOUR_MS,
    'mailboxes of many accounts',
    ANOTHER_CODE,
  ),
  wrongCodesByAddress: byUnrecognisedAddress(
    'wrong-codes-by-address',
    30,
    HOUR_MS,
    'codes of many accounts from guesses',
    ENTER_CODE,
  ),
  wrongCodes: byDevice('wrong-codes', 10, HOUR_MS, 'sign-in codes of one account from guesses', ENTER_CODE),
  wrongCodesDay: byDevice(
    'wrong-codes-day',
    50,
    DAY_MS,
    'sign-in codes of one account from guesses',
    ENTER_CODE,
  ),
  wrongResetCodes: byDevice(
    'wrong-reset-codes',
    9,
    DAY_MS,
    'reset codes of one account from guesses',
    ENTER_CODE,
  ),
  codeAttempts: attemptsAtCode(
    'code-attempts',
    5,
    10 * MINUTE_MS,
    'one sign-in code from guesses',
    'otp_expired',
  ),
  resetCodeAttempts: attemptsAtCode(
    'reset-code-attempts',
    3,
    10 * MINUTE_MS,
    'one reset code from guesses',
    'otp_expired',
  ),
  unusedCodes: codesOfDevice('unused-codes', 10, HOUR_MS, MAILBOX, ANOTHER_CODE),
  unusedCodesDay: codesOfDevice('unused-codes-day', 20, DAY_MS, MAILBOX, ANOTHER_CODE),
  unusedResetCodes: codesOfDevice('unused-reset-codes', 5, HOUR_MS, MAILBOX, 'no email'),
  unusedResetCodesDay: codesOfDevice('unused-reset-codes-day', 10, DAY_MS, MAILBOX, 'no email'),
  resends: codesOfDevice('resends', 5, HOUR_MS, MAILBOX, ANOTHER_CODE),
  resendPause: codesOfDevice('resend-pause', 1, 20 * SECOND_MS, MAILBOX, ANOTHER_CODE),

  passwordChanges: byAccount(
    'change-password',
    10,
    HOUR_MS,
    'the hashing threads and the mailbox',
    'you change your password again',
  ),
  accountChanges: byAccount(
    'change-account',
    60,
    HOUR_MS,
    'the audit log from changes in bulk',
    'you change your account again',
  ),
  invitations: byAccount('invite', 60, HOUR_MS, 'mailboxes of strangers from invitations'),
  teamChanges: byAccount('change-team', 120, HOUR_MS, 'the audit log from changes in bulk'),
  showInvitation: byAddress('show-invitation', 30, MINUTE_MS, 'the database from repeated reads'),
  joinByInvitation: byAddress('join-by-invitation', 20, MINUTE_MS, 'the hashing threads'),
  keyChanges: byAccount('change-keys', 120, HOUR_MS, 'the audit log from changes in bulk'),
  leakedKeys: byAddress('report-leaked-key', 10, MINUTE_MS, 'the database from look-ups of keys'),
  switchMerchant: byAccount('switch-merchant', 120, HOUR_MS, 'the database from sessions in bulk'),
  factorChanges: byAccount('change-factors', 60, HOUR_MS, 'the audit log and the mailbox'),
  refreshesOfSession: throttle('rate_limits', 'session')(
    'refresh-session',
    120,
    HOUR_MS,
    'the database from one session',
  ),
  callsOfSession: inMemory('session')('session', 200, 10 * SECOND_MS, 'other merchants from one session'),
  callsOfMerchant: inMemory('account')(
    'merchant',
    500,
    10 * SECOND_MS,
    'other merchants from all sessions of one',
  ),
} as const satisfies Record<string, Throttle>

/** Wrong passwords lead to waits. The second table in docs/security.md lists the same. */
export const accountLockout: LockoutPolicy = {
  freeFailures: 2,
  lockedAt: 10,
  maxWaitMs: 30 * MINUTE_MS,
  resetAfterMs: DAY_MS,
}

const addressFailures: LockoutPolicy = {
  freeFailures: 2,
  lockedAt: 9,
  maxWaitMs: MINUTE_MS,
  resetAfterMs: 15 * MINUTE_MS,
}

/**
 * An address may serve a whole town, so it is slowed down and never locked for long.
 * @param share the multiple of an address's failures that a wider network may have
 */
export function addressLockout(ctx: Ctx, share = 1): LockoutPolicy {
  const { freeFailures, lockedAt } = addressFailures
  const free = (freeFailures + 1) * share * ctx.config.rateLimitFactor - 1
  return { ...addressFailures, freeFailures: free, lockedAt: free + lockedAt - freeFailures }
}

/** Attempts at an account are counted for each recognised device, by its hash, and together for all unrecognised devices, as null. */
export type RateLimitSubject = Buffer | null

export const subjectName = (subject: RateLimitSubject): string =>
  subject === null ? 'unrecognised devices' : `device ${subject.toString('hex')}`

/**
 * Counts a call of an address before the call is read. A recognised device has a quota of its own when its address has none left, except
 * at calls that are counted for networks: anybody can make recognised devices.
 */
export const admitByThrottle = (ctx: Ctx, ...throttles: readonly Throttle[]): Admit =>
  admitPerAddress(
    ctx,
    throttles,
    throttles.some(({ subject }) => subject === 'network')
      ? { ipv4Networks: true }
      : { apart: (request) => recognisedDevice(ctx, request) },
  )

async function recognisedDevice(ctx: Ctx, request: FastifyRequest): Promise<string | null> {
  const device = deviceOf(ctx, request.headers.cookie)
  const isKnown = device !== null && (await isKnownDevice(ctx.db.kysely, device.hash))
  return isKnown ? `device ${device.hash.toString('hex')}` : null
}

/**
 * Counts a use of an account or a session.
 * @throws AppError rate_limited
 */
export const enforceThrottle = (ctx: Ctx, throttle: Throttle, by: string): Promise<CountedUse> =>
  countUses(ctx, ctx.db.kysely, throttle, [{ limit: throttle, by }])

/**
 * Counts a use of an address and of the networks around it.
 * @throws AppError rate_limited
 */
export const enforceAddressThrottle = (
  ctx: Ctx,
  q: Queryable,
  throttle: Throttle,
  address: string,
): Promise<CountedUse> => countUses(ctx, q, throttle, addressUses(ctx, throttle, address))

export interface CountedUse {
  /** Restores the quota that the use has taken. */
  release(): Promise<void>
}

/** Counts all uses of one attempt, or none when one of them is refused. */
export async function countUses(
  ctx: Ctx,
  q: Queryable,
  throttle: Pick<Throttle, 'refusal'>,
  uses: readonly Use[],
): Promise<CountedUse> {
  refuseSpent(await takeAll(ctx, q, uses), ctx.clock.now(), occasionOf(throttle))
  return { release: () => restoreQuota(ctx, ctx.db.kysely, uses) }
}
