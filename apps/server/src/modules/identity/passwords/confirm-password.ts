import type { Ctx } from '../../../platform/ctx.ts'
import type { Account } from '../accounts/store-accounts.ts'
import { knowsDevice } from '../devices/store-devices.ts'
import type { Visitor } from '../devices/visitor.ts'
import { noteRefusedTry } from './refused-try.ts'
import { tryPassword } from './try-password.ts'

/** Asks who is signed in for the password once more: whoever has stolen a token does not know it. */
export async function confirmPassword(
  ctx: Ctx,
  { id: merchantId, canonicalEmail: email, passwordHash }: Account,
  password: string,
  visitor: Visitor,
): Promise<boolean> {
  const device = visitor.device?.hash ?? null
  const party = (await knowsDevice(ctx.db.kysely, merchantId, device)) ? device : null
  const isRight = await tryPassword(ctx, { email, passwordHash, party }, password, visitor.address)
  if (!isRight)
    await noteRefusedTry(ctx, visitor, {
      action: 'account.password_refused',
      merchantId,
      subject: merchantId,
    })
  return isRight
}
