import type { MerchantId } from '@muripo/contract/ids'
import { systemActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { removeDiscarded } from '../../documents/actions/discard-documents.ts'
import { deleteUnprovenAccount, overdueAccounts } from '../store-unproven.ts'

const AT_ONCE = 100

/**
 * Deletes accounts whose first sign-in code was not entered within 48 hours, one transaction each. Processes skip an account that another
 * one deletes or that signs in at this moment.
 */
export async function deleteUnprovenAccounts(ctx: Ctx): Promise<void> {
  let overdue: MerchantId[]
  let last: MerchantId | null = null
  do {
    overdue = await overdueAccounts(ctx.db.kysely, last, AT_ONCE)
    for (const merchantId of overdue) {
      try {
        await deleteOverdue(ctx, merchantId)
      } catch (error) {
        ctx.log.error({ err: error, merchant: merchantId }, 'an unproven account could not be deleted')
      }
    }
    last = overdue.at(-1) ?? null
  } while (overdue.length === AT_ONCE)
}

async function deleteOverdue(ctx: Ctx, merchantId: MerchantId): Promise<void> {
  const document = await ctx.db.tx(async (tx) => {
    const released = await deleteUnprovenAccount(tx, merchantId, { onlyOverdue: true })
    if (released === null) return null
    await audit(ctx, tx, systemActor('delete-unproven-accounts'), {
      action: 'account.deleted_unproven',
      subject: merchantId,
      accountId: merchantId,
      details: { reason: 'no sign-in code was entered in time' },
    })
    return released
  })
  if (document !== null) await removeDiscarded(ctx, [document])
}
