import { createInMemoryLimit } from '../../platform/limits/limits.ts'
import { type Attempt, attemptsOf, checkAttempt, type PaymentsCtx } from '../payments/index.ts'
import type { NamedPayment } from './linked-payments.ts'

/**
 * The time that the payer's page waits for the provider's first reply. An early refusal is then shown at once; otherwise the waiting page
 * is shown.
 */
export const FIRST_REPLY_MS = 2500

/** Look-ups that a payer causes. The schedule makes one soon in any case. */
const lookUpLimit = { name: 'look-ups', quota: 10, windowMs: 60_000 }

/** The calls of a provider about an open attempt that its payer causes. */
export function createPayerCalls(ctx: PaymentsCtx) {
  const countLookUp = createInMemoryLimit(ctx.clock, lookUpLimit)
  /** The calls in progress, by attempt. */
  const running = new Map<string, Promise<unknown>>()

  async function openAttempt({ accountId, id }: NamedPayment): Promise<Attempt | null> {
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
    ctx.backgroundTasks.start('look-up for a payer', work)
    return work
  }

  /** Looks the open attempt up at its provider. Null when there is none, or when its payer is over the limit of look-ups. */
  async function check(named: NamedPayment): Promise<Attempt | null> {
    if (countLookUp(named.id).refused) return null
    const open = await openAttempt(named)
    if (open === null) return null
    const work = callOnce(open, () => checkAttempt(ctx, open.accountId, open.id, { cause: 'callback' }))
    await waitAtMost(FIRST_REPLY_MS, work)
    return open
  }

  return { openAttempt, callOnce, check }
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
