import type { MerchantId, PasskeyId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import { type Passkey, updateName } from '../store-passkeys.ts'

export async function renamePasskey(
  ctx: Ctx,
  actor: Actor,
  merchantId: MerchantId,
  { id, name }: { id: PasskeyId; name: string },
): Promise<Passkey> {
  return ctx.db.tx(async (tx) => {
    const passkey = await updateName(tx, merchantId, id, name)
    if (passkey === null) throw new AppError('not_found')
    await audit(ctx, tx, actor, { action: 'account.passkey_renamed', subject: id, accountId: merchantId })
    return passkey
  })
}
