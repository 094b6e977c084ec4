import { MerchantId } from '@muripo/contract/ids'
import { z } from 'zod'
import { visitorActor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Job } from '../../../platform/jobs/jobs.ts'
import { browserName } from '../devices/browser-name.ts'
import type { Visitor } from '../devices/visitor.ts'

const TASK = 'note-refused-try'
const RefusedTry = z.object({
  action: z.enum(['account.password_refused', 'account.code_refused', 'account.passkey_refused']),
  /** Null when nobody has the account. */
  merchantId: MerchantId.nullable(),
  subject: z.string(),
  address: z.string(),
  requestId: z.string(),
  browser: z.string(),
  at: z.iso.datetime(),
})
type RefusedTry = z.infer<typeof RefusedTry>

/**
 * Has a try that was refused written down. By a job, for those at nobody's account too: the answer must not take another time where
 * there is nothing to write.
 */
export function noteRefusedTry(
  ctx: Ctx,
  { address, requestId, userAgent }: Visitor,
  refused: Pick<RefusedTry, 'action' | 'merchantId' | 'subject'>,
): Promise<void> {
  const at = ctx.clock.now().toISOString()
  const payload = { ...refused, address, requestId, browser: browserName(userAgent), at }
  return ctx.db.tx((tx) => ctx.jobs.enqueue(tx, TASK, RefusedTry.parse(payload)))
}

export const refusedTryJob = (ctx: Ctx): Job => ({
  name: TASK,
  async run(payload) {
    const { action, merchantId, subject, browser, at, ...from } = RefusedTry.parse(payload)
    if (merchantId === null) return
    const then: Ctx = { ...ctx, clock: { now: () => new Date(at) } }
    const deed = { action, subject, merchantId, details: { browser } }
    await ctx.db.tx((tx) => audit(then, tx, visitorActor(from), deed))
  },
})
