import { OTP_LENGTH } from '@muripo/contract/constants'
import { OtpId } from '@muripo/contract/ids'
import { visitorActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Account } from '../../accounts/store-accounts.ts'
import { occasion, type Visitor } from '../../devices/visitor.ts'
import { attemptsAllowed, CODE_LIFE_MS, hashCode } from '../../one-time-codes/codes.ts'
import { insertCode } from '../../one-time-codes/store-codes.ts'
import type { RateLimitSubject } from '../../throttles.ts'
import { signInMail } from '../emails.ts'

interface Requester {
  readonly limitSubject: RateLimitSubject
  readonly visitor: Visitor
  /** The account knows devices, and this is none of them. */
  readonly isNewDevice: boolean
  /** The code whose place the new one takes. */
  readonly resendOf?: OtpId
}

/** Makes a sign-in code and mails it. */
export async function issueSignInCode(
  ctx: Ctx,
  tx: Tx,
  account: Account,
  { limitSubject, visitor, isNewDevice, resendOf }: Requester,
): Promise<OtpId> {
  const id = ctx.ids.next(OtpId)
  const code = ctx.ids.digits(OTP_LENGTH)
  const createdAt = ctx.clock.now()
  await insertCode(tx, {
    id,
    merchantId: account.id,
    purpose: 'signin',
    limitSubject,
    codeHash: hashCode(ctx, id, 'signin', code),
    attemptsAllowed: attemptsAllowed.signin,
    createdAt,
    expiresAt: plusMs(createdAt, CODE_LIFE_MS),
    ...(resendOf ? { resendOf } : {}),
  })
  await audit(ctx, tx, visitorActor(visitor), {
    action: 'account.code_issued',
    subject: id,
    accountId: account.id,
    details: { purpose: 'signin', ...(resendOf ? { resendOf } : {}) },
  })
  const locale = account.locale ?? visitor.locale
  await ctx.mailer.send(
    tx,
    signInMail({
      to: account.email,
      fullname: account.fullname,
      code,
      occasion: occasion(visitor, createdAt, account.timeZone, locale),
      locale,
      isNewDevice,
      isProven: account.isProven,
    }),
  )
  return id
}
