import type { RouteSpec } from '@muripo/contract/route'
import { SECOND_FACTOR_GRACE_DAYS } from '@muripo/contract/team'
import { plusMs } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { DAY_MS } from '../throttles.ts'
import { STEP_UP_MS } from './sessions.ts'
import type { MemberSession } from './store-sessions.ts'

/** The time from which the merchant requires a second factor of the member; null where it requires none. */
export const dueAt = ({ secondFactorSince: since }: Pick<MemberSession, 'secondFactorSince'>): Date | null =>
  since && plusMs(since, SECOND_FACTOR_GRACE_DAYS * DAY_MS)

/**
 * Where the merchant requires a second factor: refuses a member without one after the time of grace, except for what is the person's own,
 * and a call that moves money or trust, unless the person has entered the password or a code a moment ago.
 * @throws AppError second_factor_required, step_up_required
 */
export function requireSecondFactor(
  session: Pick<MemberSession, 'secondFactorSince' | 'hasSecondFactor' | 'authenticatedAt'>,
  { access, stepUp }: Pick<RouteSpec, 'access' | 'stepUp'>,
  now: Date,
): void {
  const due = dueAt(session)
  if (due === null || access === 'person' || access === 'anyone') return
  if (!session.hasSecondFactor && now >= due) throw new AppError('second_factor_required')
  const { authenticatedAt } = session
  if (stepUp && (authenticatedAt === null || now >= plusMs(authenticatedAt, STEP_UP_MS)))
    throw new AppError('step_up_required')
}
