import { PersonId } from '@muripo/contract/ids'
import { z } from 'zod'
import { visitorActor } from '../../platform/audit/actor.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { browserName, type Visitor } from './devices/visitor.ts'
import { findAccountOrNull } from './persons/store-persons.ts'

const TASK = 'record-refused-attempt'
const RefusedAttempt = z.object({
  action: z.enum(['account.password_refused', 'account.code_refused', 'account.passkey_refused']),
  /** Null when no account has the email. */
  personId: PersonId.nullable(),
  /** Null for the account itself. */
  subject: z.string().nullable(),
  address: z.string(),
  requestId: z.string(),
  browser: z.string(),
  at: z.iso.datetime(),
})
type RefusedAttempt = z.infer<typeof RefusedAttempt>

/**
 * Queues the audit entry of a refused attempt. A job is queued for an email without an account as well, so that the time of the answer
 * does not reveal which accounts exist.
 */
export function recordRefusedAttempt(
  ctx: Ctx,
  { address, requestId, userAgent }: Visitor,
  refused: Pick<RefusedAttempt, 'action' | 'personId' | 'subject'>,
): Promise<void> {
  const at = ctx.clock.now().toISOString()
  const payload = { ...refused, address, requestId, browser: browserName(userAgent), at }
  return ctx.db.tx((tx) => ctx.jobs.enqueue(tx, TASK, RefusedAttempt.parse(payload)))
}

export const refusedAttemptJob = (ctx: Ctx): Job => ({
  name: TASK,
  async run(payload) {
    const { action, personId, subject, browser, at, ...from } = RefusedAttempt.parse(payload)
    const account = personId && (await findAccountOrNull(ctx.db.kysely, personId))
    if (account === null) return
    const then: Ctx = { ...ctx, clock: { now: () => new Date(at) } }
    const { merchantId } = account
    const entry = { action, subject: subject ?? merchantId, accountId: merchantId, details: { browser } }
    await ctx.db.tx((tx) => audit(then, tx, visitorActor(from), entry))
  },
})
