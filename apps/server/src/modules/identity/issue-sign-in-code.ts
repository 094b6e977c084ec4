import { OTP_LENGTH } from '@muripo/contract/constants'
import { OtpId } from '@muripo/contract/ids'
import { plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Tx } from '../../platform/db/database.ts'
import { insertCode } from './code-store.ts'
import { CODE_LIFE_MS, hashCode, triesAllowed } from './codes.ts'
import { signInMail } from './sign-in-mail.ts'
import type { Account } from './store.ts'

/** Makes a sign-in code and mails it; `resendOf` is the code whose place it takes. */
export async function issueSignInCode(ctx: Ctx, tx: Tx, account: Account, resendOf?: OtpId): Promise<OtpId> {
  const id = ctx.ids.next(OtpId)
  const code = ctx.ids.digits(OTP_LENGTH)
  const createdAt = ctx.clock.now()
  await insertCode(tx, {
    id,
    merchantId: account.id,
    purpose: 'signin',
    codeHash: hashCode(ctx, id, 'signin', code),
    triesAllowed: triesAllowed.signin,
    createdAt,
    expiresAt: plusMs(createdAt, CODE_LIFE_MS),
    ...(resendOf ? { resendOf } : {}),
  })
  await ctx.mailer.send(tx, signInMail(account.email, account.fullname, code))
  return id
}
