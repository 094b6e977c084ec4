import type { PasskeyId } from '@muripo/contract/ids'
import { type Actor, callerActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import { browserName, occasion, type Visitor } from '../../devices/visitor.ts'
import { passkeyRemovedMail } from '../../emails.ts'
import { requirePassword } from '../../passwords/password-attempts.ts'
import type { SessionCaller } from '../../sessions/session-auth.ts'
import { deletePasskey, type Passkey, updateName } from '../store-passkeys.ts'

export async function renamePasskey(
  ctx: Ctx,
  actor: Actor,
  { merchantId, personId }: SessionCaller,
  { id, name }: { id: PasskeyId; name: string },
): Promise<Passkey> {
  return ctx.db.tx(async (tx) => {
    const passkey = await updateName(tx, personId, id, name)
    if (passkey === null) throw new AppError('not_found')
    await audit(ctx, tx, actor, { action: 'account.passkey_renamed', subject: id, accountId: merchantId })
    return passkey
  })
}

export async function removePasskey(
  ctx: Ctx,
  caller: SessionCaller,
  { id, password }: { id: PasskeyId; password: string },
  visitor: Visitor,
): Promise<void> {
  const { merchantId, personId } = caller
  const account = await requirePassword(ctx, personId, password, visitor)
  await ctx.db.tx(async (tx) => {
    const passkey = await deletePasskey(tx, personId, id)
    if (passkey === null) throw new AppError('not_found')
    await audit(ctx, tx, callerActor(caller, { ip: visitor.address, id: visitor.requestId }), {
      action: 'account.passkey_removed',
      subject: id,
      accountId: merchantId,
      details: { browser: browserName(visitor.userAgent) },
    })
    const at = occasion(visitor, ctx.clock.now(), account.timeZone, account.locale)
    await ctx.mailer.send(tx, passkeyRemovedMail(account, passkey.name, at))
  })
}
