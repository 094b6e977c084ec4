import type { RouteSpec } from '@muripo/contract/route'
import { SECOND_FACTOR_GRACE_DAYS } from '@muripo/contract/team'
import { reasonOf } from '@muripo/locales/errors'
import { plusMs } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { DAY_MS } from '../throttles.ts'
import { STEP_UP_MS } from './sessions.ts'
import type { MemberSession } from './store-sessions.ts'

/** The time from which a requirement holds for a member; null without the requirement. */
export const dueAt = (since: Date | null): Date | null =>
  since && plusMs(since, SECOND_FACTOR_GRACE_DAYS * DAY_MS)

type Requirements = Pick<
  MemberSession,
  'secondFactorSince' | 'hasSecondFactor' | 'passkeySince' | 'hasPasskey' | 'authenticatedAt'
>

/**
 * Where the merchant requires a second factor or a passkey: refuses a member without it after the time of grace, except for what is the
 * person's own, and each call that moves money or trust, unless the person has entered the password or a code a moment ago.
 * @throws AppError second_factor_required, step_up_required
 */
export function requireSecondFactor(
  { secondFactorSince, hasSecondFactor, passkeySince, hasPasskey, authenticatedAt }: Requirements,
  { access, stepUp }: Pick<RouteSpec, 'access' | 'stepUp'>,
  now: Date,
): void {
  if (access === 'anyone') return
  if (access !== 'person') {
    if (!hasSecondFactor && isPast(dueAt(secondFactorSince), now))
      throw new AppError('second_factor_required')
    if (!hasPasskey && isPast(dueAt(passkeySince), now))
      throw new AppError('second_factor_required', { reason: reasonOf('passkeyRequired') })
  }
  if (secondFactorSince === null && passkeySince === null) return
  if (stepUp && (authenticatedAt === null || now >= plusMs(authenticatedAt, STEP_UP_MS)))
    throw new AppError('step_up_required')
}

const isPast = (time: Date | null, now: Date): boolean => time !== null && now >= time
