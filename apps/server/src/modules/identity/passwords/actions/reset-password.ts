import type { OtpId, PersonId } from '@muripo/contract/ids'
import { visitorActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { upsertDevice } from '../../devices/store-devices.ts'
import { browserName, type Device, issuedDevice, occasion, type Visitor } from '../../devices/visitor.ts'
import { removeDiscarded } from '../../documents/actions/discard-documents.ts'
import { passwordSetMail } from '../../emails.ts'
import { deleteUnprovenAccount } from '../../merchants/store-unproven.ts'
import { hashLink } from '../../one-time-codes/codes.ts'
import { findResetLink, useResetLink } from '../../one-time-codes/store-codes.ts'
import {
  type Account,
  findAccountOrNull,
  lockAccountOrNull,
  updatePassword,
} from '../../persons/store-persons.ts'
import { endAccess } from '../../sessions/actions/end-sessions.ts'
import { hashPassword } from '../hashing.ts'
import { clearUnrecognisedFailures } from '../password-attempts.ts'
import { refuseCommonPassword, refuseOwnWords } from '../password-rules.ts'

/**
 * Sets a new password with the mailed link. The token has 256 random bits: there is nothing to guess, so no attempt is counted and no
 * unrecognised device can use up the attempts of the owner. A password that is refused does not end the link.
 */
export async function resetPassword(
  ctx: Ctx,
  input: { token: string; newPassword: string },
  visitor: Visitor,
): Promise<{ message: string; device: Device }> {
  await refuseCommonPassword('newPassword', input.newPassword)
  const found = await findResetLink(ctx.db.kysely, hashLink(ctx, input.token))
  if (found === null) throw expired()
  const { otpId } = found
  const proof = { ...found, step: 'link', use: (tx: Tx) => useResetLink(tx, otpId), expired } as const
  const device = await replacePassword(ctx, proof, input.newPassword, visitor)
  return { message: 'Password updated. Please sign in.', device }
}

const expired = () => new AppError('reset_link_expired')

/** The proof that the caller reads the account's mail. */
export interface ResetProof {
  readonly otpId: OtpId
  readonly personId: PersonId
  readonly step: 'code' | 'link'
  /** Ends the code and the link; false when another request was first. */
  use(tx: Tx): Promise<boolean>
  /** The refusal when it cannot be used any more. */
  expired(): AppError
}

/**
 * Sets a new password and ends all sessions and codes of the old one. It opens no session.
 * An account that is not proven is deleted instead: another person may have opened it with this address and with a document of their own,
 * and the reader of the mail must not trade under that document.
 */
export async function replacePassword(
  ctx: Ctx,
  proof: ResetProof,
  newPassword: string,
  visitor: Visitor,
): Promise<Device> {
  const { personId, otpId, step } = proof
  const owner = await findAccountOrNull(ctx.db.kysely, personId)
  if (owner === null) throw proof.expired()
  if (!owner.isProven && (await removeAccount(ctx, proof, owner, visitor)))
    throw new AppError('account_removed')
  refuseOwnWords('newPassword', newPassword, owner)
  const passwordHash = await hashPassword(ctx, newPassword)
  const device = await ctx.db.tx(async (tx) => {
    const locked = await lockAccountOrNull(tx, personId)
    const now = ctx.clock.now()
    if (locked === null || !(await proof.use(tx))) throw proof.expired()
    await updatePassword(tx, personId, passwordHash)
    await endAccess(tx, personId, 'password_reset', now)
    // The browser of the mail's reader becomes a recognised device, so that failures of unrecognised devices do not lock the reader out.
    const stored = await issuedDevice(ctx, tx, visitor)
    await upsertDevice(tx, personId, stored.hash, now)
    await audit(ctx, tx, visitorActor(visitor), {
      action: 'account.password_reset',
      subject: locked.merchantId,
      accountId: locked.merchantId,
      details: { browser: browserName(visitor.userAgent), otpId, step },
    })
    await ctx.mailer.send(tx, passwordSetMail(locked, occasion(visitor, now, locked.timeZone, locked.locale)))
    return stored
  })
  await clearUnrecognisedFailures(ctx, owner.canonicalEmail)
  return device
}

/** False when the account was proven in the meantime. */
async function removeAccount(
  ctx: Ctx,
  proof: ResetProof,
  { merchantId, personId }: Account,
  visitor: Visitor,
): Promise<boolean> {
  const { otpId, step } = proof
  const document = await ctx.db.tx(async (tx) => {
    const locked = await lockAccountOrNull(tx, personId)
    if (locked?.isProven) return null
    if (locked === null || !(await proof.use(tx))) throw proof.expired()
    const released = await deleteUnprovenAccount(tx, merchantId, { onlyOverdue: false })
    await audit(ctx, tx, visitorActor(visitor), {
      action: 'account.deleted_unproven',
      subject: merchantId,
      accountId: merchantId,
      details: { reason: 'password reset', otpId, step },
    })
    return released
  })
  if (document === null) return false
  await removeDiscarded(ctx, [document])
  return true
}
