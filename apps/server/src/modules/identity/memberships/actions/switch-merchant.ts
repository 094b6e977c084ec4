import type { Tokens } from '@muripo/contract/auth'
import type { MerchantId } from '@muripo/contract/ids'
import { callerActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { browserName, type Visitor } from '../../devices/visitor.ts'
import type { SessionCaller } from '../../sessions/session-auth.ts'
import { openSession } from '../../sessions/sessions.ts'
import { endSessionsOf, lockSession } from '../../sessions/store-sessions.ts'
import { enforceThrottle, throttles } from '../../throttles.ts'
import { findMembership } from '../store-team.ts'

/**
 * Opens a session for another merchant of the person, and ends the session of the call.
 * @throws AppError not_found, rate_limited
 */
export async function switchMerchant(
  ctx: Ctx,
  caller: SessionCaller,
  merchantId: MerchantId,
  visitor: Visitor,
  confirm: (tx: Tx) => Promise<void>,
): Promise<Tokens> {
  const { personId, sessionId: former } = caller
  const request = { ip: visitor.address, id: visitor.requestId }
  await enforceThrottle(ctx, throttles.switchMerchant, personId)
  return ctx.db.tx(async (tx) => {
    await confirm(tx)
    const session = await lockSession(tx, caller)
    if (session === null) throw new AppError('session_invalid')
    if (!(await findMembership(tx, merchantId, personId))) throw new AppError('not_found')
    await endSessionsOf(
      tx,
      { merchantId: caller.merchantId, sessionId: former },
      'signed_out',
      ctx.clock.now(),
    )
    await audit(ctx, tx, callerActor(caller, request), {
      action: 'session.signed_out',
      subject: former,
      accountId: caller.merchantId,
    })
    const opened = { merchantId, personId }
    const { sessionId, tokens } = await openSession(ctx, tx, opened, visitor, session.authenticatedAt)
    await audit(ctx, tx, callerActor({ merchantId, personId, sessionId }, request), {
      action: 'session.opened',
      subject: sessionId,
      accountId: merchantId,
      details: { browser: browserName(visitor.userAgent) },
    })
    return tokens
  })
}
