import type { PasskeyId } from '@muripo/contract/ids'
import { reasonOf } from '@muripo/locales/errors'
import { type Actor, callerActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError, invalidFieldFor } from '../../../../platform/errors.ts'
import { browserName, occasion, type Visitor } from '../../devices/visitor.ts'
import { passkeyRemovedMail } from '../../emails.ts'
import { confirmPassword } from '../../passwords/password-attempts.ts'
import { findAccount } from '../../persons/store-persons.ts'
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
  const account = await findAccount(ctx.db.kysely, personId)
  if (!(await confirmPassword(ctx, account, password, visitor)))
    throw invalidFieldFor('password', reasonOf('passwordNotCorrect'))
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
