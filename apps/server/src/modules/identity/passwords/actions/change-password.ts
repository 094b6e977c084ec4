import type { changePassword as route } from '@muripo/contract/account'
import type { Body } from '@muripo/contract/route'
import { reasonOf } from '@muripo/locales/errors'
import { callerActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError, invalidFieldFor } from '../../../../platform/errors.ts'
import { browserName, occasion, type Visitor } from '../../devices/visitor.ts'
import { passwordChangedMail } from '../../emails.ts'
import { findAccount, lockAccount, updatePassword } from '../../persons/store-persons.ts'
import { endAccess } from '../../sessions/actions/end-sessions.ts'
import type { SessionCaller } from '../../sessions/session-auth.ts'
import { isLive } from '../../sessions/sessions.ts'
import { lockSession } from '../../sessions/store-sessions.ts'
import { enforceThrottle, throttles } from '../../throttles.ts'
import { hashPassword } from '../hashing.ts'
import { confirmPassword } from '../password-attempts.ts'
import { refuseCommonPassword, refuseOwnWords } from '../password-rules.ts'

/**
 * A session alone does not change the password, because it may be stolen. The old password is required, and attempts at it count with those
 * of sign-ins. Afterwards only the requesting session is left.
 */
export async function changePassword(
  ctx: Ctx,
  caller: SessionCaller,
  { currentPassword, newPassword }: Body<typeof route>,
  visitor: Visitor,
): Promise<{ message: string }> {
  const { merchantId, personId } = caller
  const owner = await findAccount(ctx.db.kysely, personId)
  await refuseCommonPassword('newPassword', newPassword)
  refuseOwnWords('newPassword', newPassword, owner)

  if (!(await confirmPassword(ctx, owner, currentPassword, visitor))) throw wrongPassword()

  await enforceThrottle(ctx, throttles.passwordChanges, personId)
  const passwordHash = await hashPassword(ctx, newPassword)
  await ctx.db.tx(async (tx) => {
    const locked = await lockAccount(tx, personId)
    const now = ctx.clock.now()
    // A concurrent call may have set another password or ended this session.
    if (locked.passwordHash !== owner.passwordHash) throw wrongPassword()
    const session = await lockSession(tx, caller)
    if (session === null || !isLive(session, now)) throw new AppError('session_invalid')
    await updatePassword(tx, personId, passwordHash)
    const sessions = await endAccess(tx, personId, 'password_changed', now, caller.sessionId)
    await audit(ctx, tx, callerActor(caller, { ip: visitor.address, id: visitor.requestId }), {
      action: 'account.password_changed',
      subject: merchantId,
      accountId: merchantId,
      details: { browser: browserName(visitor.userAgent), sessions },
    })
    await ctx.mailer.send(
      tx,
      passwordChangedMail(locked, occasion(visitor, now, locked.timeZone, locked.locale)),
    )
  })
  return { message: 'Password changed. Every other device was signed out.' }
}

const wrongPassword = () => invalidFieldFor('currentPassword', reasonOf('currentPasswordNotCorrect'))
