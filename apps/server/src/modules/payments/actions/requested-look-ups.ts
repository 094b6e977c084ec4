import { createInMemoryLimit } from '../../../platform/limits/limits.ts'
import type { PaymentsCtx } from '../context.ts'
import type { Attempt, Payment } from '../payment/payment.ts'
import { attemptsOf } from '../payment/store-attempts.ts'
import { checkAttempt } from './check-attempt.ts'

/** The time that a page waits for the provider's first reply. An early result is then shown at once; otherwise the page shows the wait. */
export const FIRST_REPLY_MS = 2500

/** Look-ups that a person causes. The schedule makes one soon in any case. */
const lookUpLimit = { name: 'look-ups', quota: 10, windowMs: 60_000 }

/** The calls of a provider about an open attempt that its payer or its merchant causes. */
export function createRequestedLookUps(ctx: PaymentsCtx) {
  const countLookUp = createInMemoryLimit(ctx.clock, lookUpLimit)
  /** The calls in progress, by attempt. */
  const running = new Map<string, Promise<unknown>>()

  async function openAttempt({ accountId, id }: Pick<Payment, 'accountId' | 'id'>): Promise<Attempt | null> {
    const attempts = await attemptsOf(ctx.db.kysely, accountId, id)
    // The reply to a charge that is being sent names the page from which the payer returns.
    return attempts.find(({ status }) => status === 'pending' || status === 'unknown') ?? null
  }

  /** Calls the provider about an attempt, once at a time. */
  function callOnce({ id }: Attempt, call: () => Promise<unknown>): Promise<unknown> {
    const inProgress = running.get(id)
    if (inProgress) return inProgress
    const work = call().finally(() => running.delete(id))
    running.set(id, work)
    ctx.backgroundTasks.start('requested look-up', work)
    return work
  }

  /** Looks the open attempt up at its provider. Null when there is none, or when the limit of look-ups is used up. */
  const check = async (named: Pick<Payment, 'accountId' | 'id'>): Promise<Attempt | null> =>
    countLookUp(named.id).refused ? null : lookUp(named)

  async function lookUp(named: Pick<Payment, 'accountId' | 'id'>): Promise<Attempt | null> {
    const open = await openAttempt(named)
    if (open === null) return null
    const work = callOnce(open, () => checkAttempt(ctx, open.accountId, open.id, { cause: 'payer' }))
    await waitAtMost(FIRST_REPLY_MS, work)
    return open
  }

  return { openAttempt, callOnce, check, countLookUp, lookUp }
}

/** Waits for the work to succeed or fail, at most for this time. */
export const waitAtMost = (ms: number, work: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    work.then(end, end)
  })
