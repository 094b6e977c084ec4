import { OtpId } from '@muripo/contract/ids'
import { visitorActor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { parseId } from '../../../platform/ids.ts'
import { giveTryBack, spendTry, useCode } from '../codes/code-store.ts'
import { claimCodeTry } from '../codes/code-tries.ts'
import { isCode } from '../codes/codes.ts'
import { browserName } from '../devices/browser-name.ts'
import type { Device } from '../devices/device-cookie.ts'
import { rememberDevice } from '../devices/device-store.ts'
import type { Visitor } from '../devices/visitor.ts'
import { keptDevice } from '../devices/welcome-device.ts'
import { occasion } from '../mails/mail-words.ts'
import { passwordSetMail } from '../mails/password-changed-mail.ts'
import { refuseCommonPassword, refuseOwnWords } from '../passwords/password-rules.ts'
import { forgetStrangersTries } from '../passwords/password-tries.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { noteRefusedTry } from '../passwords/refused-try.ts'
import { endAccess } from '../sessions/sessions.ts'
import { type Account, findAccount, lockAccount, updatePassword } from '../store.ts'

/** Sets a new password with the mailed code, and with it ends everything that the old one opened. Signs nobody in. */
export async function setNewPassword(
  ctx: Ctx,
  input: { otpId: string; otp: string; newPassword: string },
  visitor: Visitor,
): Promise<{ message: string; device: Device }> {
  const id = parseId(OtpId, input.otpId)
  if (id === null) throw expired()
  refuseCommonPassword('newPassword', input.newPassword)

  // The try is spent and committed before the comparison: guesses that arrive together still count one by one.
  const spent = await spendTry(ctx.db.kysely, id, 'password_reset', ctx.clock.now())
  if (spent === null) throw expired()
  // Counted for the email that was typed, so that what nobody has runs out of tries like what somebody has.
  const account = spent.askedFor?.toString('hex') ?? id
  const claim = await claimCodeTry(
    ctx,
    { purpose: 'password_reset', account, party: spent.party },
    visitor.address,
  )
  const isRight = isCode(ctx, id, 'password_reset', input.otp, spent.codeHash)
  const { merchantId } = spent
  if (merchantId === null || !isRight) {
    await noteRefusedTry(ctx, visitor, { action: 'account.code_refused', merchantId, subject: id })
    throw new AppError('otp_invalid')
  }
  await claim.succeed()

  const owner = await findAccount(ctx.db.kysely, merchantId)
  const passwordHash = await newHash(ctx, input.newPassword, owner).catch(async (error: unknown) => {
    // The code was right and is still wanted: for another password, or when there is less to do.
    await giveTryBack(ctx.db.kysely, id)
    throw error
  })
  const device = await ctx.db.tx(async (tx) => {
    const locked = await lockAccount(tx, merchantId)
    const now = ctx.clock.now()
    if (!(await useCode(tx, id, now))) throw expired()
    await updatePassword(tx, merchantId, passwordHash)
    await endAccess(tx, merchantId, 'password_reset', now)
    // Who read the mail is no stranger: strangers' failures must not keep him from signing in here.
    const kept = await keptDevice(ctx, tx, visitor)
    await rememberDevice(tx, merchantId, kept.hash, now)
    await audit(ctx, tx, visitorActor(visitor), {
      action: 'account.password_reset',
      subject: merchantId,
      merchantId,
      details: { browser: browserName(visitor.userAgent), otpId: id },
    })
    await ctx.mailer.send(
      tx,
      passwordSetMail(locked.email, locked.fullname, occasion(visitor, now, locked.timeZone)),
    )
    return kept
  })
  await forgetStrangersTries(ctx, owner.canonicalEmail)
  return { message: 'Password updated. Please sign in.', device }
}

async function newHash(ctx: Ctx, password: string, owner: Account): Promise<string> {
  refuseOwnWords('newPassword', password, owner)
  return hashPassword(ctx, password)
}

const expired = () =>
  new AppError('otp_expired', { detail: 'The code has expired. Please ask for a new one' })
