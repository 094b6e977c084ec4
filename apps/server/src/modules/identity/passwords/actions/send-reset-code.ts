import { OTP_LENGTH } from '@muripo/contract/constants'
import { locales } from '@muripo/contract/enums'
import { OtpId } from '@muripo/contract/ids'
import { z } from 'zod'
import { visitorActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Job } from '../../../../platform/jobs/jobs.ts'
import { hasDevices, isDeviceOf } from '../../devices/store-devices.ts'
import { occasion } from '../../devices/visitor.ts'
import { passwordResetMail, unprovenResetMail } from '../../emails.ts'
import { hashCode, hashLink, newLinkToken, nextCodeAt } from '../../one-time-codes/codes.ts'
import { claimResetCode, deleteOwnerlessCodes } from '../../one-time-codes/store-codes.ts'
import { accountByEmail, lockAccountOrNull } from '../../persons/store-persons.ts'
import { DAY_MS } from '../../throttles.ts'

const TASK = 'send-reset-code'
const ResetRequest = z.object({
  otpId: OtpId,
  email: z.string(),
  /** The hash of the requesting device in hexadecimal, recognised or not. */
  device: z.string().nullable(),
  address: z.string(),
  requestId: z.string(),
  userAgent: z.string(),
  /** Absent from a job of an earlier version. */
  locale: z.enum(locales).default('en'),
  at: z.iso.datetime(),
})
type ResetRequest = z.infer<typeof ResetRequest>

export const enqueueResetCode = (ctx: Ctx, tx: Tx, request: ResetRequest): Promise<void> =>
  ctx.jobs.enqueue(tx, TASK, request, { maxAttempts: 8 })

export const resetCodeJob = (ctx: Ctx): Job => ({
  name: TASK,
  run: (payload) => sendResetCode(ctx, ResetRequest.parse(payload)),
})

/**
 * Assigns the code of `forgotPassword` to the account of the email, if there is one, and mails it, once. Anybody can request codes for any
 * email, so the number of mails is limited.
 */
async function sendResetCode(ctx: Ctx, request: ResetRequest): Promise<void> {
  const { otpId, email } = request
  const device = request.device === null ? null : Buffer.from(request.device, 'hex')
  await deleteOwnerlessCodes(ctx.db.kysely, plusMs(ctx.clock.now(), -DAY_MS))
  const found = await accountByEmail(ctx.db.kysely, email)
  if (found === null) return

  await ctx.db.tx(async (tx) => {
    const account = await lockAccountOrNull(tx, found.personId)
    if (account === null) return
    const limitSubject = (await isDeviceOf(tx, account.personId, device)) ? device : null
    if (
      (await nextCodeAt(ctx, tx, { personId: account.personId, purpose: 'password_reset', limitSubject })) !==
      null
    )
      return
    const code = ctx.ids.digits(OTP_LENGTH)
    const codeHash = hashCode(ctx, otpId, 'password_reset', code)
    const token = newLinkToken(ctx)
    const owner = { personId: account.personId, limitSubject, codeHash, linkHash: hashLink(ctx, token) }
    if (!(await claimResetCode(tx, otpId, owner, ctx.clock.now()))) return
    await audit(ctx, tx, visitorActor(request), {
      action: 'account.code_issued',
      subject: otpId,
      accountId: account.merchantId,
      details: { purpose: 'password_reset' },
    })
    const locale = account.locale ?? request.locale
    const mail = account.isProven ? passwordResetMail : unprovenResetMail
    await ctx.mailer.send(
      tx,
      mail({
        // Browsers do not send the fragment, so the token is in no log and no referrer.
        link: `${ctx.config.publicUrl}/auth/password/reset#${token}`,
        to: account.email,
        fullname: account.fullname,
        code,
        occasion: occasion(request, new Date(request.at), account.timeZone, locale),
        locale,
        isNewDevice: limitSubject === null && (await hasDevices(tx, account.personId)),
      }),
    )
  })
}
